// @vitest-environment node
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { parse } from 'valibot';
import { expect, test } from 'vitest';
import { type Deposit, daysOverdue, endsSoon, isHeld, lostEmd, placeOf } from './deposit.ts';
import { DepositForm, depositTexts, shownDepositTexts } from './deposit-form.ts';
import { shortInstruments } from './instrument-validity.ts';
import { type LedgerEntry, ledgerOf, moneyOfBid } from './ledger.ts';
import { depositSheetLine } from './sheet-line.ts';

// 11 May in India
const NOW = new Date('2026-05-10T18:30:00Z');
const EMD: Deposit = { id: 'emd', kind: 'emd', amountPaise: 2_000_000, mode: 'fdr', state: 'locked' };

test.each<[Partial<Deposit>, string]>([
  [{}, 'locked'],
  [{ state: 'due_back', dueOn: '2026-05-11' }, 'due'],
  [{ state: 'due_back', dueOn: '2026-05-10' }, 'overdue'],
  [{ state: 'asked', dueOn: '2026-05-10' }, 'overdue'],
  [{ state: 'asked' }, 'due'],
  [{ state: 'locked', dueOn: '2026-05-10' }, 'overdue'],
  [{ state: 'returned', dueOn: '2026-05-10' }, 'done'],
  [{ state: 'adjusted' }, 'done'],
  [{ state: 'forfeited' }, 'done'],
  [{ mode: 'exempt' }, 'done'],
  [{ kind: 'tender_fee' }, 'done'],
  [{ kind: 'performance' }, 'locked'],
])('a deposit with %j is %s', (fields, place) => {
  const deposit = { ...EMD, ...fields };
  expect(placeOf(deposit, NOW)).toBe(place);
  expect(isHeld(deposit)).toBe(place !== 'done');
});

test('days are counted from the day on which the money was due', () => {
  expect(daysOverdue({ ...EMD, dueOn: '2026-05-11' }, NOW)).toBe(0);
  expect(daysOverdue({ ...EMD, dueOn: '2026-05-01' }, NOW)).toBe(10);
  expect(daysOverdue(EMD, NOW)).toBe(0);
});

test.each([
  ['2026-06-10', true],
  ['2026-06-11', false],
  ['2026-05-01', true],
  [undefined, false],
])('an instrument until %s ends soon: %s', (validUntil, ends) => {
  expect(endsSoon({ ...EMD, validUntil }, NOW)).toBe(ends);
  expect(endsSoon({ ...EMD, validUntil, state: 'returned' }, NOW)).toBe(false);
});

const entry = (id: string, office: string, fields: Partial<Deposit>): LedgerEntry => ({
  deposit: { ...EMD, ...fields, id },
  title: id,
  office,
});

test('the ledger sums what offices hold, by where it is', () => {
  const ledger = ledgerOf(
    [
      entry('locked', 'PWD', {}),
      entry('due', 'PWD', { state: 'due_back', dueOn: '2026-05-20', amountPaise: 100 }),
      entry('overdue', 'Jal Shakti', { state: 'asked', dueOn: '2026-05-01', amountPaise: 5_000_000 }),
      entry('earlier', 'Jal Shakti', { state: 'due_back', dueOn: '2026-04-01', amountPaise: undefined }),
      entry('back', 'PWD', { state: 'returned', returnedPaise: 1_900_000 }),
      entry('fee', 'PWD', { kind: 'tender_fee' }),
    ],
    NOW,
  );
  expect(ledger.sums).toEqual({ held: 7_000_100, locked: 2_000_000, due: 100, overdue: 5_000_000 });
  expect(ledger.offices).toEqual([
    { office: 'Jal Shakti', sums: { held: 5_000_000, locked: 0, due: 0, overdue: 5_000_000 } },
    { office: 'PWD', sums: { held: 2_000_100, locked: 2_000_000, due: 100, overdue: 0 } },
  ]);
  expect(ledger.overdue.map(({ title }) => title)).toEqual(['earlier', 'overdue']);
  expect(ledger.returned).toBe(1_900_000);
  expect(ledger.unknownAmounts).toBe(1);
});

