/** Changes of a checklist by the user. */

import { t } from '@lingui/core/macro';
import type { CheckRow } from '../../data/bid-documents/checklist-rows.ts';
import { ownKey } from '../../data/bid-documents/checklist-rows.ts';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { currentRecordOwner, inPresentSpace } from '../../data/firms/space.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import {
  type CheckChange,
  type CheckKey,
  changeCheck,
  deleteCheck,
  MAX_OWN_ROWS,
  readChecks,
  restoreCheck,
} from './checks.ts';
import { recordMark } from './unsaved-marks.ts';

async function write(work: (db: DeviceDatabase) => Promise<void>): Promise<boolean> {
  try {
    await withDatabase(work);
  } catch (error) {
    showToast({
      text:
        error instanceof DatabaseUnavailableError
          ? t`${{ problem: storageProblem() }}, so marks cannot be saved.`
          : t`The mark was not saved. Free some storage and mark it again.`,
    });
    return false;
  }
  void requestPersistentStorage();
  return true;
}

/** Marks a row of a tender's checklist; false when it was not saved. */
export async function markRow(tenderId: string, key: string, change: CheckChange): Promise<boolean> {
  const checkKey: CheckKey = [currentRecordOwner(), tenderId, key];
  const now = currentTime().getTime();
  const forgetMark = recordMark(checkKey, change, now);
  const isSaved = await write((db) => changeCheck(db, checkKey, change, now));
  forgetMark();
  return isSaved;
}

/** Adds a row with the user's own text; false when it was not saved. */
export async function addOwnRow(tenderId: string, text: string): Promise<boolean> {
  const owner = currentRecordOwner();
  const key = ownKey(crypto.randomUUID());
  let isFull = false;
  const isSaved = await write(async (db) => {
    const own = (await readChecks(db, owner, tenderId)).filter((row) => row.text !== undefined);
    isFull = own.length >= MAX_OWN_ROWS;
    if (!isFull) await changeCheck(db, [owner, tenderId, key], { state: null, text }, currentTime().getTime());
  });
  if (isFull) showToast({ text: t`At most ${MAX_OWN_ROWS} documents can be added. Remove one first.` });
  return isSaved && !isFull;
}

/** Removes a row that the user added, with "Undo". */
export async function removeOwnRow(row: CheckRow): Promise<void> {
  const isRemoved = await write((db) => deleteCheck(db, row.owner, row.tenderId, row.key, currentTime().getTime()));
  if (!isRemoved) return;
  showToast({
    text: t`Removed: ${{ name: row.text ?? '' }}`,
    passing: true,
    action: {
      label: t`Undo`,
      run: inPresentSpace(() => void write((db) => restoreCheck(db, row, currentTime().getTime()))),
    },
  });
}
