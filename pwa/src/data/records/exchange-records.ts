/** Sends changed records and receives those of other devices. `sync-records.ts` loads it when there is something to do. */
import { isAhead, laterStamp, stampTime } from '@nivida/contract/bids/hybrid-clock';
import {
  correctState,
  isDeleted,
  isSameState,
  latestStamp,
  mergeRecords,
  stampsOf,
} from '@nivida/contract/bids/merge-records';
import {
  RecordChangesPage,
  RecordChangesResponse,
  type RecordKind,
  type WireRecord,
} from '@nivida/contract/bids/records';
import { MAX_RECORD_CHANGES, MAX_RECORD_CHANGES_BYTES } from '@nivida/contract/limits';
import { DAY_MS } from '@nivida/contract/time';
import { parse } from 'valibot';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase, PendingRecordRow, RecordRow } from '../device/schema.ts';
import { recordOwnersOf, reportLostFirms } from '../firms/firm-list.ts';
import { loseFirm } from '../firms/firm-rows.ts';
import { firmOf, userOf } from '../firms/space.ts';
import { moveJointBidsAtSignIn } from '../joint-bids.ts';
import { createOutboxLoop } from '../outbox/outbox.ts';
import { deleteSentChanges, pendingChanges, recordChange } from '../outbox/pending-changes.ts';
import { defaultRefusal } from '../outbox/send-outbox.ts';
import { apiOf, refusalOf, serverMessageOr } from '../server/api.ts';
import { classifySendError } from '../server/retry.ts';
import { currentOwner } from '../session.ts';
import { newestCursor, noteNewestCursor } from './newest-cursor.ts';
import {
  deleteSentRecordsOf,
  inRecordTransaction,
  markUnsent,
  mergeRecordsAtSignIn,
  noteStamp,
  readRecordClock,
  readRecordCursor,
  toRecordRow,
  writeRecordClock,
  writeRecordCursor,
} from './record-rows.ts';
import { reportRefusal } from './refusals.ts';

/** Maximum size of the records in a request. The difference is for the JSON around them. */
const MAX_BATCH_BYTES = MAX_RECORD_CHANGES_BYTES - 4_096;
/** A device stores deletions a day less than the server. Then it never has one that the server has removed. */
const DELETED_MS = 89 * DAY_MS;
/** Maximum number of corrections in one exchange. More mean that two servers disagree about the time. */
const MAX_CORRECTIONS = 3;

interface Unsent {
  mark: PendingRecordRow;
  row: RecordRow;
}

const spaceParams = (owner: string): { firm?: string } => {
  const firm = firmOf(owner);
  return firm === undefined ? {} : { firm };
};

const isNotAMember = (error: unknown): boolean => refusalOf(error)?.code === 'NOT_A_MEMBER';

const toWire = ({ kind, id, fields, stamps, deleted }: RecordRow): WireRecord => ({
  ...{ kind, id, fields, stamps },
  ...(deleted !== undefined && { deleted }),
});

/**
 * The next records to send, oldest change first. A refused record waits for its next change or the next
 * start.
 */
async function nextBatch(db: DeviceDatabase, owner: string): Promise<Unsent[]> {
  const marks = (await pendingChanges(db, owner, 'record')).sort((a, b) => a.at - b.at);
  const rows = await db.records.bulkGet(marks.map(({ recordKind, recordId }) => [owner, recordKind, recordId]));
  const batch: Unsent[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [index, mark] of marks.entries()) {
    const row = rows[index];
    if (!row || row.refusal !== null) continue;
    bytes += encoder.encode(JSON.stringify(toWire(row))).length + 1;
    if (batch.length === MAX_RECORD_CHANGES || (batch.length > 0 && bytes > MAX_BATCH_BYTES)) break;
    batch.push({ mark, row });
  }
  return batch;
}

/**
 * Stores why records were refused. Records that the user has changed since are left out. For use in a
 * transaction.
 */
async function storeRefusals(db: DeviceDatabase, refused: readonly Unsent[], reasonOf: (id: string) => string) {
  for (const { mark, row } of refused) {
    if ((await db.outbox.get(mark.id))?.at !== mark.at) continue;
    const refusal = reasonOf(row.id);
    await db.records.update([row.owner, row.kind, row.id], { refusal });
    reportRefusal(refusal);
  }
}