test('the ledger lists what is due, locked and ending, by the day on which it is due', () => {
  const dated = (id: string, dueOn: string, amountPaise: number) =>
    entry(id, 'PWD', { state: 'due_back', dueOn, amountPaise });
  const ledger = ledgerOf(
    [
      entry('asked', 'PWD', { state: 'asked' }),
      dated('later', '2026-05-21', 300),
      dated('small', '2026-05-20', 100),
      dated('large', '2026-05-20', 200),
      entry('locked', 'PWD', { validUntil: '2026-07-01' }),
      entry('ends', 'PWD', { validUntil: '2026-05-20' }),
      entry('ended', 'PWD', { state: 'due_back', dueOn: '2026-05-30', validUntil: '2026-05-01' }),
      entry('back', 'PWD', { state: 'returned', validUntil: '2026-05-20' }),
    ],
    NOW,
  );
  const titles = (entries: readonly LedgerEntry[]) => entries.map(({ title }) => title);
  expect(titles(ledger.due)).toEqual(['large', 'small', 'later', 'ended', 'asked']);
  expect(titles(ledger.locked)).toEqual(['ends', 'locked']);
  expect(titles(ledger.ending)).toEqual(['ended', 'ends']);
  expect(titles(ledger.overdue)).toEqual([]);
});

test('the form of a deposit has each of its fields, and saves what it shows', () => {
  const fields = {
    kind: 'performance',
    amountPaise: 5_000_050,
    mode: 'bg',
    number: '4711',
    bank: 'SBI, Rampur',
    paidOn: '2026-04-08',
    validUntil: '2027-04-12',
    claimUntil: '2028-04-12',
    obligationUntil: '2027-03-31',
    state: 'returned',
    dueOn: '2026-05-01',
    returnedOn: '2026-05-09',
    returnedPaise: 4_900_000,
  } as const;
  const texts = depositTexts(fields);
  expect(texts).toEqual({ ...fields, amountPaise: '50000.5', returnedPaise: '49000' });
  expect(parse(DepositForm, texts)).toEqual(fields);
  expect(parse(DepositForm, { ...texts, amountPaise: '', number: '', dueOn: '' })).toEqual({
    ...fields,
    ...{ amountPaise: null, number: null, dueOn: null },
  });
});

test('a deposit that is exempt, paid online or not returned keeps nothing of fields that its form does not show', () => {
  const texts = {
    ...depositTexts({ kind: 'emd', state: 'returned', mode: 'fdr', number: '4711', bank: 'SBI, Rampur' }),
    ...{ validUntil: '0202-04-12', returnedOn: '2026-05-09', returnedPaise: '49000' },
  };
  expect(shownDepositTexts(texts)).toEqual(texts);
  const saved = (changed: object) => parse(DepositForm, shownDepositTexts({ ...texts, ...changed }));
  expect(saved({ mode: 'online' })).toMatchObject({ number: '4711', bank: 'SBI, Rampur', validUntil: null });
  expect(saved({ mode: 'exempt' })).toMatchObject({ number: null, bank: null, validUntil: null });
  expect(saved({ mode: 'exempt', state: 'asked' })).toMatchObject({ returnedOn: null, returnedPaise: null });
});

test('the money of one bid is what the office holds and what it returned', () => {
  const deposits: Deposit[] = [
    EMD,
    { ...EMD, id: 'asked', state: 'asked', amountPaise: 100 },
    { ...EMD, id: 'back', state: 'returned', returnedPaise: 1_900_000 },
    { ...EMD, id: 'whole', state: 'returned' },
    { ...EMD, id: 'lost', state: 'forfeited' },
    { ...EMD, id: 'fee', kind: 'tender_fee' },
    { id: 'unknown', kind: 'performance' },
  ];
  expect(moneyOfBid(deposits)).toEqual({ heldPaise: 2_000_100, returnedPaise: 3_900_000 });
});

