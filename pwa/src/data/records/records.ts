/**
 * Records of the bid desk: bids, marks, deposits, documents, completed works, enlistments and the profile. A
 * change is stored on the device first; `sync-records.ts` sends it.
 */
import { t } from '@lingui/core/macro';
import { isDeleted } from '@nivida/contract/bids/merge-records';
import type { RecordChange, RecordKind } from '@nivida/contract/bids/records';
import { requestPersistentStorage } from '../device/browser-storage.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../device/database.ts';
import { currentRecordOwner } from '../firms/space.ts';
import {
  deleteRecord,
  InvalidRecordError,
  type RecordWrite,
  restoreDeletedRecord,
  TooManyRecordsError,
  writeRecords,
} from './record-rows.ts';
import { sendRecordsSoon } from './sync-records.ts';

/** Why one of the records was not saved. */
export function saveFailureText(error: unknown, records: 'bids' | 'deposits'): string {
  if (error instanceof TooManyRecordsError || error instanceof InvalidRecordError)
    return t`${{ sentence: error.message }}.`;
  if (error instanceof DatabaseUnavailableError) {
    const problem = storageProblem();
    return records === 'bids' ? t`${problem}, so bids cannot be saved.` : t`${problem}, so deposits cannot be saved.`;
  }
  return t`Not saved. Free some storage and try again.`;
}

/** A new id of a record. */
export const newRecordId = (): string => crypto.randomUUID();

/**
 * Changes records of the current space, signed in or out; `now` is in milliseconds. All or none are stored. Throws
 * InvalidRecordError, TooManyRecordsError, DatabaseUnavailableError and the errors of a full storage.
 */
export async function saveRecords(writes: readonly RecordWrite[], now: number): Promise<void> {
  const owner = currentRecordOwner();
  await withDatabase((db) => writeRecords(db, owner, writes, now));
  void requestPersistentStorage();
  sendRecordsSoon();
}

/**
 * Sets fields of one record; null removes a field. Creates the record if it does not exist. Throws like
 * `saveRecords`.
 */
export function saveRecord<Kind extends RecordKind>(
  kind: Kind,
  id: string,
  change: RecordChange<Kind>,
  now: number,
): Promise<void> {
  return saveRecords([{ kind, id, change } as unknown as RecordWrite], now);
}

/**
 * Whether this device has a record. 'unknown' when it never had the record. Throws DatabaseUnavailableError.
 */
export async function recordPresence(kind: RecordKind, id: string): Promise<'present' | 'deleted' | 'unknown'> {
  const owner = currentRecordOwner();
  const row = await withDatabase((db) => db.records.get([owner, kind, id]));
  if (!row) return 'unknown';
  return isDeleted(row) ? 'deleted' : 'present';
}

/** Deletes a record. `restoreRecord` brings it back. */
export async function removeRecord(kind: RecordKind, id: string, now: number): Promise<void> {
  const owner = currentRecordOwner();
  await withDatabase((db) => deleteRecord(db, owner, kind, id, now));
  sendRecordsSoon();
}

/** Undoes a deletion. */
export async function restoreRecord(kind: RecordKind, id: string, now: number): Promise<void> {
  const owner = currentRecordOwner();
  await withDatabase((db) => restoreDeletedRecord(db, owner, kind, id, now));
  sendRecordsSoon();
}