/**
 * Gives new stamps to records whose stamps are ahead of the server's time `now`, and sets the device's clock
 * back. For use in a transaction.
 */
async function correctStamps(
  db: DeviceDatabase,
  ahead: readonly Unsent[],
  now: number,
  floorOf: (id: string) => string | undefined,
): Promise<void> {
  const clock = await readRecordClock(db);
  for (const { row } of ahead) {
    const present = await db.records.get([row.owner, row.kind, row.id]);
    if (!present) continue;
    const state = correctState(present, now, clock.device, floorOf(row.id));
    await db.records.put({ ...toRecordRow(present, state, present.at), refusal: present.refusal });
  }
  let latest: string | undefined;
  await db.records.each((row) => {
    for (const stamp of stampsOf(row)) if (!isAhead(stamp, now)) latest = laterStamp(latest, stamp);
  });
  await writeRecordClock(db, { ...clock, latest });
}

/** Stores the results of a batch. One transaction. */
function storeResults(
  db: DeviceDatabase,
  owner: string,
  batch: readonly Unsent[],
  { results, before, after, now }: RecordChangesResponse,
): Promise<void> {
  const resultOf = new Map(results.map((result) => [result.id.toLowerCase(), result]));
  const withResult = (wanted: string) =>
    batch.filter(({ row }) => resultOf.get(row.id.toLowerCase())?.result === wanted);
  return inRecordTransaction(db, async () => {
    await deleteSentChanges(
      db.outbox,
      withResult('accepted').map(({ mark }) => mark),
    );
    await storeRefusals(db, withResult('refused'), (id) => resultOf.get(id.toLowerCase())?.message ?? defaultRefusal());
    const ahead = withResult('ahead');
    if (ahead.length > 0) await correctStamps(db, ahead, now, (id) => resultOf.get(id.toLowerCase())?.latest);
    // After a sign-out the sent records must not stay on the device.
    if (currentOwner() !== userOf(owner)) return deleteSentRecordsOf(db, owner);
    const cursor = await readRecordCursor(db, owner);
    // Only this device has changed records since, so the cursor is moved without a request.
    if (cursor === before || (cursor === '' && before.endsWith('.0'))) await writeRecordCursor(db, owner, after);
  });
}

/**
 * Sends all unsent records in batches. Returns false when the session has ended. Throws when it must be
 * repeated.
 */
async function sendAll(db: DeviceDatabase, owner: string): Promise<boolean> {
  let corrections = 0;
  for (;;) {
    const batch = await nextBatch(db, owner);
    if (batch.length === 0) return true;
    let response: RecordChangesResponse;
    try {
      const records = batch.map(({ row }) => toWire(row));
      response = await apiOf(userOf(owner))
        .post('api/bids/changes', { json: { records }, searchParams: spaceParams(owner) })
        .json(RecordChangesResponse);
    } catch (error) {
      if (isNotAMember(error)) throw error;
      const failure = classifySendError(error);
      if (failure === 'retry') throw error;
      if (failure === 'wait') return false;
      const reason = serverMessageOr(error, defaultRefusal());
      await inRecordTransaction(db, () => storeRefusals(db, batch, () => reason));
      continue;
    }
    await storeResults(db, owner, batch, response);
    noteNewestCursor(owner, response.after);
    if (!response.results.some(({ result }) => result === 'ahead')) continue;
    if (++corrections > MAX_CORRECTIONS) throw new Error('The server refuses the corrected time of a change.');
  }
}

async function readPage(owner: string, after: string): Promise<RecordChangesPage | null> {
  const searchParams = { ...spaceParams(owner), ...(after !== '' && { after }) };
  const response = await apiOf(userOf(owner)).get('api/bids/changes', { searchParams });
  return response.status === 204 ? null : parse(RecordChangesPage, await response.json());
}

/** Merges received records. For a transaction. */
async function storeReceived(db: DeviceDatabase, owner: string, records: readonly WireRecord[]): Promise<void> {
  for (const received of records) {
    const key = { owner, kind: received.kind as RecordKind, id: received.id };
    const row = await db.records.get([owner, received.kind, received.id]);
    const merged = row ? mergeRecords(row, received) : received;
    if (row && isSameState(row, merged)) continue;
    const latest = latestStamp(merged);
    await noteStamp(db, latest);
    const at = latest === undefined ? 0 : stampTime(latest);
    await db.records.put({ ...toRecordRow(key, merged, at), refusal: row?.refusal ?? null });
  }
}

