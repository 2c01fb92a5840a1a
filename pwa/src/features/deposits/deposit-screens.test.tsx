// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { chooseSpace } from '../../data/firms/space.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { CashNeeded } from './CashNeeded.tsx';
import { DepositDialog } from './DepositDialog.tsx';
import { DepositNotes } from './DepositNotes.tsx';
import { DepositRow } from './DepositRow.tsx';
import type { Deposit } from './deposit.ts';
import { changeDeposit, removeDeposit, saveDeposit } from './deposit-actions.ts';
import { type BidLedgerEntry, LedgerPanel } from './LedgerPanel.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  useToast.setState({ current: undefined });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

// 11 May in India
const NOW = new Date('2026-05-10T18:30:00Z');
const BID_ID = '5f0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a77';
const EMD: Deposit = { id: '1', kind: 'emd', amountPaise: 2_000_050, state: 'locked' };
const stored = async (owner = '') =>
  (await withDatabase((db) => readRecords(db, owner, 'deposit'))).map(({ id, fields }) => ({ id, ...fields }));
const toast = () => useToast.getState().current;

test.each<[Partial<Deposit>, string, string[]]>([
  [
    { mode: 'fdr', number: '4711', bank: 'SBI, Rampur', paidOn: '2026-04-08' },
    'blue',
    ['EMD ₹20,000.50Locked', 'FDR (fixed deposit) · no. 4711 · SBI, Rampur · paid 8 Apr 2026'],
  ],
  [
    { state: 'asked', dueOn: '2026-05-10', amountPaise: undefined },
    'red',
    ['EMD Amount not enteredOverdue 1 day', 'Due back by 10 May 2026'],
  ],
  [{ state: 'asked', dueOn: '2026-05-01' }, 'red', ['EMD ₹20,000.50Overdue 10 days', 'Due back by 1 May 2026']],
  [{ state: 'asked', dueOn: '2026-05-11' }, 'amber', ['EMD ₹20,000.50Asked for', 'Due back by 11 May 2026']],
  [
    { state: 'returned', dueOn: '2026-05-01', returnedOn: '2026-05-09' },
    'gray',
    ['EMD ₹20,000.50Returned', 'returned 9 May 2026'],
  ],
  [{ mode: 'exempt', amountPaise: undefined, dueOn: '2026-05-01' }, 'gray', ['EMD Exempt']],
  [
    { kind: 'tender_fee', amountPaise: 59_000, mode: 'online' },
    'gray',
    ['Tender fee ₹590Fee, not returned', 'Online payment'],
  ],
  [
    { kind: 'performance', validUntil: '2026-06-10' },
    'blue',
    ['Performance security ₹20,000.50Locked', 'The instrument ends 10 Jun 2026. Extend it or get it back.'],
  ],
])('a deposit with %j is %s in its list: %j', async (fields, tone, lines) => {
  const row = <DepositRow {...({ deposit: { ...EMD, ...fields }, now: NOW } as Parameters<typeof DepositRow>[0])} />;
  const { page, texts } = await openTestPage(row);
  expect(page.querySelector('[data-tone]')?.getAttribute('data-tone')).toBe(tone);
  expect(texts('p')).toEqual(lines);
});

const VALIDITY = { text: 'Valid until 1 Jan 2027.', source: 'GFR' };

/** The form of a deposit, and how often it was closed. */
async function openDeposit(deposit: Partial<Deposit>, emdValidity: typeof VALIDITY | null = VALIDITY) {
  let closed = 0;
  const onClose = () => void closed++;
  const form = await openTestPage(
    <DepositDialog bidId={BID_ID} deposit={deposit} emdValidity={emdValidity} onClose={onClose} />,
  );
  return { ...form, closed: () => closed };
}

