// @vitest-environment node
import 'fake-indexeddb/auto';
import { PROFILE_ID, recordIdFor } from '@nivida/contract/bids/record-ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../device/schema.ts';
import { pendingChanges } from '../outbox/pending-changes.ts';
import {
  deleteRecord,
  deleteRecordsAtSignOut,
  deleteRecordsOf,
  InvalidRecordError,
  mergeRecordsAtSignIn,
  type RecordWrite,
  readRecordClock,
  readRecordCursor,
  readRecords,
  restoreDeletedRecord,
  TooManyRecordsError,
  writeRecordClock,
  writeRecordCursor,
  writeRecords,
} from './record-rows.ts';

const ASHA = '7';
const RAVI = '8';
const ROAD = recordIdFor('bid', 'road');
const BRIDGE = recordIdFor('bid', 'bridge');

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('records');
});
afterEach(() => db.delete());

const bid = (owner: string, id: string, change: Extract<RecordWrite, { kind: 'bid' }>['change'], now = 1_000) =>
  writeRecords(db, owner, [{ kind: 'bid', id, change }], now);
const notes = async (owner: string) => (await readRecords(db, owner, 'bid')).map(({ fields }) => fields.note);
const unsent = async (owner: string) =>
  (await pendingChanges(db, owner, 'record')).map(({ recordKind, recordId }) => `${recordKind} ${recordId}`).sort();
/** Sets the state that an exchange with the server leaves. */
const markSent = async (owner: string) => {
  await db.outbox.where({ owner, kind: 'record' }).delete();
  await writeRecordCursor(db, owner, 'epoch-5');
};

test('the other fields stay after a change, null removes a field, and the record waits for the server', async () => {
  await bid(ASHA, ROAD, { note: 'Call', stage: 'considering' });
  await bid(ASHA, ROAD, { stage: 'preparing', note: null }, 2_000);
  const [row] = await readRecords(db, ASHA, 'bid');
  expect(row?.fields).toEqual({ stage: 'preparing' });
  expect(row?.at).toBe(2_000);
  expect(await unsent(ASHA)).toEqual([`bid ${ROAD}`]);
  expect(await notes(RAVI)).toEqual([]);
});

test('records made signed out are stored without a mark for the server', async () => {
  await bid('', ROAD, { note: 'Call' });
  expect(await notes('')).toEqual(['Call']);
  expect(await db.outbox.count()).toBe(0);
});

test('records are found by their bid and by their tender, the last changed first', async () => {
  const check = (id: string, change: { bidId?: string; tenderId?: string; kind: string }, now: number) =>
    writeRecords(db, ASHA, [{ kind: 'check', id: recordIdFor('check', id), change }], now);
  await check('1', { bidId: ROAD, kind: 'pan' }, 1);
  await check('2', { bidId: ROAD, kind: 'epf' }, 2);
  await check('3', { bidId: BRIDGE, kind: 'itr' }, 3);
  await check('4', { tenderId: '12', kind: 'emd' }, 4);
  const kinds = async (filter: object) =>
    (await readRecords(db, ASHA, 'check', filter)).map(({ fields }) => fields.kind);
  expect(await kinds({ bidId: ROAD })).toEqual(['epf', 'pan']);
  expect(await kinds({ tenderId: '12' })).toEqual(['emd']);
  expect(await kinds({})).toEqual(['emd', 'itr', 'epf', 'pan']);
});

test('a deleted record is not read any more, until the deletion is undone or a field changes later', async () => {
  await bid(ASHA, ROAD, { note: 'Road' });
  await deleteRecord(db, ASHA, 'bid', ROAD, 2_000);
  expect(await notes(ASHA)).toEqual([]);
  await restoreDeletedRecord(db, ASHA, 'bid', ROAD, 3_000);
  expect(await notes(ASHA)).toEqual(['Road']);
  await deleteRecord(db, ASHA, 'bid', ROAD, 4_000);
  await bid(ASHA, ROAD, { stage: 'won' }, 5_000);
  expect(await notes(ASHA)).toEqual(['Road']);
});

