import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { changeCheck, readChecks } from './checks.ts';
import { noteMark, storeNotedMarks } from './noted-marks.ts';

let db: DeviceDatabase;
beforeEach(() => {
  localStorage.clear();
  db = new DeviceDatabase('noted marks');
});
afterEach(() => db.delete());

const marks = async (owner: string, tenderId: string) =>
  (await readChecks(db, owner, tenderId)).map(({ key, state }) => `${key} ${state}`);

test('a mark whose page was left before it was stored is stored when the checklist is opened again, once', async () => {
  noteMark(['7', '1', 'A copy of “PAN”, signed'], { state: 'ready' }, 1000);
  noteMark(['7', '1', 'gst'], { state: 'missing' }, 1000);
  await storeNotedMarks(db, '7', '1');
  expect((await marks('7', '1')).sort()).toEqual(['A copy of “PAN”, signed ready', 'gst missing']);
  expect(localStorage).toHaveLength(0);
});

test('a noted mark belongs to one user and one tender', async () => {
  noteMark(['7', '1', 'pan'], { state: 'ready' }, 1000);
  await storeNotedMarks(db, '8', '1');
  await storeNotedMarks(db, '7', '12');
  expect(await db.records.count()).toBe(0);
  expect(localStorage).toHaveLength(1);
});

test('a noted mark does not replace a later one', async () => {
  noteMark(['', '1', 'pan'], { state: 'ready' }, 1000);
  await changeCheck(db, ['', '1', 'pan'], { state: 'missing' }, 2000);
  await storeNotedMarks(db, '', '1');
  expect(await marks('', '1')).toEqual(['pan missing']);
  expect(localStorage).toHaveLength(0);
});

test('a stored mark leaves no note, and its page leaves a later note', () => {
  const forget = noteMark(['', '1', 'pan'], { state: 'ready' }, 1000);
  noteMark(['', '1', 'pan'], { state: null }, 1001);
  forget();
  expect(localStorage).toHaveLength(1);
  noteMark(['', '1', 'pan'], { state: null }, 1002)();
  expect(localStorage).toHaveLength(0);
});
