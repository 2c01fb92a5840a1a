import { lazy, Suspense } from 'react';
import { firstScreen } from '../../data/first-screen.ts';
import { PublicLayout } from '../../features/layout/PublicLayout.tsx';
import { PaymentNotices } from '../../features/orders/payment/PaymentNotices.tsx';
import { AfterHydration } from '../../ui/hydration.ts';
import { AuthDialogs } from '../account/AuthDialogs.tsx';
import { useAccountActions } from '../account/useAccountActions.ts';
import { CountedStates } from '../CountedStates.tsx';
import { NoticeAndBookmarkLinks } from './NoticeAndBookmarkLinks.tsx';

const AlertOrInstallOffer = lazy(() =>
  firstScreen.then(() => import('../alerts/AlertOrInstallOffer.tsx')).then((m) => ({ default: m.AlertOrInstallOffer })),
);

/** The public layout; the states have no counts until they are loaded. */
export function PublicFrame() {
  const account = useAccountActions();
  return (
    <>
      <PaymentNotices />
      <PublicLayout
        account={account}
        savedLinks={(look) => <NoticeAndBookmarkLinks look={look} />}
        states={<CountedStates />}
      />
      <AuthDialogs />
      <AfterHydration>
        <Suspense>
          <AlertOrInstallOffer />
        </Suspense>
      </AfterHydration>
    </>
  );
}
