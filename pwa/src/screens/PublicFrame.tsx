import { lazy, Suspense } from 'react';
import { firstScreen } from '../data/first-screen.ts';
import { PublicLayout } from '../features/layout/PublicLayout.tsx';
import { PaymentNotices } from '../features/orders/PaymentNotices.tsx';
import { AuthDialogs } from './AuthDialogs.tsx';
import { CountedStates } from './CountedStates.tsx';
import { KeptLinks } from './KeptLinks.tsx';
import { useAccount } from './useAccount.ts';

const Offers = lazy(() => firstScreen.then(() => import('./Offers.tsx')).then((m) => ({ default: m.Offers })));

/** The public layout, with the bare names of the states until their counts are known. */
export function PublicFrame() {
  const account = useAccount();
  return (
    <>
      <PaymentNotices />
      <PublicLayout account={account} kept={(look) => <KeptLinks look={look} />} states={<CountedStates />} />
      <AuthDialogs />
      <Suspense>
        <Offers />
      </Suspense>
    </>
  );
}
