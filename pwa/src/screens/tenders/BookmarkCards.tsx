import { useNow } from '../../data/clock.ts';
import { BookmarkList } from '../../features/bookmarks/BookmarkList.tsx';
import type { BookmarkedTender } from '../../features/bookmarks/watch-bookmarks.ts';
import { ClosingBadge, ClosingGauge } from '../../features/tenders/cards/ClosingBadge.tsx';
import { findTenderOnDevice } from '../../features/tenders/packs/local-engines.ts';

/** The bookmarks as cards with the closing badge and gauge. */
export function BookmarkCards({ bookmarks }: { bookmarks: readonly BookmarkedTender[] }) {
  const now = useNow();
  return (
    <BookmarkList
      bookmarks={bookmarks}
      find={findTenderOnDevice}
      renderClosing={(tender) => (
        <>
          <ClosingGauge tender={tender} now={now} />
          <ClosingBadge tender={tender} now={now} />
        </>
      )}
    />
  );
}
