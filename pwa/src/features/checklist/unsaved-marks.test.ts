import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { changeCheck, readChecks } from './checks.ts';
import { recordMark, storeUnsavedMarks } from './unsaved-marks.ts';

let db: DeviceDatabase;
beforeEach(() => {
  localStorage.clear();
  db = new DeviceDatabase('unsaved marks');
});
afterEach(() => db.delete());

const marks = async (owner: string, tenderId: string) =>
  (await readChecks(db, owner, tenderId)).map(({ key, state }) => `${key} ${state}`);

test('a mark whose page was left before it was stored is stored when the checklist is opened again, once', async () => {
  recordMark(['7', '1', 'A copy of “PAN”, signed'], { state: 'ready' }, 1000);
  recordMark(['7', '1', 'gst'], { state: 'missing' }, 1000);
  await storeUnsavedMarks(db, '7', '1');
  expect((await marks('7', '1')).sort()).toEqual(['A copy of “PAN”, signed ready', 'gst missing']);
  expect(localStorage).toHaveLength(0);
});

test('a recorded mark belongs to one user and one tender', async () => {
  recordMark(['7', '1', 'pan'], { state: 'ready' }, 1000);
  await storeUnsavedMarks(db, '8', '1');
  await storeUnsavedMarks(db, '7', '12');
  expect(await db.records.count()).toBe(0);
  expect(localStorage).toHaveLength(1);
});

test('a recorded mark does not replace a later one', async () => {
  recordMark(['', '1', 'pan'], { state: 'ready' }, 1000);
  await changeCheck(db, ['', '1', 'pan'], { state: 'missing' }, 2000);
  await storeUnsavedMarks(db, '', '1');
  expect(await marks('', '1')).toEqual(['pan missing']);
  expect(localStorage).toHaveLength(0);
});

test('a stored mark leaves no record, and its page leaves a later record', () => {
  const forget = recordMark(['', '1', 'pan'], { state: 'ready' }, 1000);
  recordMark(['', '1', 'pan'], { state: null }, 1001);
  forget();
  expect(localStorage).toHaveLength(1);
  recordMark(['', '1', 'pan'], { state: null }, 1002)();
  expect(localStorage).toHaveLength(0);
});
