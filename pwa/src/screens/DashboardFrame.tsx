import { lazy, Suspense } from 'react';
import { firstScreen } from '../data/first-screen.ts';
import { useSession } from '../data/session.ts';
import { BookmarksLink } from '../features/bookmarks/BookmarksLink.tsx';
import { useSaved } from '../features/bookmarks/saved.ts';
import { DashboardLayout } from '../features/layout/DashboardLayout.tsx';
import { PaymentNotices } from '../features/orders/PaymentNotices.tsx';
import { AuthDialogs } from './AuthDialogs.tsx';
import { SignedInOnly } from './SignedInOnly.tsx';
import { useAccount } from './useAccount.ts';

const InstallOffer = lazy(() =>
  firstScreen.then(() => import('../features/install/InstallOffer.tsx')).then((m) => ({ default: m.InstallOffer })),
);

/** The dashboard's layout for whoever is signed in; a stored, unexpired session counts without a network. */
export function DashboardFrame() {
  const hasBookmark = useSaved(({ ids }) => ids.size > 0);
  const username = useSession()?.user.username ?? '';
  const account = useAccount();
  return (
    <SignedInOnly>
      <PaymentNotices />
      <DashboardLayout username={username} account={account} bookmarks={(look) => <BookmarksLink look={look} />} />
      <AuthDialogs />
      <Suspense>
        <InstallOffer hasBookmark={hasBookmark} />
      </Suspense>
    </SignedInOnly>
  );
}
