import { useSession } from '../../data/session.ts';
import { DashboardLayout } from '../../features/layout/DashboardLayout.tsx';
import { PaymentBanners } from '../../features/orders/payment/PaymentBanners.tsx';
import { AuthDialogs } from '../account/AuthDialogs.tsx';
import { RequireSession } from '../account/SignedInOnly.tsx';
import { useAccountActions } from '../account/useAccountActions.ts';
import { LazyOffer, savedLinks } from './frame-parts.tsx';

/** The dashboard's layout for signed-in users; a stored, unexpired session counts offline too. */
export function DashboardFrame() {
  const username = useSession()?.user.username ?? '';
  const account = useAccountActions();
  return (
    <RequireSession>
      <PaymentBanners />
      <DashboardLayout username={username} account={account} savedLinks={savedLinks} />
      <AuthDialogs />
      <LazyOffer />
    </RequireSession>
  );
}
