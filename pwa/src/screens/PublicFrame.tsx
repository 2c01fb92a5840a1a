import { lazy, Suspense } from 'react';
import { BookmarksLink } from '../features/bookmarks/BookmarksLink.tsx';
import { useSaved } from '../features/bookmarks/saved.ts';
import { PublicLayout } from '../features/layout/PublicLayout.tsx';
import { StatesGrid } from '../features/layout/StatesGrid.tsx';

// The first paint needs no call to the server: what makes calls, some 11 KB, is loaded beside it.
const CountedStates = lazy(() => import('./CountedStates.tsx').then((m) => ({ default: m.CountedStates })));
const InstallOffer = lazy(() =>
  import('../features/install/InstallOffer.tsx').then((m) => ({ default: m.InstallOffer })),
);

/** The public layout, at first with the bare names of the states. */
export function PublicFrame() {
  const hasBookmark = useSaved(({ ids }) => ids.size > 0);
  return (
    <>
      <PublicLayout
        bookmarks={(look) => <BookmarksLink look={look} />}
        states={
          <Suspense fallback={<StatesGrid counts={new Map()} />}>
            <CountedStates />
          </Suspense>
        }
      />
      <Suspense>
        <InstallOffer hasBookmark={hasBookmark} />
      </Suspense>
    </>
  );
}