test('a deletion that is made twice, or undone without need, changes nothing', async () => {
  await bid(ASHA, ROAD, { note: 'Road' });
  await markSent(ASHA);
  await restoreDeletedRecord(db, ASHA, 'bid', ROAD, 2_000);
  await deleteRecord(db, ASHA, 'bid', BRIDGE, 2_000);
  expect([await unsent(ASHA), await notes(ASHA)]).toEqual([[], ['Road']]);
  await deleteRecord(db, ASHA, 'bid', ROAD, 3_000);
  await markSent(ASHA);
  const deleted = await db.records.toArray();
  await deleteRecord(db, ASHA, 'bid', ROAD, 4_000);
  expect([await unsent(ASHA), await db.records.toArray()]).toEqual([[], deleted]);
});

test('a change after the clock was put back still replaces the earlier value', async () => {
  await bid(ASHA, ROAD, { note: 'First' }, 9_000);
  await bid(ASHA, ROAD, { note: 'Second' }, 10);
  expect(await notes(ASHA)).toEqual(['Second']);
  const [row] = await db.records.toArray();
  expect(row?.stamps.note).toMatch(/^0000000009000-0001-/);
});

test('several changes are stored together or not at all', async () => {
  const tooLong: RecordWrite = { kind: 'bid', id: BRIDGE, change: { note: 'x'.repeat(4_001) } };
  const writes: RecordWrite[] = [{ kind: 'bid', id: ROAD, change: { note: 'Road' } }, tooLong];
  await expect(writeRecords(db, ASHA, writes, 1)).rejects.toThrow(
    new InvalidRecordError('note: At most 4000 characters'),
  );
  expect(await db.records.count()).toBe(0);
  expect(await db.outbox.count()).toBe(0);
});

test('two changes of one record that are stored together both count', async () => {
  const write = (change: { note?: string; stage?: 'won' }): RecordWrite => ({ kind: 'bid', id: ROAD, change });
  await writeRecords(db, ASHA, [write({ note: 'Road' }), write({ stage: 'won' })], 1);
  expect((await readRecords(db, ASHA, 'bid')).map(({ fields }) => fields)).toEqual([{ note: 'Road', stage: 'won' }]);
});

test('a second profile is refused and the first one can still change', async () => {
  const profile = (id: string, firm: string) =>
    writeRecords(db, ASHA, [{ kind: 'profile', id, change: { firmNames: [firm] } }], 1);
  await profile(ROAD, 'Firm 1');
  await expect(profile(BRIDGE, 'Firm 2')).rejects.toThrow(TooManyRecordsError);
  await profile(ROAD, 'Firm 3');
  expect((await readRecords(db, ASHA, 'profile')).map(({ fields }) => fields.firmNames)).toEqual([['Firm 3']]);
});

test('a deleted record comes back by a change only where there is room for it', async () => {
  const profile = (id: string) =>
    writeRecords(db, ASHA, [{ kind: 'profile', id, change: { raisesValues: true } }], 1_000);
  await profile(PROFILE_ID);
  await deleteRecord(db, ASHA, 'profile', PROFILE_ID, 2_000);
  await profile(ROAD);
  await expect(profile(PROFILE_ID)).rejects.toThrow(TooManyRecordsError);
  await deleteRecord(db, ASHA, 'profile', ROAD, 3_000);
  await profile(PROFILE_ID);
  expect((await readRecords(db, ASHA, 'profile')).map(({ id }) => id)).toEqual([PROFILE_ID]);
});

