/** Records of the bid desk in the device's database: ownership, sign-in and sign-out. */
import { t } from '@lingui/core/macro';
import { laterStamp, newDeviceId, nextStamp } from '@nivida/contract/bids/hybrid-clock';
import {
  type BidRecordState,
  changeFields,
  deleteState,
  isDeleted,
  latestStamp,
  mergeRecords,
} from '@nivida/contract/bids/merge-records';
import { fieldsRefusal, type RecordChange, type RecordKind } from '@nivida/contract/bids/records';
import { MAX_RECORDS } from '@nivida/contract/limits';
import type { DeviceDatabase, RecordRow } from '../device/schema.ts';
import { firmOf, userOf } from '../firms/space.ts';
import { pendingChanges, putPendingChange, recordChange } from '../outbox/pending-changes.ts';

/** Thrown when a record would exceed the limit of its kind. */
export class TooManyRecordsError extends Error {
  override name = 'TooManyRecordsError';
}

/** Thrown when a value exceeds the limits of its field. The message names the field. */
export class InvalidRecordError extends Error {
  override name = 'InvalidRecordError';
}

/** A change of one record. */
export type RecordWrite = {
  [Kind in RecordKind]: { kind: Kind; id: string; change: RecordChange<Kind> };
}[RecordKind];

/** Selects records with these values. An empty filter selects all. */
interface RecordFilter {
  bidId?: string | undefined;
  tenderId?: string | undefined;
}

/** The clock of this device's stamps, in `settings`. */
interface RecordClock {
  device: string;
  /** The latest stamp that was issued or received. */
  latest?: string | undefined;
}

const CLOCK_KEY = 'record clock';

/** The clock; a new one at the first use. For a transaction with `settings`. */
export async function readRecordClock(db: DeviceDatabase): Promise<RecordClock> {
  const stored = (await db.settings.get(CLOCK_KEY))?.value as RecordClock | undefined;
  return stored ?? { device: newDeviceId() };
}

/** Stores the clock with its latest stamp. */
export async function writeRecordClock(db: DeviceDatabase, clock: RecordClock): Promise<void> {
  await db.settings.put({ key: CLOCK_KEY, value: clock });
}

/**
 * A stamp for all changes of one transaction. It is later than the stamps of the rows that change: these can
 * be ahead of the device's clock, which a correction sets back.
 */
async function issueStamp(db: DeviceDatabase, now: number, rows: readonly (RecordRow | undefined)[]): Promise<string> {
  const { device, latest } = await readRecordClock(db);
  const newest = rows.reduce((found, row) => laterStamp(found, row && latestStamp(row)), latest);
  const stamp = nextStamp(newest, now, device);
  await writeRecordClock(db, { device, latest: stamp });
  return stamp;
}

/** Records that the device has seen a stamp. */
export async function noteStamp(db: DeviceDatabase, seen: string | undefined): Promise<void> {
  const clock = await readRecordClock(db);
  await writeRecordClock(db, { ...clock, latest: laterStamp(clock.latest, seen) });
}

/**
 * One transaction for records, their marks in the outbox and the clock, so that a killed tab stores all of
 * them or none.
 */
export function inRecordTransaction<T>(db: DeviceDatabase, work: () => Promise<T>): Promise<T> {
  return db.transaction('rw', db.records, db.outbox, db.settings, work);
}

type RecordKey = Pick<RecordRow, 'owner' | 'kind' | 'id'>;

/** The row for a record's state. */
export function toRecordRow({ owner, kind, id }: RecordKey, state: BidRecordState, at: number): RecordRow {
  const { fields, stamps, deleted } = state;
  const row = { owner, kind, id, fields, stamps, ...(deleted !== undefined && { deleted }), at, refusal: null };
  // The fields were validated by kind, on this device or on the server.
  return row as RecordRow;
}

/** Marks a record as unsent. Records that are made signed out are not sent. */
export async function markUnsent(db: DeviceDatabase, { owner, kind, id }: RecordKey, now: number): Promise<void> {
  if (owner !== '') await putPendingChange(db.outbox, recordChange(owner, kind, id, now));
}

