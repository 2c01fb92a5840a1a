// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { addOwnRow, markRow, removeOwnRow } from './check-actions.ts';
import { readChecks } from './checks.ts';

const ASHA = '7';
const RAVI = '8';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  signInForTest(ASHA);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const rowsOf = (owner: string) => withDatabase((db) => readChecks(db, owner, '1'));
const texts = async () => (await rowsOf(ASHA)).map(({ text }) => text);

test('Undo brings a removed row back for the user who removed it, and does nothing after another sign-in', async () => {
  await addOwnRow('1', 'NRC of the district');
  const [row] = await rowsOf(ASHA);
  if (!row) throw new Error('no row');
  await removeOwnRow(row);
  const undo = useToast.getState().current?.action?.run;
  signInForTest(RAVI);
  undo?.();
  // a write of this device waits for the one before it
  await addOwnRow('1', 'PAN of Ravi');
  expect(await texts()).toEqual([]);
  expect((await rowsOf(RAVI)).map(({ text }) => text)).toEqual(['PAN of Ravi']);
  signInForTest(ASHA);
  undo?.();
  await expect.poll(texts).toEqual(['NRC of the district']);
});

test('a checklist has at most 50 own rows; marks do not count, and a removed row makes room', async () => {
  await markRow('1', 'pan', { state: 'ready' });
  for (let nth = 1; nth <= 50; nth += 1) expect(await addOwnRow('1', `Row ${nth}`)).toBe(true);
  expect(await addOwnRow('1', 'Row 51')).toBe(false);
  expect(useToast.getState().current?.text).toBe('At most 50 documents can be added. Remove one first.');
  expect(await rowsOf(ASHA)).toHaveLength(51);
  expect(await addOwnRow('2', 'Row of another tender')).toBe(true);
  const [own] = (await rowsOf(ASHA)).filter(({ text }) => text !== undefined);
  if (own) await removeOwnRow(own);
  expect(await addOwnRow('1', 'Row 51')).toBe(true);
});

test('a row that the phone cannot remove stays, without an offer to undo', async () => {
  await addOwnRow('1', 'NRC of the district');
  const [row] = await rowsOf(ASHA);
  await withDatabase(async (db) => void vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk')));
  if (row) await removeOwnRow(row);
  const notice = useToast.getState().current;
  expect([notice?.text, notice?.action]).toEqual([
    'The mark was not saved. Free some storage and mark it again.',
    undefined,
  ]);
  vi.restoreAllMocks();
  expect(await texts()).toEqual(['NRC of the district']);
});

test('a mark that is not stored is stored when the checklist is opened again; a stored one leaves nothing behind', async () => {
  expect(await markRow('1', 'pan', { state: 'ready' })).toBe(true);
  expect(localStorage.getItem('unsaved-check ["7","1","pan"]')).toBeNull();
  useDatabaseState.setState({ state: 'unavailable' });
  expect(await markRow('1', 'epf', { state: 'missing' })).toBe(false);
  expect(useToast.getState().current?.text).toBe('This browser blocks storage, so marks cannot be saved.');
  useDatabaseState.setState({ state: 'ready' });
  expect((await rowsOf(ASHA)).map(({ key, state }) => [key, state])).toEqual([['pan', 'ready']]);
});
