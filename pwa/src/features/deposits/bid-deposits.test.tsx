import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readDeposits } from '../../data/records/deposits.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { BidDeposits } from './BidDeposits.tsx';
import { DepositNotes } from './DepositNotes.tsx';
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

const BID_ID = '5f0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a77';
const GUARANTEE_ID = '6d0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a77';
const EMD_ID = '7c0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a77';
const NOW = new Date('2026-05-10T18:30:00Z');

/** The money of a bid for which the portal asks for these rupees. */
async function openBid(
  emd: number | null,
  tenderFee: number | null,
  deposits: readonly Deposit[] = [],
  end: 'won' | 'lost' | null = null,
) {
  const ofBid = { id: BID_ID, title: 'Road', path: '/bids/1' };
  const props = { bid: ofBid, deposits, expected: { emd, tenderFee }, emdValidity: null, end, now: NOW };
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
  const bid = await openBid(null, null, [], 'lost');
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
  const props = { entries: [{ deposit: due, ...more }], now: NOW, renderLetter: () => null };
  const ledger = await openTestPage(<LedgerPanel {...props} />);
  expect(ledger.texts('dl > div')).toEqual(['Locked now₹25,000', 'Due back₹0', 'Overdue₹25,000', 'Came back₹0']);
  await ledger.press('I asked for it');
  await expect.poll(stored).toEqual([EMD]);
  await undoOf('EMD: asked for.');
  await expect.poll(stored).toEqual([due]);
});

/** Stored deposits with their parts. */
const storedDeposits = () => withDatabase((db) => readDeposits(db, ''));
const GUARANTEE = {
  ...{ id: GUARANTEE_ID, kind: 'performance', mode: 'bg', amountPaise: 50_000_033, number: 'BG-1', bank: 'SBI' },
  ...{ validUntil: '2026-07-01', claimUntil: '2027-07-01', state: 'locked' },
} satisfies Deposit;
async function saveGuarantee() {
  const { id, ...fields } = GUARANTEE;
  await saveDeposit(id, fields);
}

test('a part that came back leaves the rest, is refused above it, and can be removed', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  await saveGuarantee();
  const bid = await openBid(0, 0, [GUARANTEE]);
  await bid.press('Performance security: a part came back');
  expect(bid.field('Came back on').value).toBe('2026-05-11');
  for (const [amount, error] of [
    ['', 'Enter the amount that came back'],
    ['0', 'Enter the amount that came back'],
    ['5,00,000.34', 'Only ₹5,00,000.33 is left'],
  ] as const) {
    await bid.fill({ 'Amount that came back ₹': amount });
    await bid.press('Save');
    expect(bid.errorAt('Amount that came back ₹')).toBe(error);
  }
  await bid.fill({ 'Amount that came back ₹': '1,00,000.01' });
  await bid.press('Save');
  await expect
    .poll(async () => (await storedDeposits())[0]?.releases)
    .toMatchObject([{ depositId: GUARANTEE_ID, amountPaise: 10_000_001, releasedOn: '2026-05-11' }]);
  const after = await openBid(0, 0, await storedDeposits());
  expect(after.texts('li p').slice(0, 1)).toEqual(['Performance security ₹4,00,000.32Locked']);
  expect(after.text()).toContain('of ₹5,00,000.33');
  await after.press('Remove ₹1,00,000.01 came back 11 May 2026');
  await expect.poll(async () => (await storedDeposits())[0]?.releases).toBeUndefined();
  await undoOf('Entry removed.');
  await expect.poll(async () => (await storedDeposits())[0]?.releases).toHaveLength(1);
});

test('a renewed guarantee has its new days, with Undo', async () => {
  await saveGuarantee();
  const bid = await openBid(0, 0, [GUARANTEE]);
  await bid.press('Performance security: renewed');
  await bid.fill({ 'Renewed until': '2026-07-01', 'Claims until optional': '2026-06-01' });
  await bid.press('Save');
  expect(bid.errorAt('Renewed until')).toBe('Choose a day after 1 Jul 2026');
  await bid.fill({ 'Renewed until': '2027-01-01' });
  await bid.press('Save');
  expect(bid.errorAt('Claims until optional')).toBe('Claims end with the guarantee or later');
  await bid.fill({ 'Claims until optional': '2028-01-01' });
  await bid.press('Save');
  await expect.poll(storedDeposits).toEqual([{ ...GUARANTEE, validUntil: '2027-01-01', claimUntil: '2028-01-01' }]);
  await undoOf('Performance security: renewed until 1 Jan 2027.');
  await expect.poll(storedDeposits).toEqual([GUARANTEE]);
});

test('the EMD of a won bid continues as performance security, and that as retention money', async () => {
  const { id: _, ...fields } = EMD;
  await saveDeposit(EMD_ID, fields);
  const bid = await openBid(0, 0, await storedDeposits(), 'won');
  await bid.press('Continue as performance security');
  expect(bid.values()).toEqual(['25000', 'performance', 'fdr', 'locked']);
  await bid.fill({ 'Amount ₹': '40,000' });
  await bid.press('Save');
  await expect
    .poll(async () => (await storedDeposits()).map(({ kind, state }) => [kind, state]).sort())
    .toEqual([
      ['emd', 'adjusted'],
      ['performance', 'locked'],
    ]);
  const security = (await storedDeposits()).find(({ kind }) => kind === 'performance');
  expect(security).toMatchObject({ continues: EMD_ID, amountPaise: 4_000_000, bidId: BID_ID });
  const later = await openBid(0, 0, await storedDeposits(), 'won');
  expect(later.names()).toContain('Continue as retention money');
  expect((await openBid(0, 0, [EMD], 'lost')).names()).not.toContain('Continue as performance security');
});

test('a guarantee to renew is a note until the user hides it; the next warning and a renewal show anew', async () => {
  await saveGuarantee();
  const open = (now: Date) => openTestPage(<DepositNotes now={now} />);
  const at60 = await open(NOW);
  const text = 'The bank guarantee of your Performance security ends on 1 Jul 2026.';
  await expect.poll(at60.text).toContain(text);
  await at60.press('Hide the warning of Performance security');
  await expect.poll(at60.text).toBe('');
  const at30 = await open(new Date('2026-06-01T06:00:00Z'));
  await expect.poll(at30.text).toContain(text);
  const over = await open(new Date('2026-07-02T06:00:00Z'));
  await expect.poll(over.text).toContain('ended on 1 Jul 2026. Ask the office and the bank today.');
  await saveDeposit(GUARANTEE_ID, { validUntil: '2027-07-01' });
  for (const notes of [at30, over]) await expect.poll(notes.text).toBe('');
});