test('a new deposit is saved for its bid with what each field shows', async () => {
  const form = await openDeposit({ kind: 'emd' });
  expect(form.texts('h2')).toEqual(['Add deposit']);
  expect(form.names('button')).not.toContain('Remove this deposit');
  await form.fill({ Kind: 'performance', 'Amount ₹': '50,000.50', 'Paid by': 'bg', 'Paid on': '2026-04-08' });
  await form.fill({ Number: '4711', 'Bank and branch': 'SBI, Rampur', 'Valid until': '2027-04-12' });
  await form.fill({ 'Where is it?': 'returned', 'Due back on': '2026-05-01' });
  await form.fill({ 'Returned on': '2026-05-09', 'Amount returned ₹': '49,000' });
  await form.press('Save');
  await expect.poll(form.closed).toBe(1);
  expect(await stored()).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ bidId: BID_ID, kind: 'performance', amountPaise: 5_000_050, mode: 'bg', number: '4711' },
      ...{ bank: 'SBI, Rampur', paidOn: '2026-04-08', validUntil: '2027-04-12', state: 'returned' },
      ...{ dueOn: '2026-05-01', returnedOn: '2026-05-09', returnedPaise: 4_900_000 },
    },
  ]);
  expect(toast()?.text).toBe('Saved.');
});

test('the form of a deposit has all kinds, ways of payment and places, and Cancel saves nothing', async () => {
  const form = await openDeposit({ kind: 'additional' });
  const options = (label: string) =>
    [...form.field(label).querySelectorAll('option')].map(({ value, textContent }) => `${value}: ${textContent}`);
  expect(options('Kind')).toEqual([
    ...['emd: EMD', 'tender_fee: Tender fee', 'performance: Performance security', 'additional: Additional security'],
    'retention: Retention money',
  ]);
  expect(options('Paid by')).toEqual([
    ...[': Choose', 'online: Online payment', 'fdr: FDR (fixed deposit)', 'bg: Bank guarantee', 'dd: Demand draft'],
    'exempt: Exempt, nothing paid',
  ]);
  expect(options('Where is it?')).toEqual([
    ...['locked: Locked', 'due_back: Due back', 'asked: Asked for', 'returned: Returned'],
    ...['adjusted: Adjusted in the work', 'forfeited: Forfeited'],
  ]);
  expect(['Kind', 'Paid by', 'Where is it?'].map((label) => form.field(label).value)).toEqual([
    ...['additional', '', 'locked'],
  ]);
  await form.press('Cancel');
  expect([form.closed(), await stored()]).toEqual([1, []]);
});

test('a stored deposit is changed in its place, and can be removed', async () => {
  await saveDeposit('1', { bidId: BID_ID, kind: 'emd', mode: 'online', bank: 'SBI', amountPaise: 100 });
  const [deposit] = await stored();
  const form = await openDeposit(deposit ?? {});
  expect(form.texts('h2')).toEqual(['Change deposit']);
  await form.fill({ 'Amount ₹': '2', 'Bank and branch': '' });
  await form.press('Save');
  await expect.poll(form.closed).toBe(1);
  expect(await stored()).toEqual([
    { id: '1', bidId: BID_ID, kind: 'emd', mode: 'online', amountPaise: 200, state: 'locked' },
  ]);
  await form.press('Remove this deposit');
  expect(form.closed()).toBe(2);
  await expect.poll(() => stored()).toEqual([]);
  await expect.poll(() => toast()?.text).toBe('Deposit removed.');
});

const KIND_FIELDS = ['Kind', 'Amount ₹', 'Paid by', 'Paid on'];
const OBLIGATION = 'Obligation ends on completion or end of defect liability';
const STATE_FIELDS = ['Where is it?', 'Due back on'];
test.each<[Partial<Deposit>, string[], boolean]>([
  [{ kind: 'emd' }, ['Reference number', 'Bank and branch'], false],
  [{ kind: 'emd', mode: 'online' }, ['Reference number', 'Bank and branch'], false],
  [{ kind: 'emd', mode: 'exempt' }, [], false],
  [{ kind: 'emd', mode: 'fdr' }, ['Number', 'Bank and branch', 'Valid until'], true],
  [{ kind: 'emd', mode: 'bg' }, ['Number', 'Bank and branch', 'Valid until'], true],
  [{ kind: 'emd', mode: 'dd' }, ['Number', 'Bank and branch', 'Valid until'], true],
  [
    { kind: 'performance', mode: 'bg' },
    ['Number', 'Bank and branch', 'Valid until', 'Claims until optional', OBLIGATION],
    false,
  ],
  [{ kind: 'retention', mode: 'online' }, ['Reference number', 'Bank and branch', OBLIGATION], false],
])(
  'the form of a deposit with %j asks for %j, and says how long an EMD must be valid: %s',
  async (fields, asked, hasRule) => {
    const form = await openDeposit(fields);
    expect(form.texts('label')).toEqual([...KIND_FIELDS, ...asked, ...STATE_FIELDS]);
    expect(form.text().includes('Valid until 1 Jan 2027. Rule: GFR')).toBe(hasRule);
  },
);

