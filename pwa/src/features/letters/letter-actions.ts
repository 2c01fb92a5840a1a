/** Changes of letters that are kept with a bid. */
import { t } from '@lingui/core/macro';
import type { RecordChange } from '@nivida/contract/bids/records';
import { currentTime } from '../../data/clock.ts';
import { inPresentSpace } from '../../data/firms/space.ts';
import { removeRecord, restoreRecord, saveFailureText, saveRecord } from '../../data/records/records.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const nowMs = (): number => currentTime().getTime();

/** Why a letter was not saved. */
export const letterFailureText = (error: unknown): string => saveFailureText(error, 'bids');

/** Stores fields of a letter. Throws the errors of the store. */
export const saveLetter = (id: string, change: RecordChange<'letter'>): Promise<void> =>
  saveRecord('letter', id, change, nowMs());

async function changeWithUndo(change: () => Promise<void>, undo: () => Promise<void>, text: string): Promise<void> {
  const say = (error: unknown) => showToast({ text: letterFailureText(error) });
  try {
    await change();
  } catch (error) {
    say(error);
    return;
  }
  showToast({
    text,
    action: { label: t`Undo`, run: inPresentSpace(() => void undo().catch(say)) },
    passing: true,
  });
}

/** Stores a change and shows the text with "Undo". Undo stores the change `undo`. */
export const changeLetter = (
  id: string,
  change: RecordChange<'letter'>,
  undo: RecordChange<'letter'>,
  text: string,
): Promise<void> =>
  changeWithUndo(
    () => saveLetter(id, change),
    () => saveLetter(id, undo),
    text,
  );

/** Removes a letter, with "Undo". */
export const removeLetter = (id: string): Promise<void> =>
  changeWithUndo(
    () => removeRecord('letter', id, nowMs()),
    () => restoreRecord('letter', id, nowMs()),
    t`Letter removed.`,
  );
