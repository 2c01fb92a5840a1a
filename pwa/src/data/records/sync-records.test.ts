// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, DatabaseUnavailableError, useDatabaseState, withDatabase } from '../device/database.ts';
import { clearSession } from '../session.ts';
import { signInForTest } from '../test-session.ts';
import { newestCursor, noteNewestCursor, watchNewestCursor } from './newest-cursor.ts';
import {
  InvalidRecordError,
  readRecordCursor,
  TooManyRecordsError,
  writeRecordCursor,
  writeRecords,
} from './record-rows.ts';
import { recordPresence, removeRecord, restoreRecord, saveFailureText, saveRecord } from './records.ts';
import { onRecordRefused, reportRefusal } from './refusals.ts';
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

test('what is saved, deleted or restored is sent at once for the signed-in user', async () => {
  signInForTest('7');
  const sent = (count: number) => expect.poll(() => calls.length).toBe(count);
  await saveRecord('bid', ROAD, { note: 'Road' }, 1_000);
  await sent(1);
  expect(await recordPresence('bid', ROAD)).toBe('present');
  await removeRecord('bid', ROAD, 2_000);
  await sent(2);
  expect(await recordPresence('bid', ROAD)).toBe('deleted');
  await restoreRecord('bid', ROAD, 3_000);
  await sent(3);
  expect(await recordPresence('bid', ROAD)).toBe('present');
  expect(await recordPresence('bid', recordIdFor('bid', 'bridge'))).toBe('unknown');
  expect(await recordPresence('deposit', ROAD)).toBe('unknown');
  expect(calls).toEqual(Array(3).fill(`POST ${ROAD}`));
});

test('why a record was not saved: its limits, the browser, or a full storage', () => {
  const texts = [
    new TooManyRecordsError('At most 2000 records of this kind'),
    new InvalidRecordError('note: At most 4000 characters'),
    new DatabaseUnavailableError('x'),
    new DOMException('full', 'QuotaExceededError'),
  ].map((error) => saveFailureText(error, 'bids'));
  expect(texts).toEqual([
    'At most 2000 records of this kind.',
    'note: At most 4000 characters.',
    'This browser blocks storage, so bids cannot be saved.',
    'Not saved. Free some storage and try again.',
  ]);
  useDatabaseState.setState({ isFull: true });
  expect(saveFailureText(new DatabaseUnavailableError('x'), 'deposits')).toBe(
    'The storage of this phone is full, so deposits cannot be saved.',
  );
  useDatabaseState.setState({ isFull: undefined });
});

test('each reason of the server is shown once', () => {
  const shown: string[] = [];
  onRecordRefused((reason) => shown.push(reason));
  for (const reason of ['Too long: one', 'Too long: two', 'Too long: one']) reportRefusal(reason);
  expect(shown).toEqual(['Too long: one', 'Too long: two']);
});

test('the newest cursor is that of the user, and only another one is news', () => {
  let news = 0;
  watchNewestCursor(() => {
    news += 1;
  });
  noteNewestCursor('7', 'one.3');
  expect([newestCursor('7'), newestCursor('8'), news]).toEqual(['one.3', '', 1]);
  noteNewestCursor('7', 'one.3');
  noteNewestCursor('7', undefined);
  noteNewestCursor('', 'one.4');
  expect([newestCursor('7'), news]).toEqual(['one.3', 1]);
  noteNewestCursor('8', 'one.3');
  expect([newestCursor('7'), newestCursor('8'), news]).toEqual(['', 'one.3', 2]);
  watchNewestCursor(() => undefined);
});