test('a deletion is undone only where there is room for the record', async () => {
  const profile = (id: string) =>
    writeRecords(db, ASHA, [{ kind: 'profile', id, change: { raisesValues: true } }], 1_000);
  await profile(PROFILE_ID);
  await deleteRecord(db, ASHA, 'profile', PROFILE_ID, 2_000);
  await profile(ROAD);
  await expect(restoreDeletedRecord(db, ASHA, 'profile', PROFILE_ID, 3_000)).rejects.toThrow(TooManyRecordsError);
  expect((await readRecords(db, ASHA, 'profile')).map(({ id }) => id)).toEqual([ROAD]);
});

test('a change replaces a value whose stamp is later than the clock of the device', async () => {
  await bid(ASHA, ROAD, { note: 'From the server' }, 9_000);
  const clock = await readRecordClock(db);
  await writeRecordClock(db, { device: clock.device });
  await bid(ASHA, ROAD, { note: 'Mine' }, 1_000);
  const [row] = await db.records.toArray();
  expect(row?.stamps.note).toMatch(/^0000000009000-0001-/);
});

test('signing in gives the records made signed out to the user, field by field', async () => {
  await bid(ASHA, ROAD, { note: 'Account', stage: 'won' }, 10);
  await bid('', ROAD, { note: 'Signed out' }, 20);
  await bid('', BRIDGE, { note: 'Bridge' }, 20);
  await markSent(ASHA);
  await mergeRecordsAtSignIn(db, ASHA, 30);
  expect((await notes(ASHA)).sort()).toEqual(['Bridge', 'Signed out']);
  expect(await notes('')).toEqual([]);
  expect(await unsent(ASHA)).toEqual([`bid ${ROAD}`, `bid ${BRIDGE}`].sort());
});

test('what was deleted while signed out deletes nothing of the account', async () => {
  await bid(ASHA, ROAD, { note: 'Account' }, 10);
  await bid('', ROAD, { note: 'Signed out' }, 20);
  await deleteRecord(db, '', 'bid', ROAD, 30);
  await mergeRecordsAtSignIn(db, ASHA, 40);
  expect(await notes(ASHA)).toEqual(['Account']);
  expect(await db.records.where('owner').equals('').count()).toBe(0);
});

test('after a sign-out only unsent records stay, and only for their owner', async () => {
  await bid(ASHA, ROAD, { note: 'Road' });
  await markSent(ASHA);
  await bid(ASHA, BRIDGE, { note: 'Bridge' });
  await deleteRecordsAtSignOut(db, ASHA);
  expect(await notes(ASHA)).toEqual(['Bridge']);
  expect([await notes(''), await notes(RAVI)]).toEqual([[], []]);
  expect(await readRecordCursor(db, ASHA)).toBe('');
  await mergeRecordsAtSignIn(db, RAVI, 2_000);
  expect(await notes(RAVI)).toEqual([]);
  expect(await notes(ASHA)).toEqual(['Bridge']);
});

test('another user who signs in after an ended session removes the sent records of the first one', async () => {
  await bid(ASHA, ROAD, { note: 'Road' });
  await markSent(ASHA);
  await mergeRecordsAtSignIn(db, RAVI, 2_000);
  expect(await db.records.count()).toBe(0);
  // the next sign-in of the first user receives everything again
  expect(await readRecordCursor(db, ASHA)).toBe('');
});

test('another user receives all records, also after one whose session ended without any record here', async () => {
  await markSent(ASHA);
  expect(await readRecordCursor(db, ASHA)).toBe('epoch-5');
  expect(await readRecordCursor(db, RAVI)).toBe('');
});

test("deleting an account removes all its records, unsent ones too, and no other user's", async () => {
  await bid(ASHA, ROAD, { note: 'Road' });
  await bid(RAVI, BRIDGE, { note: 'Bridge' });
  await deleteRecordsOf(db, ASHA);
  expect([await notes(ASHA), await unsent(ASHA)]).toEqual([[], []]);
  expect([await notes(RAVI), await unsent(RAVI)]).toEqual([['Bridge'], [`bid ${BRIDGE}`]]);
});
