import { sendsLaterText } from '../../data/outbox/background-sync.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { useBookmarkStore } from './bookmark-store.ts';

/** The number of pending changes of bookmarks. Renders nothing when there are none. */
export function PendingBookmarksNote() {
  const waiting = useBookmarkStore((saved) => saved.waiting);
  const isOnline = useOnline();
  if (waiting === 0) return null;
  const changes = waiting === 1 ? '1 change' : `${waiting} changes`;
  return (
    <Note icon="phone">
      {changes} saved on this phone. {isOnline ? 'Not sent yet.' : sendsLaterText()}
    </Note>
  );
}
