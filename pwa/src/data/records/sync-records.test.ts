// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../device/database.ts';
import { clearSession } from '../session.ts';
import { signInForTest } from '../test-session.ts';
import { noteNewestCursor } from './newest-cursor.ts';
import { readRecordCursor, writeRecordCursor, writeRecords } from './record-rows.ts';
import { syncRecords } from './sync-records.ts';

const ROAD = recordIdFor('bid', 'road');

/** The methods of the requests and the ids of the records in them. */
let calls: string[];
let result: object;

beforeEach(() => {
  calls = [];
  result = { result: 'accepted' };
  noteNewestCursor('7', 'one.2');
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') {
      calls.push('GET');
      return Response.json({ records: [], cursor: 'one.9', more: false });
    }
    const { records }: { records: { kind: string; id: string }[] } = await request.json();
    calls.push(...records.map(({ id }) => `POST ${id}`));
    const results = records.map(({ kind, id }) => ({ kind, id, ...result }));
    return Response.json({ results, now: 1_000, before: 'one.0', after: 'one.2' });
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  noteNewestCursor('7', 'one.2');
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const save = (owner: string) =>
  withDatabase((db) => writeRecords(db, owner, [{ kind: 'bid', id: ROAD, change: { note: 'Road' } }], 1_000));
const refusalOf = (owner: string) => withDatabase(async (db) => (await db.records.get([owner, 'bid', ROAD]))?.refusal);

test('a record that the server refused is sent once more at the next start, and that of another user waits', async () => {
  await save('8');
  await withDatabase((db) => db.records.toCollection().modify({ refusal: 'Too many' }));
  await save('7');
  signInForTest('7');
  result = { result: 'refused', message: 'Too many' };
  await syncRecords();
  expect([calls, await refusalOf('7')]).toEqual([[`POST ${ROAD}`], 'Too many']);
  result = { result: 'accepted' };
  await syncRecords();
  expect([calls, await refusalOf('7')]).toEqual([[`POST ${ROAD}`, `POST ${ROAD}`], null]);
  expect(await refusalOf('8')).toBe('Too many');
});

test('records are exchanged when the device or the server has a new one, and signed out never', async () => {
  await save('');
  // the device has all that the server has
  await withDatabase((db) => writeRecordCursor(db, '7', 'one.2'));
  await syncRecords();
  expect(calls).toEqual([]);
  signInForTest('7');
  // a record made signed out
  await syncRecords();
  expect(calls).toEqual([`POST ${ROAD}`]);
  await syncRecords();
  expect(calls).toHaveLength(1);
  noteNewestCursor('7', 'one.9');
  await expect.poll(() => withDatabase((db) => readRecordCursor(db, '7'))).toBe('one.9');
  expect(calls).toEqual([`POST ${ROAD}`, 'GET']);
});
