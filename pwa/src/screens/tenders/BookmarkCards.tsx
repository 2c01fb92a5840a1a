import { useNow } from '../../data/clock.ts';
import { BookmarkList } from '../../features/bookmarks/BookmarkList.tsx';
import type { BookmarkedTender } from '../../features/bookmarks/bookmarked-tenders.ts';
import { ClosingBadge, ClosingGauge } from '../../features/results/cards/ClosingBadge.tsx';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { listText } from '../../features/share/list-text.ts';
import { cardBookmark } from './TenderBookmarkButton.tsx';

/** The bookmarks as cards with closing badge and gauge, and a button that copies them as a message. */
export function BookmarkCards({ bookmarks }: { bookmarks: readonly BookmarkedTender[] }) {
  const now = useNow();
  const tenders = bookmarks.flatMap(({ tender }) => tender ?? []);
  return (
    <>
      <BookmarkList
        bookmarks={bookmarks}
        renderBookmark={cardBookmark}
        renderClosing={(tender) => (
          <>
            <ClosingGauge tender={tender} now={now} />
            <ClosingBadge tender={tender} now={now} />
          </>
        )}
      />
      {tenders.length > 0 && (
        <div className="under-list">
          <CopyListButton
            makeText={(origin) =>
              listText({ title: 'Bookmarked tenders', tenders, total: tenders.length, path: null }, origin, now)
            }
          />
        </div>
      )}
    </>
  );
}
