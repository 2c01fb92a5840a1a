import { lazy, Suspense } from 'react';
import { firstScreen } from '../data/first-screen.ts';
import { useSession } from '../data/session.ts';
import { DashboardLayout } from '../features/layout/DashboardLayout.tsx';
import { PaymentNotices } from '../features/orders/PaymentNotices.tsx';
import { AuthDialogs } from './AuthDialogs.tsx';
import { KeptLinks } from './KeptLinks.tsx';
import { SignedInOnly } from './SignedInOnly.tsx';
import { useAccount } from './useAccount.ts';

const Offers = lazy(() => firstScreen.then(() => import('./Offers.tsx')).then((m) => ({ default: m.Offers })));

/** The dashboard's layout for whoever is signed in; a stored, unexpired session counts without a network. */
export function DashboardFrame() {
  const username = useSession()?.user.username ?? '';
  const account = useAccount();
  return (
    <SignedInOnly>
      <PaymentNotices />
      <DashboardLayout username={username} account={account} kept={(look) => <KeptLinks look={look} />} />
      <AuthDialogs />
      <Suspense>
        <Offers />
      </Suspense>
    </SignedInOnly>
  );
}
