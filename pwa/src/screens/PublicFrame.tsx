import { lazy, Suspense } from 'react';
import { firstScreen } from '../data/first-screen.ts';
import { BookmarksLink } from '../features/bookmarks/BookmarksLink.tsx';
import { useSaved } from '../features/bookmarks/saved.ts';
import { PublicLayout } from '../features/layout/PublicLayout.tsx';
import { StatesGrid } from '../features/layout/StatesGrid.tsx';
import { PaymentNotices } from '../features/orders/PaymentNotices.tsx';
import { AuthDialogs } from './AuthDialogs.tsx';
import { useAccount } from './useAccount.ts';

// The first paint needs no call to the server: what makes calls, some 11 KB, is loaded after it.
const CountedStates = lazy(() =>
  firstScreen.then(() => import('./CountedStates.tsx')).then((m) => ({ default: m.CountedStates })),
);
const InstallOffer = lazy(() =>
  firstScreen.then(() => import('../features/install/InstallOffer.tsx')).then((m) => ({ default: m.InstallOffer })),
);

/** The public layout, at first with the bare names of the states. */
export function PublicFrame() {
  const hasBookmark = useSaved(({ ids }) => ids.size > 0);
  const account = useAccount();
  return (
    <>
      <PaymentNotices />
      <PublicLayout
        account={account}
        bookmarks={(look) => <BookmarksLink look={look} />}
        states={
          <Suspense fallback={<StatesGrid counts={new Map()} />}>
            <CountedStates />
          </Suspense>
        }
      />
      <AuthDialogs />
      <Suspense>
        <InstallOffer hasBookmark={hasBookmark} />
      </Suspense>
    </>
  );
}
