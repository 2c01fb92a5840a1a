/** Changes of deposits. */
import { t } from '@lingui/core/macro';
import type { RecordChange } from '@nivida/contract/bids/records';
import { currentTime } from '../../data/clock.ts';
import { inPresentSpace } from '../../data/firms/space.ts';
import {
  newRecordId,
  removeRecord,
  restoreRecord,
  saveFailureText,
  saveRecord,
  saveRecords,
} from '../../data/records/records.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const nowMs = (): number => currentTime().getTime();

/** Why a deposit was not saved. */
export const depositFailureText = (error: unknown): string => saveFailureText(error, 'deposits');

/** Stores fields of a deposit. Throws the errors of the store. */
export const saveDeposit = (id: string, change: RecordChange<'deposit'>): Promise<void> =>
  saveRecord('deposit', id, change, nowMs());

/** Stores a deposit that continues another one, which is adjusted in it. All or nothing is stored. */
export const continueDeposit = (id: string, change: RecordChange<'deposit'>, from: string): Promise<void> =>
  saveRecords(
    [
      { kind: 'deposit', id, change: { ...change, continues: from } },
      { kind: 'deposit', id: from, change: { state: 'adjusted' } },
    ],
    nowMs(),
  );

/** Stores a part of a deposit that came back. Throws the errors of the store. */
export const saveRelease = (depositId: string, amountPaise: number, releasedOn: string | null): Promise<void> =>
  saveRecord('release', newRecordId(), { depositId, amountPaise, releasedOn }, nowMs());

/** Stores a change and shows the text with "Undo". Undo stores the change `undo`. */
export async function changeDeposit(
  id: string,
  change: RecordChange<'deposit'>,
  undo: RecordChange<'deposit'>,
  text: string,
): Promise<void> {
  try {
    await saveDeposit(id, change);
  } catch (error) {
    showToast({ text: depositFailureText(error) });
    return;
  }
  const run = () => void saveDeposit(id, undo).catch((error) => showToast({ text: depositFailureText(error) }));
  showToast({ text, action: { label: t`Undo`, run: inPresentSpace(run) }, passing: true });
}

/** Removes a deposit, with "Undo". */
export const removeDeposit = (id: string): Promise<void> => removeWithUndo('deposit', id, t`Deposit removed.`);

/** Removes a part that came back, with "Undo". */
export const removeRelease = (id: string): Promise<void> => removeWithUndo('release', id, t`Entry removed.`);

async function removeWithUndo(kind: 'deposit' | 'release', id: string, text: string): Promise<void> {
  try {
    await removeRecord(kind, id, nowMs());
  } catch (error) {
    showToast({ text: depositFailureText(error) });
    return;
  }
  const run = () =>
    void restoreRecord(kind, id, nowMs()).catch((error) => showToast({ text: depositFailureText(error) }));
  showToast({ text, action: { label: t`Undo`, run: inPresentSpace(run) }, passing: true });
}
