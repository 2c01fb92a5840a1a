import { lazy, Suspense } from 'react';
import { firstScreen } from '../data/first-screen.ts';
import { PublicLayout } from '../features/layout/PublicLayout.tsx';
import { StatesGrid } from '../features/layout/StatesGrid.tsx';
import { PaymentNotices } from '../features/orders/PaymentNotices.tsx';
import { AuthDialogs } from './AuthDialogs.tsx';
import { KeptLinks } from './KeptLinks.tsx';
import { useAccount } from './useAccount.ts';

// The first paint needs no call to the server: what makes calls, some 11 KB, is loaded after it.
const CountedStates = lazy(() =>
  firstScreen.then(() => import('./CountedStates.tsx')).then((m) => ({ default: m.CountedStates })),
);
const Offers = lazy(() => firstScreen.then(() => import('./Offers.tsx')).then((m) => ({ default: m.Offers })));

/** The public layout, at first with the bare names of the states. */
export function PublicFrame() {
  const account = useAccount();
  return (
    <>
      <PaymentNotices />
      <PublicLayout
        account={account}
        kept={(look) => <KeptLinks look={look} />}
        states={
          <Suspense fallback={<StatesGrid counts={new Map()} />}>
            <CountedStates />
          </Suspense>
        }
      />
      <AuthDialogs />
      <Suspense>
        <Offers />
      </Suspense>
    </>
  );
}