test.each<[Partial<Deposit>, string]>([
  [
    {
      kind: 'emd',
      amountPaise: 5_000_000,
      mode: 'fdr',
      number: '1234',
      bank: 'SBI',
      paidOn: '2026-04-12',
      validUntil: '2027-04-12',
    },
    'EMD: ₹50,000, FDR (fixed deposit), No. 1234, SBI, paid 12 Apr 2026, valid till 12 Apr 2027',
  ],
  [{ kind: 'tender_fee', amountPaise: 50_000 }, 'Tender fee: ₹500, day of payment not entered'],
  [{ kind: 'emd', mode: 'exempt' }, 'EMD: Exempt, nothing paid'],
])('a deposit on the printed checklist: %#', (deposit, line) => {
  expect(depositSheetLine({ id: '1', ...deposit })).toBe(line);
});

test('an EMD that is entered after the bid was lost is due back 30 Indian days later', () => {
  // 18:30 UTC is the next day in India.
  expect(lostEmd(new Date('2026-04-15T18:30:00Z'))).toEqual({ state: 'due_back', dueOn: '2026-05-16' });
});

const CLOSING_TENDER = testTenderDetail({ closing_date: '2026-12-12T09:00:00.000Z' });
const MOVED: Tender['corrigenda'] = [
  {
    ...{ title: 'Date', type: 'Date', noticed_at: '2026-12-01T00:00:00.000Z' },
    changes: [{ field: 'closing_date', old: '2026-12-05T09:00:00.000Z', new: '2026-12-12T09:00:00.000Z' }],
  },
];
const guarantee = (validUntil: string, fields: Partial<Deposit> = {}): Deposit => ({
  ...{ id: '1', kind: 'emd', mode: 'bg', validUntil },
  ...fields,
});
const NIT_VALIDITY = { days: 90, fileName: 'nit.pdf', page: 4 };

test('an instrument that ends before a moved closing must be extended', () => {
  expect(shortInstruments([guarantee('2026-12-10')], { ...CLOSING_TENDER, corrigenda: MOVED }, NIT_VALIDITY)).toEqual([
    'The closing moved to 12 Dec 2026.',
    'Your Bank guarantee (EMD) is valid until 10 Dec 2026, before the closing on 12 Dec 2026. Extend it first.',
  ]);
});

test('an instrument that ends before the bids do names the days and where they stand', () => {
  expect(shortInstruments([guarantee('2026-12-31')], CLOSING_TENDER, NIT_VALIDITY)).toEqual([
    'Your Bank guarantee (EMD) is valid until 31 Dec 2026, but bids stay valid until 12 Mar 2027: 90 days after the closing, nit.pdf says, p. 4. Extend it or ask the office.',
  ]);
  const portal = { days: 90, fileName: null, page: null };
  expect(shortInstruments([guarantee('2026-12-31')], CLOSING_TENDER, portal)[0]).toContain(
    'after the closing, the portal says.',
  );
});

test('nothing is said of an instrument that lasts, has no date or is no longer held', () => {
  expect(shortInstruments([guarantee('2027-03-12')], { ...CLOSING_TENDER, corrigenda: MOVED }, NIT_VALIDITY)).toEqual(
    [],
  );
  expect(shortInstruments([guarantee('2026-12-12')], CLOSING_TENDER, null)).toEqual([]);
  const other = [
    { id: '2' },
    guarantee('2026-12-01', { state: 'returned' }),
    guarantee('2026-12-01', { mode: 'exempt' }),
  ];
  expect(shortInstruments(other, CLOSING_TENDER, NIT_VALIDITY)).toEqual([]);
});
