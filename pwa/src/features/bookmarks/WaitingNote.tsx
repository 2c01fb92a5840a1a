import { sentLaterText } from '../../data/background-sync.ts';
import { Note } from '../../ui/Note.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { useSaved } from './saved.ts';

/** How many changes of bookmarks the server has not been told yet; nothing when it knows all. */
export function WaitingNote() {
  const waiting = useSaved((saved) => saved.waiting);
  const isOnline = useOnline();
  if (waiting === 0) return null;
  const changes = waiting === 1 ? '1 change' : `${waiting} changes`;
  return (
    <Note icon="phone">
      {changes} kept on this phone. {isOnline ? 'Not sent yet.' : sentLaterText()}
    </Note>
  );
}
