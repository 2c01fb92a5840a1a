// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { addOwnRow, removeOwnRow } from './check-actions.ts';
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