async function putChanged(db: DeviceDatabase, row: RecordRow, now: number): Promise<void> {
  await db.records.put(row);
  await markUnsent(db, row, now);
}

/** Throws TooManyRecordsError when the owner may not add a record of a kind. */
async function requireRoom(db: DeviceDatabase, owner: string, kind: RecordKind): Promise<void> {
  const stored = db.records.where({ owner, kind });
  if ((await stored.count()) < MAX_RECORDS[kind]) return;
  const live = (await stored.toArray()).filter((row) => !isDeleted(row));
  if (live.length >= MAX_RECORDS[kind])
    throw new TooManyRecordsError(t`At most ${{ max: MAX_RECORDS[kind] }} records of this kind`);
}

/**
 * Changes records of an owner; `now` is in milliseconds. A record without a row is new. One transaction. Throws
 * InvalidRecordError and TooManyRecordsError; nothing is then stored.
 */
export async function writeRecords(
  db: DeviceDatabase,
  owner: string,
  writes: readonly RecordWrite[],
  now: number,
): Promise<void> {
  for (const { kind, change } of writes) {
    const refusal = fieldsRefusal(kind, withoutUndefined(change));
    if (refusal !== undefined) throw new InvalidRecordError(refusal);
  }
  if (writes.length === 0) return;
  await inRecordTransaction(db, async () => {
    const previousRows = await db.records.bulkGet(writes.map(({ kind, id }) => [owner, kind, id]));
    const stamp = await issueStamp(db, now, previousRows);
    for (const { kind, id, change } of writes) {
      const previous = await db.records.get([owner, kind, id]);
      if (!previous || isDeleted(previous)) await requireRoom(db, owner, kind);
      await putChanged(db, toRecordRow({ owner, kind, id }, changeFields(previous, change, stamp), now), now);
    }
  });
}

const withoutUndefined = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** Deletes a record if it exists. One transaction. */
export function deleteRecord(
  db: DeviceDatabase,
  owner: string,
  kind: RecordKind,
  id: string,
  now: number,
): Promise<void> {
  return inRecordTransaction(db, async () => {
    const row = await db.records.get([owner, kind, id]);
    if (!row || isDeleted(row)) return;
    const stamp = await issueStamp(db, now, [row]);
    await putChanged(db, toRecordRow(row, deleteState(row, stamp), now), now);
  });
}

/**
 * Undoes a deletion. One transaction. Throws TooManyRecordsError when the limit no longer allows the record.
 */
export function restoreDeletedRecord(
  db: DeviceDatabase,
  owner: string,
  kind: RecordKind,
  id: string,
  now: number,
): Promise<void> {
  return inRecordTransaction(db, async () => {
    const row = await db.records.get([owner, kind, id]);
    if (!row || !isDeleted(row)) return;
    await requireRoom(db, owner, kind);
    const stamp = await issueStamp(db, now, [row]);
    await putChanged(db, toRecordRow(row, changeFields(row, { restored: true }, stamp), now), now);
  });
}

/** An owner's records of a kind without the deleted ones, last changed first. */
export async function readRecords<Kind extends RecordKind>(
  db: DeviceDatabase,
  owner: string,
  kind: Kind,
  { bidId, tenderId }: RecordFilter = {},
): Promise<RecordRow<Kind>[]> {
  const [field, value] = bidId === undefined ? ['tenderId', tenderId] : ['bidId', bidId];
  const found =
    value === undefined
      ? db.records.where({ owner, kind })
      : db.records.where(`[owner+kind+fields.${field}]`).equals([owner, kind, value]);
  const rows = (await found.toArray()).filter((row) => !isDeleted(row));
  // The kind of a row says which fields it has.
  return rows.sort((a, b) => b.at - a.at) as RecordRow<RecordKind>[] as RecordRow<Kind>[];
}

