import { useEffect, useRef } from 'react';
import { storageProblem } from '../../data/device/database.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { useBookmarkedTenders } from '../../features/bookmarks/useBookmarkedTenders.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { useShownLocation } from '../../ui/hydration.ts';
import { BookmarkCards } from './BookmarkCards.tsx';

/** "Saved on this phone": the bookmarks of signed-out visitors (R39), at `/tenders#saved`. */
export function BookmarksOnDevice() {
  const isPending = useShownLocation().hash === '#saved';
  const count = useBookmarkStore(({ ids }) => ids.size);
  return count === 0 && !isPending ? null : <SavedOnDevice />;
}

function SavedOnDevice() {
  const location = useShownLocation();
  const needsSignIn = useBookmarkStore((saved) => saved.needsSignIn);
  const { bookmarks, error } = useBookmarkedTenders();
  const isRead = bookmarks !== undefined;
  const section = useRef<HTMLElement>(null);

  // The router scrolls before the list has loaded and has its height, so this scrolls again. A second click
  // on the same link is another location.
  useEffect(() => {
    if (location.hash === '#saved' && isRead) section.current?.scrollIntoView();
  }, [location, isRead]);

  return (
    <section id="saved" ref={section} aria-labelledby="saved-title" className="stack">
      <h2 id="saved-title">Saved on this phone</h2>
      {needsSignIn ? (
        <Note tone="amber" icon="phone">
          Your session has ended. Sign in to sync: until then these stay on this phone.
        </Note>
      ) : (
        <p className="s muted">They open without a connection. Sign in to have them on all your devices.</p>
      )}
      {!isRead && error === undefined && <Spinner label="Loading saved tenders" isScreen />}
      {error !== undefined && <Note icon="warning">{storageProblem()}, so bookmarks cannot be saved.</Note>}
      {isRead && bookmarks.length > 0 && <BookmarkCards bookmarks={bookmarks} />}
      {bookmarks?.length === 0 && <p>No bookmarked tenders found.</p>}
    </section>
  );
}