test('an instrument of an own entry has no rule of its validity, and returned money has its day and amount', async () => {
  expect((await openDeposit({ kind: 'emd', mode: 'fdr' }, null)).text()).not.toContain('Rule:');
  const form = await openDeposit({ kind: 'emd', state: 'returned' });
  expect(form.texts('label').slice(-2)).toEqual(['Returned on', 'Amount returned ₹']);
});

test('a deposit that is not complete is refused at its fields, and stays open', async () => {
  const form = await openDeposit({ kind: 'emd' });
  await form.fill({ 'Amount ₹': 'about 25,000', 'Due back on': '0202-05-01' });
  await form.press('Save');
  expect(form.errorAt('Amount ₹')).toBe('Write rupees as a number, such as 25,00,000');
  expect(form.errorAt('Paid by')).toBe('Choose how it was paid');
  expect(form.errorAt('Due back on')).toBe('Check the year');
  expect([await stored(), form.closed()]).toEqual([[], 0]);
});

test('a full phone says so in the form, and a second press saves the deposit once', async () => {
  const form = await openDeposit({ kind: 'emd', mode: 'online', amountPaise: 100 });
  const full = await withDatabase(async (db) =>
    vi.spyOn(db.records, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError')),
  );
  const alerts = () => form.texts('[role="alert"]');
  await form.press('Save');
  await expect.poll(alerts).toEqual(['Not saved. Free some storage and try again.']);
  expect([await stored(), form.closed(), toast()]).toEqual([[], 0, undefined]);
  full.mockRestore();
  await form.press('Save');
  await expect.poll(form.closed).toBe(1);
  await form.press('Save');
  await expect.poll(form.closed).toBe(2);
  expect(await stored()).toHaveLength(1);
});

test('a change or a removal that the phone cannot store says so, offers no Undo, and an Undo may fail too', async () => {
  await saveDeposit('1', { kind: 'emd', state: 'locked' });
  const failOnce = () =>
    withDatabase(async (db) => {
      vi.spyOn(db.records, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'));
    });
  const failed = { text: 'Not saved. Free some storage and try again.' };
  const change = () => changeDeposit('1', { state: 'asked' }, { state: 'locked' }, 'EMD: asked for.');
  await failOnce();
  await change();
  expect(toast()).toEqual(failed);
  await failOnce();
  await removeDeposit('1');
  expect(toast()).toEqual(failed);
  expect(await stored()).toEqual([{ id: '1', kind: 'emd', state: 'locked' }]);

  await change();
  expect(toast()).toMatchObject({ text: 'EMD: asked for.', action: { label: 'Undo' }, passing: true });
  await failOnce();
  toast()?.action?.run();
  await expect.poll(toast).toEqual(failed);
  await removeDeposit('1');
  expect(toast()).toMatchObject({ text: 'Deposit removed.', action: { label: 'Undo' }, passing: true });
  await failOnce();
  toast()?.action?.run();
  await expect.poll(toast).toEqual(failed);
});

test('Undo of a deposit does nothing for another user', async () => {
  await saveDeposit('1', { kind: 'emd', state: 'locked' });
  await changeDeposit('1', { state: 'asked' }, { state: 'locked' }, 'EMD: asked for.');
  signInForTest('8');
  toast()?.action?.run();
  // A write waits for the one before it.
  await withDatabase((db) => db.transaction('rw', db.records, db.outbox, () => db.records.count()));
  expect(await stored('8')).toEqual([]);
  clearSession();
  expect(await stored()).toEqual([{ id: '1', kind: 'emd', state: 'asked' }]);
});

const entry = (id: string, fields: Partial<Deposit>, more: Partial<BidLedgerEntry> = {}): BidLedgerEntry => ({
  deposit: { kind: 'emd', amountPaise: 100_000, ...fields, id },
  ...{ title: `Work ${id}`, office: 'PWD', path: `/bids/${id}`, sourceTenderId: `2026_PWD_${id}` },
  ...{ isLost: true, submittedAt: undefined },
  ...more,
});
const LEDGER = [
  entry('1', { state: 'locked', amountPaise: undefined }),
  entry('2', { state: 'due_back', dueOn: '2026-06-01' }, { office: '' }),
  entry('3', { state: 'asked', dueOn: '2026-05-01', amountPaise: 500_000 }, { path: null }),
  entry('4', { kind: 'additional', state: 'due_back', dueOn: '2026-04-01' }, { office: 'Jal Shakti' }),
  entry('5', { state: 'returned', returnedPaise: 700_000 }),
];
const openLedger = (entries: BidLedgerEntry[]) =>
  openTestPage(
    <LedgerPanel
      entries={entries}
      now={NOW}
      renderLetter={({ title }, onClose) => <button type="button" onClick={onClose}>{`Letter of ${title}`}</button>}
    />,
  );

test('the ledger has its money by place and by office, and what can be done with each', async () => {
  const ledger = await openLedger(LEDGER);
  expect(ledger.texts('dl > div')).toEqual(['Locked now₹7,000', 'Due back₹1,000', 'Overdue₹6,000', 'Came back₹7,000']);
  expect(ledger.texts('h3')).toEqual(['Overdue', 'Due back', 'Locked', 'By office']);
  const rows = [...ledger.page.querySelectorAll('li')].map((row) => [
    row.querySelector('p:nth-of-type(2)')?.textContent,
    row.querySelector('a')?.getAttribute('href'),
    [...row.querySelectorAll('button:not([popovertarget])')].map(({ textContent }) => textContent),
  ]);
  expect(rows).toEqual([
    ['Work 4 · Jal Shakti', '/bids/4#money', ['Letter', 'I asked for it', 'It came back']],
    ['Work 3 · PWD', undefined, ['Letter', 'It came back']],
    ['Work 2', '/bids/2#money', ['Letter', 'I asked for it', 'It came back']],
    ['Work 1 · PWD', '/bids/1#money', ['It came back']],
  ]);
  expect(ledger.text()).toContain('Without an amount, so not in the sums: 1.');
  expect(ledger.texts('tbody tr')).toEqual([
    'PWD₹5,000₹0₹5,000',
    'No office entered₹1,000₹1,000₹0',
    'Jal Shakti₹1,000₹0₹1,000',
  ]);
});

test('a ledger without held money says so, and has no offices', async () => {
  const ledger = await openLedger(LEDGER.slice(4));
  expect(ledger.texts('dl > div')).toEqual(['Locked now₹0', 'Due back₹0', 'Overdue₹0', 'Came back₹7,000']);
  expect(ledger.text()).toContain("No office holds your money. Enter an EMD on a bid's page.");
  expect(ledger.text()).not.toContain('Without an amount');
  expect(ledger.page.querySelector('[data-tone="red"], li, table')).toBeNull();
});

test('the letter is that of its deposit, and closes', async () => {
  const ledger = await openLedger(LEDGER);
  await ledger.press('Letter', 1);
  expect(ledger.hasButton('Letter of Work 3')).toBe(true);
  await ledger.press('Letter of Work 3');
  expect(ledger.hasButton('Letter of Work 3')).toBe(false);
});

test("the dashboard has the sum of the user's overdue money, and says nothing without any", async () => {
  const dueOn = '2026-05-10';
  await saveDeposit('1', { kind: 'emd', amountPaise: 2_000_050, state: 'due_back', dueOn });
  await saveDeposit('2', { kind: 'emd', amountPaise: 100_000, state: 'asked', dueOn });
  await saveDeposit('3', { kind: 'emd', amountPaise: 700, state: 'due_back', dueOn: '2026-05-11' });
  const note = await openTestPage(<DepositNotes now={NOW} />);
  await expect.poll(note.text).toBe('₹21,000.50 is overdue. Ask for it with a ready letter');
  expect(note.page.querySelector('a')?.getAttribute('href')).toBe('/dashboard/analytics');
  for (const id of ['1', '2']) await saveDeposit(id, { amountPaise: null });
  await expect.poll(note.text).toBe('A deposit is overdue. Ask for it with a ready letter');
  for (const id of ['1', '2']) await saveDeposit(id, { state: 'returned' });
  await expect.poll(note.text).toBe('');
});

test("in a firm's space the dashboard has the overdue money of the firm", async () => {
  signInForTest('asha');
  const overdue = { kind: 'emd', state: 'due_back', dueOn: '2026-05-10' } as const;
  await saveDeposit('1', { ...overdue, amountPaise: 100_000 });
  chooseSpace('hills');
  onTestFinished(() => chooseSpace(undefined));
  await saveDeposit('2', { ...overdue, amountPaise: 200_000 });
  const note = await openTestPage(<DepositNotes now={NOW} />);
  await expect.poll(note.text).toBe('₹2,000 is overdue. Ask for it with a ready letter');
});

test('the cash of a bid is at the rate that the user types, and names what is not counted', async () => {
  const tender = testTenderDetail({
    ...{ state: 'Delhi', department: 'CPWD', price: 10_000_000, emd: '200000.00', tender_fee: '2000.00' },
    ...{ published_date: '2026-03-01T04:30:00Z', bid_validity_days: 120 },
  });
  const cash = await openTestPage(<CashNeeded tender={tender} ratePercent={-25.004} />);
  const sum = () => cash.texts('[role="status"]')[0];
  const lines = () => cash.texts('li > p');
  expect(cash.field('My rate, % 10 below: -10').value).toBe('-25');
  expect(lines()).toEqual([
    'EMD₹2,00,000',
    'Tender fee₹2,000',
    'Performance security₹5,00,000',
    'Additional security for a low bid₹5,00,000',
  ]);
  expect(sum()).toBe('Together ₹12,02,000');
  expect(cash.texts('small')).toContain('Rule: CPWD tender documents. Check the NIT.');
  expect(cash.texts('li:first-child small').at(-1)).toMatch(
    /^An FDR or bank guarantee must be valid until 27 Sep 2026/,
  );
  await cash.fill({ 'My rate, % 10 below: -10': '\u221210 %', 'Performance, % of the NIT': '3' });
  expect(lines().slice(2)).toEqual(['Performance security₹2,70,000', 'Additional security for a low bid₹0']);
  for (const rate of ['', 'ten', '-100.5', '1001']) {
    await cash.fill({ 'My rate, % 10 below: -10': rate });
    expect(sum()).toBe('At least ₹2,02,000');
    expect(cash.text()).toContain('Not counted: Performance security, Additional security for a low bid.');
  }
  await cash.fill({ 'My rate, % 10 below: -10': '0', 'Performance, % of the NIT': '-3' });
  expect(lines()[2]).toBe('Performance security₹5,00,000');
});

test('a tender without an EMD has no rule of its validity, and an unknown amount is not zero', async () => {
  const props = { tender: testTenderDetail({ emd: '0.00' }), ratePercent: null };
  const cash = await openTestPage(<CashNeeded {...props} />);
  expect(cash.text()).not.toContain('FDR');
  expect(cash.field('My rate, % 10 below: -10').value).toBe('');
  expect(cash.texts('li > p')).toEqual([
    'EMD₹0',
    'Tender fee₹500',
    'Performance securityNot known',
    'Additional security for a low bidNot known',
  ]);
});
