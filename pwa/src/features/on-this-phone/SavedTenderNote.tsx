import { formatAge } from '@nivida/contract/format';
import { Note } from '../../ui/feedback/Note.tsx';

interface SavedTenderNoteProps {
  savedAt: Date;
  /** The server answered that it has no such tender. */
  isGone: boolean;
  now: Date;
}

/** The note that a tender comes from the device, with its age, and whether the server no longer has it. */
export function SavedTenderNote({ savedAt, isGone, now }: SavedTenderNoteProps) {
  return (
    <Note icon="phone" {...(isGone && { tone: 'amber' as const })}>
      Offline copy · Saved {formatAge(savedAt, now)}.
      {isGone && ' The server no longer has this tender: its portal may have withdrawn it.'}
    </Note>
  );
}
