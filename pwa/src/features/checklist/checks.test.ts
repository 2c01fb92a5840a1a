// @vitest-environment node
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckRow } from '../../data/bid-documents/checklist-rows.ts';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { deleteRecordsOf, mergeRecordsAtSignIn } from '../../data/records/record-rows.ts';
import { changeCheck, deleteCheck, readChecks, restoreCheck, withPending } from './checks.ts';

const ASHA = '7';
const RAVI = '8';

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('checks');
});
afterEach(() => db.delete());

const mark = (owner: string, key: string, change: Partial<CheckRow>, now = 1000, tenderId = '1') =>
  changeCheck(db, [owner, tenderId, key], { state: 'ready', ...change }, now);
const marks = async (owner: string, tenderId = '1') =>
  (await readChecks(db, owner, tenderId)).map(({ key, state, validUntil }) =>
    `${key} ${state} ${validUntil ?? ''}`.trim(),
  );

test('a mark belongs to one tender and one user', async () => {
  await mark(ASHA, 'pan', {});
  expect(await marks(ASHA)).toEqual(['pan ready']);
  expect(await marks(ASHA, '2')).toEqual([]);
  expect(await marks(RAVI)).toEqual([]);
  expect(await marks('')).toEqual([]);
});

test('a mark of an own entry belongs to its bid', async () => {
  const bidId = '0f8fad5b-d9cb-469f-a165-70867728950e';
  await mark(ASHA, 'pan', {}, 1000, bidId);
  expect(await marks(ASHA, bidId)).toEqual(['pan ready']);
  expect((await db.records.toArray()).map(({ fields }) => fields)).toEqual([{ bidId, kind: 'pan', state: 'ready' }]);
});

test('a mark that is removed leaves no row', async () => {
  await mark('', 'pan', {});
  await mark('', 'pan', { state: null });
  expect(await marks('')).toEqual([]);
  // a new mark has nothing of the removed one
  await mark('', 'pan', { validUntil: '2026-04-15' });
  await mark('', 'pan', { state: null });
  await mark('', 'pan', { state: 'missing' });
  expect(await marks('')).toEqual(['pan missing']);
});

test('the last day of validity stays when another state is chosen, and an emptied one is removed', async () => {
  await mark('', 'enlistment', { validUntil: '2026-04-15' });
  await mark('', 'enlistment', { state: 'missing' });
  await mark('', 'enlistment', {});
  expect(await marks('')).toEqual(['enlistment ready 2026-04-15']);
  await mark('', 'enlistment', { validUntil: '' });
  expect(await marks('')).toEqual(['enlistment ready']);
});

test('another choice keeps neither the reason nor the document of the one before', async () => {
  const documentId = '00000000-0000-4000-8000-000000000001';
  await mark('', 'pan', { documentId });
  await mark('', 'pan', { state: 'not_needed', reason: 'Only if applicable' });
  expect(await readChecks(db, '', '1')).toMatchObject([{ state: 'not_needed', reason: 'Only if applicable' }]);
  await mark('', 'pan', {});
  expect(await readChecks(db, '', '1')).toEqual([{ owner: '', tenderId: '1', key: 'pan', state: 'ready', at: 1000 }]);
});

test('a new choice sends its own fields only, so that a date of another device stays', async () => {
  await mark(ASHA, 'enlistment', { validUntil: '2026-04-15' }, 1000);
  const [before] = await db.records.toArray();
  await mark(ASHA, 'enlistment', { state: 'missing' }, 2000);
  const [after] = await db.records.toArray();
  expect(after?.stamps.validUntil).toBe(before?.stamps.validUntil);
  expect(after?.stamps.state).not.toBe(before?.stamps.state);
});

test('a mark shows at once, while it is stored, and changes no other row', () => {
  const row = (key: string, changes: Partial<CheckRow> = {}): CheckRow => ({
    ...{ owner: ASHA, tenderId: '1', key, state: 'ready', at: 5 },
    ...changes,
  });
  const stored = [row('enlistment', { validUntil: '2026-04-15' }), row('pan'), row('own:1', { text: 'Camp plan' })];
  const pending = new Map([
    ['enlistment', { state: 'missing' }],
    ['pan', { state: null }],
    ['own:1', { state: null }],
    ['epf', { state: 'ready' }],
  ] as const);
  expect(
    withPending(stored, '1', pending).map(({ key, state, validUntil, text }) => [key, state, validUntil, text]),
  ).toEqual([
    ['enlistment', 'missing', '2026-04-15', undefined],
    ['own:1', null, undefined, 'Camp plan'],
    ['epf', 'ready', undefined, undefined],
  ]);
});

test('an own row stays without a mark, in its place, until it is removed', async () => {
  await mark('', 'own:1', { state: null, text: 'Hill allowance letter' }, 1);
  await mark('', 'own:2', { state: null, text: 'Camp plan' }, 2);
  await mark('', 'own:1', {}, 3);
  await mark('', 'own:1', { state: null }, 4);
  expect(await marks('')).toEqual(['own:1 null', 'own:2 null']);
  const [own] = await readChecks(db, '', '1');
  await deleteCheck(db, '', '1', 'own:1', 5);
  expect(await marks('')).toEqual(['own:2 null']);
  if (own) await restoreCheck(db, own, 6);
  expect(await marks('')).toEqual(['own:1 null', 'own:2 null']);
});

test('marks made signed out stay after a sign-in; of two marks of one row the newer one stays', async () => {
  await mark(ASHA, 'pan', { state: 'missing' }, 10);
  await mark('', 'pan', {}, 20);
  await mark('', 'epf', {}, 20);
  await mark('', 'itr', {}, 20);
  await mark(RAVI, 'gst_registration', {}, 20);
  await mark(ASHA, 'epf', { state: 'missing' }, 30);
  await mergeRecordsAtSignIn(db, ASHA, 40);
  expect((await marks(ASHA)).sort()).toEqual(['epf missing', 'itr ready', 'pan ready']);
  expect(await marks('')).toEqual([]);
  expect(await marks(RAVI)).toEqual(['gst_registration ready']);
});

test("deleting an account removes its user's marks only", async () => {
  await mark(ASHA, 'pan', {});
  await mark(RAVI, 'pan', {});
  await deleteRecordsOf(db, ASHA);
  expect(await marks(ASHA)).toEqual([]);
  expect(await marks(RAVI)).toEqual(['pan ready']);
});
