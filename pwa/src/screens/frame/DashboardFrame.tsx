import { findPage } from '@nivida/contract/site/pages';
import { useLocation } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { DashboardLayout } from '../../features/layout/DashboardLayout.tsx';
import { UnreadAnswers } from '../../features/support/UnreadAnswers.tsx';
import { AuthDialogs } from '../account/AuthDialogs.tsx';
import { RequireSession } from '../account/SignedInOnly.tsx';
import { useAccountActions } from '../account/useAccountActions.ts';
import { Offers } from '../lazy.tsx';
import { paymentBanners, savedLinks } from './frame-parts.tsx';

/**
 * The dashboard's layout for signed-in users. A stored, unexpired session is enough, even offline. Pages that
 * show only the device's data need no session.
 */
export function DashboardFrame() {
  const username = useSession()?.user.username ?? '';
  const account = useAccountActions();
  const needsSession = findPage(useLocation().pathname)?.page.needsSession;
  const frame = (
    <>
      {paymentBanners}
      <DashboardLayout username={username} account={account} savedLinks={savedLinks} supportCount={<UnreadAnswers />} />
      <AuthDialogs />
      <Offers />
    </>
  );
  return needsSession ? <RequireSession>{frame}</RequireSession> : frame;
}