/** Removes an owner's sent records for which `isGone` returns true. For use in a transaction. */
async function removeSent(db: DeviceDatabase, owner: string, isGone: (row: RecordRow) => boolean): Promise<void> {
  const marks = new Set((await pendingChanges(db, owner, 'record')).map(({ id }) => id));
  const rows = await db.records.where('owner').equals(owner).toArray();
  const gone = rows.filter((row) => isGone(row) && !marks.has(recordChange(owner, row.kind, row.id, 0).id));
  await db.records.bulkDelete(gone.map(({ kind, id }) => [owner, kind, id]));
}

/** True for a deletion that no longer counts. An older change that another device sends late brings the record back. */
const isOldDeletion = (row: RecordRow) =>
  isDeleted(row) && stampTime(row.deleted ?? '') < currentTime().getTime() - DELETED_MS;

/**
 * After the last page: removes records that the server has removed. If the server's database was restored,
 * marks all records as unsent.
 */
async function finishReceiving(
  db: DeviceDatabase,
  owner: string,
  { cursor }: RecordChangesPage,
  restart: RecordChangesPage['restart'],
  received: ReadonlySet<string>,
): Promise<void> {
  if (restart === 'removed') await removeSent(db, owner, (row) => !received.has(row.id));
  if (restart === 'restored') {
    const rows = await db.records.where('owner').equals(owner).toArray();
    for (const row of rows) await markUnsent(db, row, currentTime().getTime());
  }
  await writeRecordCursor(db, owner, cursor);
}

/** Receives the changes of other devices. Returns true when the device must send its records again. */
async function receiveAll(db: DeviceDatabase, owner: string): Promise<boolean> {
  let after = await readRecordCursor(db, owner);
  let restart: RecordChangesPage['restart'];
  const received = new Set<string>();
  for (;;) {
    const page = await readPage(owner, after);
    if (!page) return false;
    restart ??= page.restart;
    for (const { id } of page.records) received.add(id);
    const isOwn = await inRecordTransaction(db, async () => {
      // After a sign-out the records must not come back to the device.
      if (currentOwner() !== userOf(owner)) return false;
      await removeSent(db, owner, isOldDeletion);
      await storeReceived(db, owner, page.records);
      if (!page.more) await finishReceiving(db, owner, page, restart, received);
      return true;
    });
    if (!isOwn) return false;
    if (!page.more) return restart === 'restored';
    after = page.cursor;
  }
}

/** Sends and receives the records of one owner until both sides are equal. Throws when it must be repeated. */
async function exchangeSpace(db: DeviceDatabase, owner: string): Promise<void> {
  if (!(await sendAll(db, owner))) return;
  const newest = newestCursor(owner);
  const isBehind = newest !== '' && newest !== (await readRecordCursor(db, owner));
  if (!isBehind) return;
  if (await receiveAll(db, owner)) await sendAll(db, owner);
}

/**
 * Exchanges the records of a user and of the user's firms. The data of a firm that has removed the user are deleted. Throws
 * when it must be repeated, after it has tried each owner.
 */
export async function exchangeRecords(db: DeviceDatabase, user: string): Promise<void> {
  await mergeRecordsAtSignIn(db, user, currentTime().getTime());
  await moveJointBidsAtSignIn(db, user);
  const failures: unknown[] = [];
  for (const owner of await recordOwnersOf(db, user)) {
    try {
      await exchangeSpace(db, owner);
    } catch (error) {
      if (!isNotAMember(error)) failures.push(error);
      else if (currentOwner() === user) reportLostFirms([await loseFirm(db, owner)]);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const recordLoop = createOutboxLoop('records', async () => {
  const owner = currentOwner();
  if (owner !== '') await withDatabase((db) => exchangeRecords(db, owner));
});

/** Exchanges the signed-in user's records and retries what fails. */
export async function runRecordExchange(): Promise<void> {
  if (currentOwner() === '') return recordLoop.stop();
  await recordLoop.run();
}
