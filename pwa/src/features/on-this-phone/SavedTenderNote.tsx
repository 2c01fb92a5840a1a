import { t } from '@lingui/core/macro';
import { formatAge } from '@nivida/contract/format';
import { Note } from '../../ui/feedback/Note.tsx';

interface SavedTenderNoteProps {
  savedAt: Date;
  /** The server has answered that the tender does not exist. */
  isGone: boolean;
  now: Date;
}

/**
 * The note that a tender comes from the device. It names the age, and says when the server no longer has the
 * tender.
 */
export function SavedTenderNote({ savedAt, isGone, now }: SavedTenderNoteProps) {
  return (
    <Note icon="phone" {...(isGone && { tone: 'amber' as const })}>
      {t`Offline copy · Saved ${{ age: formatAge(savedAt, now) }}.`}
      {isGone && <> {t`The server no longer has this tender: its portal may have withdrawn it.`}</>}
    </Note>
  );
}
