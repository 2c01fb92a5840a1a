import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { BidDeposits } from './BidDeposits.tsx';
import type { Deposit } from './deposit.ts';
import { removeDeposit, saveDeposit } from './deposit-actions.ts';
import { LedgerPanel } from './LedgerPanel.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const NOW = new Date('2026-05-10T18:30:00Z');

/** The money of a bid for which the portal asks for these rupees. */
async function openBid(emd: number | null, tenderFee: number | null, deposits: Deposit[] = [], isLost = false) {
  const props = { bidId: '1', deposits, expected: { emd, tenderFee }, emdValidity: null, isLost, now: NOW };
  const bid = await openTestPage(<BidDeposits {...props} />);
  return {
    ...bid,
    buttons: () => bid.texts('button'),
    values: () => ['Amount ₹', 'Kind', 'Paid by', 'Where is it?'].map((label) => bid.field(label).value),
  };
}

test.each([
  ['Add EMD', 'emd', '4020.15'],
  ['Add tender fee', 'tender_fee', '590'],
  ['Add other deposit', 'performance', ''],
])('%s opens the form with the amount that the portal asks for', async (name, kind, amount) => {
  const bid = await openBid(4_020.15, 590);
  await bid.press(name);
  expect(bid.values()).toEqual([amount, kind, '', 'locked']);
});

test('the EMD of a lost bid is due back', async () => {
  const bid = await openBid(null, null, [], true);
  await bid.press('Add EMD');
  expect(bid.values()).toEqual(['', 'emd', '', 'due_back']);
});

test('money that is not asked for, or is entered already, is not offered', async () => {
  const other = 'Add other deposit';
  expect((await openBid(0, 590)).buttons()).toEqual(['Add tender fee', other]);
  expect((await openBid(25_000, 0)).buttons()).toEqual(['Add EMD', other]);
  const emd: Deposit = { id: '1', kind: 'emd', amountPaise: 2_500_000, mode: 'fdr', state: 'returned' };
  expect((await openBid(25_000, 590, [emd])).buttons()).toEqual(['EMD', 'Change', 'Add tender fee', other]);
});

const stored = async () =>
  (await withDatabase((db) => readRecords(db, '', 'deposit')))
    .map(({ id, fields }) => ({ id, ...fields }))
    .sort((one, other) => one.id.localeCompare(other.id));
const undoOf = async (text: string) => {
  await expect.poll(() => useToast.getState().current?.text).toBe(text);
  useToast.getState().current?.action?.run();
};
const EMD: Deposit = { id: '1', kind: 'emd', amountPaise: 2_500_000, mode: 'fdr', state: 'asked', dueOn: '2026-05-01' };
const OTHER: Deposit = { id: '2', kind: 'performance', state: 'locked' };
const saveBoth = async () => {
  for (const { id, ...fields } of [EMD, OTHER]) await saveDeposit(id, fields);
};

test('money that came back is returned on this Indian day, and Undo brings its state back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  await saveBoth();
  const bid = await openBid(0, 0, [EMD]);
  await bid.press('It came back');
  await expect.poll(stored).toEqual([{ ...EMD, state: 'returned', returnedOn: '2026-05-11' }, OTHER]);
  await undoOf('EMD came back.');
  await expect.poll(stored).toEqual([EMD, OTHER]);
});

test('a deposit is removed alone, and comes back by Undo', async () => {
  await saveBoth();
  await removeDeposit('1');
  expect(await stored()).toEqual([OTHER]);
  await undoOf('Deposit removed.');
  await expect.poll(stored).toEqual([{ ...EMD, restored: true }, OTHER]);
});

test('overdue money of the ledger can be asked for, and Undo makes it due again', async () => {
  const due: Deposit = { ...EMD, state: 'due_back' };
  const { id, ...fields } = due;
  await saveDeposit(id, fields);
  const more = { title: 'Road', office: 'PWD', path: null, sourceTenderId: null, isLost: true, submittedAt: undefined };
  const props = { entries: [{ deposit: due, ...more }], now: NOW, firm: '', renderCopy: () => null };
  const ledger = await openTestPage(<LedgerPanel {...props} />);
  expect(ledger.texts('dl > div')).toEqual(['Locked now₹25,000', 'Due back₹0', 'Overdue₹25,000', 'Came back₹0']);
  await ledger.press('I asked for it');
  await expect.poll(stored).toEqual([EMD]);
  await undoOf('EMD: asked for.');
  await expect.poll(stored).toEqual([due]);
});