/** One record of an owner. Undefined when there is none or it is deleted. */
export async function readRecord<Kind extends RecordKind>(
  db: DeviceDatabase,
  owner: string,
  kind: Kind,
  id: string,
): Promise<RecordRow<Kind> | undefined> {
  const row = await db.records.get([owner, kind, id]);
  return row && !isDeleted(row) ? (row as RecordRow<RecordKind> as RecordRow<Kind>) : undefined;
}

/** The server's reasons for refusing unsent records of an owner, one for each record. */
export async function readRefusals(db: DeviceDatabase, owner: string): Promise<string[]> {
  const marks = await pendingChanges(db, owner, 'record');
  const rows = await db.records.bulkGet(marks.map(({ recordKind, recordId }) => [owner, recordKind, recordId]));
  return rows.flatMap((row) => row?.refusal ?? []);
}

/** A firm's cursor has a row of its own; of users only the signed-in one has a cursor. */
const cursorKey = (owner: string): string => (firmOf(owner) === undefined ? 'record cursor' : `record cursor ${owner}`);

interface RecordCursor {
  owner: string;
  cursor: string;
}

/** The cursor up to which the device has the server's changes for an owner; '' for none. */
export async function readRecordCursor(db: DeviceDatabase, owner: string): Promise<string> {
  const stored = (await db.settings.get(cursorKey(owner)))?.value as RecordCursor | undefined;
  return stored?.owner === owner ? stored.cursor : '';
}

export async function writeRecordCursor(db: DeviceDatabase, owner: string, cursor: string): Promise<void> {
  await db.settings.put({ key: cursorKey(owner), value: { owner, cursor } satisfies RecordCursor });
}

/**
 * Removes an owner's sent records and the cursor, so that all records are received again after the next
 * sign-in.
 */
export async function deleteSentRecordsOf(db: DeviceDatabase, owner: string): Promise<void> {
  const unsent = new Set((await pendingChanges(db, owner, 'record')).map((mark) => mark.id));
  const rows = await db.records.where('owner').equals(owner).toArray();
  const sent = rows.filter(({ kind, id }) => !unsent.has(recordChange(owner, kind, id, 0).id));
  await db.records.bulkDelete(sent.map(({ kind, id }) => [owner, kind, id]));
  const stored = (await db.settings.get(cursorKey(owner)))?.value as RecordCursor | undefined;
  if (stored?.owner === owner) await db.settings.delete(cursorKey(owner));
}

/**
 * Called after a sign-in. Records that were made signed out become the user's; they are merged field by
 * field. Sent records of other users, which ended sessions have left, are removed; their unsent records stay.
 * One transaction.
 */
export function mergeRecordsAtSignIn(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return inRecordTransaction(db, async () => {
    const unowned = (await db.records.where('owner').equals('').toArray()).filter((row) => !isDeleted(row));
    for (const row of unowned) {
      const { kind, id } = row;
      const previous = await db.records.get([owner, kind, id]);
      const merged = previous ? mergeRecords(previous, row) : row;
      await putChanged(db, toRecordRow({ owner, kind, id }, merged, now), now);
    }
    await db.records.where('owner').equals('').delete();
    const owners = (await db.records.orderBy('owner').uniqueKeys()) as string[];
    for (const other of owners) if (userOf(other) !== owner) await deleteSentRecordsOf(db, other);
  });
}

/**
 * Removes a user's records, and those of the user's firms, after the sign-out. Unsent records stay and are sent after the user's next
 * sign-in.
 */
export function deleteRecordsAtSignOut(db: DeviceDatabase, user: string): Promise<void> {
  return inRecordTransaction(db, async () => {
    const owners = (await db.records.orderBy('owner').uniqueKeys()) as string[];
    for (const owner of new Set([user, ...owners])) if (userOf(owner) === user) await deleteSentRecordsOf(db, owner);
  });
}

/** Removes all records of an owner, including unsent ones: the account is deleted, or the user has left the firm. */
export function deleteRecordsOf(db: DeviceDatabase, owner: string): Promise<void> {
  return inRecordTransaction(db, async () => {
    const marks = await pendingChanges(db, owner, 'record');
    await db.outbox.bulkDelete(marks.map(({ id }) => id));
    await deleteSentRecordsOf(db, owner);
  });
}
