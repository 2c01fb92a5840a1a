/** Changes of deposits. */
import { t } from '@lingui/core/macro';
import type { RecordChange } from '@nivida/contract/bids/records';
import { currentTime } from '../../data/clock.ts';
import { removeRecord, restoreRecord, saveFailureText, saveRecord } from '../../data/records/records.ts';
import { ofPresentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const nowMs = (): number => currentTime().getTime();

/** Why a deposit was not saved. */
export const depositFailureText = (error: unknown): string => saveFailureText(error, 'deposits');

/** Stores fields of a deposit. Throws the errors of the store. */
export const saveDeposit = (id: string, change: RecordChange<'deposit'>): Promise<void> =>
  saveRecord('deposit', id, change, nowMs());

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
  showToast({ text, action: { label: t`Undo`, run: ofPresentOwner(run) }, passing: true });
}

/** Removes a deposit, with "Undo". */
export async function removeDeposit(id: string): Promise<void> {
  try {
    await removeRecord('deposit', id, nowMs());
  } catch (error) {
    showToast({ text: depositFailureText(error) });
    return;
  }
  const run = () =>
    void restoreRecord('deposit', id, nowMs()).catch((error) => showToast({ text: depositFailureText(error) }));
  showToast({ text: t`Deposit removed.`, action: { label: t`Undo`, run: ofPresentOwner(run) }, passing: true });
}
