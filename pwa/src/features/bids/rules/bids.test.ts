// @vitest-environment node
import type { Tender } from '@nivida/contract/tenders/tender';
import { expect, test } from 'vitest';
import {
  type Bid,
  bidFacts,
  closingMove,
  closingMoveTexts,
  isReminderDue,
  ownRatePercent,
  ownRateRupees,
} from './bid.ts';
import { bidHistory, moveChanges, moveNote, newBidFields } from './bid-changes.ts';
import { bidsCsv } from './bid-csv.ts';
import { filterBids, filterChoices, firstStage, groupByStage, type ListedBid, monthLabel } from './bid-list.ts';
import { limitLine, ownMark } from './card-mark.ts';
import { type BidState, closingDayText, missingText, nextStep } from './next-step.ts';
import { comparableName, sourceResult } from './source-result.ts';
import { bidStatistics } from './statistics.ts';
import { tendersToFetch } from './tenders-to-fetch.ts';

const NOW = new Date('2026-04-10T06:00:00Z');
const TENDER = {
  _id: '77',
  title: 'Link road to Nirmand',
  org_name: 'PWD Division Nirmand',
  closing_date: '2026-04-15T05:30:00.000Z',
  closing_time_known: true,
  bid_start_date: null,
  opening_date: '2026-04-16T05:30:00.000Z',
  status: 'active',
  stage: 'published',
  price: 1_000_000,
  emd: '20000.00',
  tender_fee: '350.00',
  source_tender_id: '2026_PWD_1',
  source_portal: 'hptenders',
  corrigenda: [],
} as unknown as Tender;

const BID: Bid = {
  id: 'bid',
  tenderId: '77',
  title: 'Link road to Nirmand',
  organisation: 'PWD Division Nirmand',
  closingAt: '2026-04-15T05:30:00.000Z',
  stage: 'preparing',
};
const MONEY = { hasEmd: false, hasPerformance: false, isEmdHeld: false };
const STATE: BidState = {
  stage: 'preparing',
  isOpen: true,
  emd: 20_000,
  openingAt: new Date('2026-04-16T05:30:00Z'),
  documents: { missing: 3, open: 0, text: '3 of 9 documents missing' },
  money: MONEY,
};

test.each<[Partial<BidState>, string]>([
  [{}, '3 of 9 documents missing · EMD not entered'],
  [{ documents: null }, 'EMD not entered'],
  [{ documents: null, emd: 0 }, ''],
  [{ documents: null, emd: null }, 'EMD not entered'],
  [{ documents: null, money: { ...MONEY, hasEmd: true } }, ''],
  [{ stage: 'submitted' }, ''],
])('of %j is missing: %s', (state, text) => {
  expect(missingText({ ...STATE, ...state })).toBe(text);
});

test.each<[Partial<BidState>, unknown]>([
  [{ stage: 'considering' }, { label: 'Prepare this bid', moveTo: 'preparing' }],
  [
    { stage: 'considering', isOpen: false },
    { label: 'Closed. Did you submit?', open: 'result' },
  ],
  [{}, { label: 'Check documents', open: 'documents' }],
  [{ documents: { missing: 0, open: 1, text: '' } }, { label: 'Check documents', open: 'documents' }],
  [{ documents: { missing: 0, open: 0, text: '' } }, { label: 'Enter the EMD', open: 'money' }],
  [
    { documents: null, emd: 0 },
    { label: 'I submitted it at the portal', moveTo: 'submitted' },
  ],
  [
    { documents: null, money: { ...MONEY, hasEmd: true } },
    { label: 'I submitted it at the portal', moveTo: 'submitted' },
  ],
  [{ isOpen: false }, { label: 'Closed. Did you submit?', open: 'result' }],
  [{ stage: 'submitted' }, null],
  [{ stage: 'submitted', isOpen: false }, null],
  [
    { stage: 'submitted', isOpen: false, openingAt: new Date('2026-04-10T05:00:00Z') },
    { label: 'Bids were opened', moveTo: 'opened' },
  ],
  [
    { stage: 'submitted', isOpen: false, openingAt: null },
    { label: 'Bids were opened', moveTo: 'opened' },
  ],
  [{ stage: 'opened' }, { label: 'Enter the result', open: 'result' }],
  [{ stage: 'won' }, { label: 'Enter the performance security', open: 'money' }],
  [{ stage: 'won', money: { ...MONEY, hasPerformance: true } }, null],
  [
    { stage: 'lost', money: { ...MONEY, isEmdHeld: true } },
    { label: 'Get the EMD back', open: 'money' },
  ],
  [{ stage: 'lost' }, null],
  [
    { stage: 'dropped', money: { ...MONEY, isEmdHeld: true } },
    { label: 'Get the EMD back', open: 'money' },
  ],
])('the next step of %j is %j', (state, step) => {
  expect(nextStep({ ...STATE, ...state }, NOW)).toEqual(step);
});

test.each([
  // closes at 11:00 AM of 15 April in India
  [
    'preparing',
    '2026-04-15T05:29:00Z',
    true,
    'Less than 3 hours left. Upload at the portal what is ready; you can still replace your bid until closing.',
  ],
  [
    'considering',
    '2026-04-14T18:30:00Z',
    true,
    'Closes today at 11:00 AM. Upload at the portal what is ready; you can still replace your bid until closing.',
  ],
  [
    'preparing',
    '2026-04-15T02:30:00Z',
    true,
    'Closes today at 11:00 AM. Upload at the portal what is ready; you can still replace your bid until closing.',
  ],
  [
    'preparing',
    '2026-04-15T02:30:01Z',
    true,
    'Less than 3 hours left. Upload at the portal what is ready; you can still replace your bid until closing.',
  ],
  ['preparing', '2026-04-14T18:29:00Z', true, null],
  ['preparing', '2026-04-15T05:30:00Z', true, null],
  ['submitted', '2026-04-15T05:00:00Z', true, null],
  ['preparing', '2026-04-15T05:00:00Z', false, null],
] as const)('a bid in %s says at %s, with a known hour %s: %s', (stage, now, timeKnown, text) => {
  expect(closingDayText(stage, { at: new Date('2026-04-15T05:30:00Z'), timeKnown }, new Date(now))).toBe(text);
});

test.each([
  ['preparing', 'no', { tone: 'blue', text: 'Preparing' }],
  [undefined, 'no', { tone: 'gray', text: 'Above my limit' }],
  [undefined, 'yes', { tone: 'green', text: 'In my limit' }],
  [undefined, 'ask', null],
] as const)('the card of a tender with a bid in %s and the verdict %s is marked %j', (stage, verdict, mark) => {
  expect(ownMark(stage, verdict)).toEqual(mark);
});

test('the switch names the works above the limit', () => {
  expect(limitLine(true, 0)).toBe('');
  expect(limitLine(true, 1)).toBe('1 work on this page is above the limit of your enlistment and hidden.');
  expect(limitLine(false, 2)).toBe('2 works on this page are above the limit of your enlistment.');
});

test('tenders of undecided bids are fetched again after six hours, those that the device lacks at once and first', () => {
  const bids: Bid[] = [
    { ...BID, id: 'old', tenderId: '1', stage: 'submitted' },
    { ...BID, id: 'fresh', tenderId: '2', stage: 'opened' },
    { ...BID, id: 'absent', tenderId: '3' },
    { ...BID, id: 'decided', tenderId: '4', stage: 'lost' },
    { ...BID, id: 'own', tenderId: undefined },
  ];
  const savedAt = new Map([
    ['1', NOW.getTime() - 6 * 3_600_000],
    ['2', NOW.getTime() - 6 * 3_600_000 + 1],
    ['4', 0],
  ]);
  expect(tendersToFetch(bids, savedAt, NOW)).toEqual(['3', '1']);
});

test('a bid is readable without its tender', () => {
  const unknown = { openingAt: null, status: null, estimate: null, emd: null, tenderFee: null };
  expect(bidFacts(BID, undefined, NOW)).toEqual({
    ...{ title: 'Link road to Nirmand', office: 'PWD Division Nirmand', isOpen: true, ...unknown },
    ...{
      closing: { at: new Date('2026-04-15T05:30:00Z'), timeKnown: false },
      sourceTenderId: null,
      sourcePortal: null,
    },
  });
  expect(bidFacts({ ...BID, title: 'Mine', organisation: 'Mine' }, TENDER, NOW)).toEqual({
    ...{ title: 'Link road to Nirmand', office: 'PWD Division Nirmand', isOpen: true, status: 'active' },
    ...{
      closing: { at: new Date('2026-04-15T05:30:00Z'), timeKnown: true },
      openingAt: new Date('2026-04-16T05:30:00Z'),
    },
    ...{ estimate: 1_000_000, emd: 20_000, tenderFee: 350, sourceTenderId: '2026_PWD_1', sourcePortal: 'hptenders' },
  });
  expect(bidFacts(BID, undefined, new Date('2026-04-15T05:30:00Z')).isOpen).toBe(false);
  expect(bidFacts(BID, { ...TENDER, emd: null, tender_fee: null, price: null, opening_date: null }, NOW)).toMatchObject(
    {
      ...{ emd: null, tenderFee: null, estimate: null, openingAt: null },
    },
  );
  expect(bidFacts({ id: 'empty' }, undefined, NOW)).toMatchObject({ title: 'Bid without a title', isOpen: false });
});

test('a move sets the time of the first submission and can be undone', () => {
  expect(moveChanges(BID, 'submitted', [], NOW)).toEqual([
    {
      kind: 'bid',
      id: 'bid',
      change: { stage: 'submitted', submittedAt: '2026-04-10T06:00:00.000Z' },
      undo: { stage: 'preparing', submittedAt: null },
    },
  ]);
  const submitted = { ...BID, submittedAt: '2026-04-01T00:00:00.000Z' };
  expect(moveChanges(submitted, 'submitted', [], NOW)[0]?.change).toEqual({ stage: 'submitted' });
  expect(moveChanges(BID, 'preparing', [], NOW)).toEqual([]);
});

test('a lost bid makes its locked EMD due back after 30 days, and no other money', () => {
  // late on 10 April in India
  const now = new Date('2026-04-10T18:00:00Z');
  const deposits = [
    { id: 'emd', kind: 'emd', state: 'locked' },
    { id: 'dated', kind: 'emd', state: 'locked', dueOn: '2026-05-01' },
    { id: 'back', kind: 'emd', state: 'returned' },
    { id: 'fee', kind: 'tender_fee', state: 'locked' },
    { id: 'exempt', kind: 'emd', mode: 'exempt' },
    { id: 'new', kind: 'emd' },
  ] as const;
  expect(moveChanges(BID, 'lost', deposits, now).slice(1)).toEqual([
    {
      kind: 'deposit',
      id: 'emd',
      change: { state: 'due_back', dueOn: '2026-05-10' },
      undo: { state: 'locked', dueOn: null },
    },
    {
      kind: 'deposit',
      id: 'new',
      change: { state: 'due_back', dueOn: '2026-05-10' },
      undo: { state: null, dueOn: null },
    },
  ]);
});

test('a bid that was lost by mistake has its EMD locked again, but not when it is dropped', () => {
  const lost = { ...BID, stage: 'lost' } as const;
  const deposits = [
    { id: 'emd', kind: 'emd', state: 'due_back', dueOn: '2026-05-10' },
    { id: 'asked', kind: 'emd', state: 'asked', dueOn: '2026-05-10' },
    { id: 'fee', kind: 'performance', state: 'due_back' },
  ] as const;
  const changes = moveChanges(lost, 'won', deposits, NOW);
  expect(changes.slice(1)).toEqual([
    {
      kind: 'deposit',
      id: 'emd',
      change: { state: 'locked', dueOn: null },
      undo: { state: 'due_back', dueOn: '2026-05-10' },
    },
  ]);
  expect(moveNote(changes)).toBe('EMD locked again.');
  expect(moveChanges(lost, 'dropped', deposits, NOW)).toHaveLength(1);
  expect(moveChanges({ ...BID, stage: 'opened' }, 'won', deposits, NOW)).toHaveLength(1);
});

test('a lost bid that was dropped has its EMD locked again when it turns out to be won', () => {
  const dropped = { ...BID, stage: 'dropped' } as const;
  const deposits = [{ id: 'emd', kind: 'emd', state: 'due_back', dueOn: '2026-05-10' }] as const;
  const [move, deposit] = moveChanges(dropped, 'won', deposits, NOW);
  expect(move?.change).toEqual({ stage: 'won' });
  expect(deposit).toEqual({
    kind: 'deposit',
    id: 'emd',
    change: { state: 'locked', dueOn: null },
    undo: { state: 'due_back', dueOn: '2026-05-10' },
  });
  expect(moveChanges(dropped, 'lost', deposits, NOW)).toHaveLength(1);
});

test('a confirmed result copies what the source says, and the EMD is due 30 days after the award', () => {
  const award = { awardedPaise: 95_000_000, winner: 'Negi Builders', awardedOn: new Date('2026-04-01T00:00:00+05:30') };
  const deposits = [{ id: 'emd', kind: 'emd', state: 'locked' }] as const;
  const changes = moveChanges({ ...BID, awardedPaise: 1 }, 'lost', deposits, NOW, award);
  expect(changes.map(({ change }) => change)).toEqual([
    { stage: 'lost', winner: 'Negi Builders' },
    { state: 'due_back', dueOn: '2026-05-01' },
  ]);
  expect(moveNote(changes)).toBe('EMD due back by 1 May 2026; you can change the date.');
  expect(moveNote(moveChanges(BID, 'won', deposits, NOW, award))).toBe('');
});

test('long names of the source are cut to what a record can have', () => {
  const [move] = moveChanges(BID, 'lost', [], NOW, { winner: 'x'.repeat(301), awardedPaise: 5 });
  expect(move?.change).toEqual({ stage: 'lost', awardedPaise: 5, winner: `${'x'.repeat(299)}…` });
  const long = newBidFields({ ...TENDER, title: 'x'.repeat(1_001), org_name: 'y'.repeat(1_001) }, NOW);
  expect([long.title, long.organisation]).toEqual([`${'x'.repeat(999)}…`, `${'y'.repeat(999)}…`]);
});

test('a result that the user entered is not replaced by that of the source', () => {
  const entered = { ...BID, winner: 'Mine', awardedPaise: 7 };
  expect(moveChanges(entered, 'won', [], NOW, { winner: 'Theirs', awardedPaise: 5 })[0]?.change).toEqual({
    stage: 'won',
  });
});

test('a new bid stores the facts that it needs', () => {
  expect(newBidFields(TENDER, NOW)).toEqual({
    tenderId: '77',
    title: 'Link road to Nirmand',
    organisation: 'PWD Division Nirmand',
    closingAt: '2026-04-15T05:30:00.000Z',
    closingTimeKnown: true,
    createdAt: '2026-04-10T06:00:00.000Z',
  });
});

test('a bid whose tender is not on the device shows no hour that the source does not name', () => {
  const fields = newBidFields({ ...TENDER, closing_time_known: false }, NOW);
  expect(bidFacts({ id: '1', ...fields }, undefined, NOW).closing?.timeKnown).toBe(false);
});

test('a closing that moved is noticed', () => {
  const moved = { ...TENDER, closing_date: '2026-04-20T05:30:00.000Z' };
  expect(closingMove(BID, TENDER)).toBeNull();
  expect(closingMove(BID, undefined)).toBeNull();
  expect(closingMove(BID, moved)?.now.toISOString()).toBe('2026-04-20T05:30:00.000Z');
});

test('a closing that moved shows the hours that the source names, and no other', () => {
  const onDay = { ...TENDER, closing_date: '2026-04-15T18:29:59.000Z', closing_time_known: false };
  const stored = { ...BID, closingTimeKnown: true };
  expect(closingMoveTexts(stored, onDay)).toEqual({
    was: '15 Apr 2026, 11:00 AM',
    now: '15 Apr 2026, time not stated',
  });
  // stored by a build that did not know whether the source names the hour
  expect(closingMoveTexts(BID, { ...TENDER, closing_date: '2026-04-20T05:30:00.000Z' })?.was).toBe(
    '15 Apr 2026, time not stated',
  );
  expect(closingMoveTexts(stored, TENDER)).toBeNull();
  expect(closingMoveTexts(stored, undefined)).toBeNull();
});

test('the closing of an own entry has the hour that the user typed', () => {
  const { tenderId: _, ...own } = BID;
  expect(bidFacts(own, undefined, NOW).closing?.timeKnown).toBe(true);
  expect(bidFacts(BID, undefined, NOW).closing?.timeKnown).toBe(false);
});

const AWARD = { value: 950_000, winner: 'M/S. Verma & Sons Pvt. Ltd.' };
test.each([
  ['submitted', 'cancelled', null, [], 'Result is out. The source says: cancelled.', 'dropped'],
  ['preparing', 'retendered', null, [], 'Result is out. The source says: called again.', 'dropped'],
  ['submitted', 'under_evaluation', null, [], 'Bids were opened. The source says: under evaluation.', 'opened'],
  ['submitted', 'awarded', null, [], 'Result is out. Awarded.', null],
  [
    'opened',
    'awarded',
    AWARD,
    [],
    'Result is out. Awarded at ₹9.50 Lakh to “M/S. Verma & Sons Pvt. Ltd.”, as the source writes it.',
    null,
  ],
  ['opened', 'closed', AWARD, ['Verma and Sons'], null, 'won'],
  ['opened', 'awarded', AWARD, ['Negi Builders'], null, 'lost'],
  [
    'opened',
    'awarded',
    { value: 950_000, winner: null },
    ['Negi Builders'],
    'Result is out. Awarded at ₹9.50 Lakh.',
    null,
  ],
] as const)(
  'of a bid in %s a tender that is %s with %j suggests to %j: %s, %s',
  (stage, status, award, firms, text, suggestion) => {
    const result = sourceResult(stage, status, award, firms);
    expect(result?.suggestion).toBe(suggestion);
    if (text !== null) expect(result?.text).toBe(text);
  },
);

test('a suggestion by the name of the firm says why, and others need no reason', () => {
  const reasonFor = (status: 'awarded' | 'cancelled', firms: string[]) =>
    sourceResult('opened', status, status === 'awarded' ? AWARD : null, firms)?.reason;
  expect(reasonFor('awarded', ['Negi Builders', 'Verma and Sons'])).toBe('This looks like your firm.');
  expect(reasonFor('awarded', ['Negi Builders'])).toBe('This is not a name of your firm.');
  expect(reasonFor('awarded', [])).toBeNull();
  expect(reasonFor('cancelled', ['Verma and Sons'])).toBeNull();
  // A name of legal forms only belongs to no company.
  expect(sourceResult('opened', 'awarded', { value: null, winner: 'M/s Pvt Ltd' }, ['Company'])?.suggestion).toBe(
    'lost',
  );
});

test.each(['won', 'lost', 'dropped'] as const)('a bid that is %s gets no suggestion', (stage) => {
  expect(sourceResult(stage, 'awarded', AWARD, ['Negi Builders'])).toBeNull();
});

test('a tender that is only closed says nothing about the result', () => {
  expect(sourceResult('submitted', 'closed', null, [])).toBeNull();
  expect(sourceResult('opened', 'under_evaluation', null, [])).toBeNull();
});

test.each([
  ['M/S. Verma & Sons Pvt. Ltd.', 'Verma and Sons'],
  ['SH. NEGI BUILDERS', 'sh negi builders'],
  ['शर्मा कंस्ट्रक्शन', 'शर्मा  कंस्ट्रक्शन'],
])('%s is compared like %s', (one, other) => {
  expect(comparableName(one)).toBe(comparableName(other));
});

const listed = (id: string, fields: Partial<Bid> = {}, estimate: number | null = null): ListedBid => {
  const bid = { ...BID, ...fields, id };
  return { bid, facts: { ...bidFacts(bid, undefined, NOW), estimate } };
};

test('bids are filtered by the Indian month of closing and by office', () => {
  const bids = [
    // 1 May in India
    listed('may', { closingAt: '2026-04-30T19:00:00.000Z' }),
    listed('april', { organisation: 'Jal Shakti Division Una' }),
    listed('open end', { closingAt: undefined }),
  ];
  expect(filterChoices(bids)).toEqual({
    months: ['2026-05', '2026-04'],
    offices: ['Jal Shakti Division Una', 'PWD Division Nirmand'],
  });
  const ids = (filter: { month: string; office: string }) => filterBids(bids, filter).map(({ bid }) => bid.id);
  expect(ids({ month: '2026-05', office: '' })).toEqual(['may']);
  expect(ids({ month: '', office: 'PWD Division Nirmand' })).toEqual(['may', 'open end']);
  expect(ids({ month: '', office: '' })).toHaveLength(3);
  expect(ids({ month: '2026-05', office: 'PWD Division Nirmand' })).toEqual(['may']);
  expect(ids({ month: '2026-04', office: 'PWD Division Nirmand' })).toEqual([]);
  expect([monthLabel('2026-04'), monthLabel('2025-12'), monthLabel('2026-01')]).toEqual([
    ...['Apr 2026', 'Dec 2025', 'Jan 2026'],
  ]);
});

test('open bids that close next are first, later stages begin with the newest', () => {
  const groups = groupByStage([
    listed('over', { closingAt: '2026-04-01T05:30:00.000Z' }),
    listed('later'),
    listed('next', { closingAt: '2026-04-11T05:30:00.000Z' }),
    listed('undated', { closingAt: undefined }),
    listed('lost old', { stage: 'lost', closingAt: '2026-01-01T05:30:00.000Z' }),
    listed('lost new', { stage: 'lost' }),
  ]);
  expect(groups.preparing.map(({ bid }) => bid.id)).toEqual(['next', 'later', 'over', 'undated']);
  expect(groups.lost.map(({ bid }) => bid.id)).toEqual(['lost new', 'lost old']);
  expect(firstStage(groups)).toBe('preparing');
  expect(firstStage({ ...groups, preparing: [] })).toBe('lost');
});

test('a phone shows the stage with the most urgent work first', () => {
  const all = groupByStage([]);
  const one = [listed('1')];
  const order = ['preparing', 'considering', 'opened', 'submitted', 'won', 'lost', 'dropped'] as const;
  for (const [at, stage] of order.entries()) {
    const present = Object.fromEntries(order.slice(at).map((each) => [each, one]));
    expect(firstStage({ ...all, ...present })).toBe(stage);
  }
  expect(firstStage(all)).toBe('preparing');
});

test('bids that close at the same time are always in the same order', () => {
  const ids = (stage: 'preparing' | 'lost', names: string[]) =>
    groupByStage(names.map((id) => listed(id, { stage })))[stage].map(({ bid }) => bid.id);
  expect(ids('preparing', ['b', 'a', 'c'])).toEqual(['a', 'b', 'c']);
  expect(ids('lost', ['b', 'a', 'c'])).toEqual(['c', 'b', 'a']);
});

test('the history has the dates of records and corrigenda, the newest first', () => {
  const tender = {
    ...TENDER,
    corrigenda: [
      {
        title: 'Date extended',
        type: 'Date',
        noticed_at: '2026-04-09T05:00:00.000Z',
        changes: [{ field: 'closing_date', old: '2026-04-10T05:30:00.000Z', new: '2026-04-15T05:30:00.000Z' }],
      },
      { title: 'BOQ revised', type: null, noticed_at: '2026-04-02T05:00:00.000Z', changes: [] },
    ],
  } as Tender;
  const bid = { ...BID, createdAt: '2026-04-01T05:00:00.000Z', submittedAt: '2026-04-10T05:00:00.000Z' };
  const deposits = [
    { name: 'EMD', paidOn: '2026-04-08', returnedOn: '2026-04-30' },
    { name: 'Tender fee', paidOn: undefined },
  ];
  const letters = [
    { name: 'RTI application', createdAt: '2026-04-20T05:00:00.000Z', sentOn: '2026-04-21', answeredOn: '2026-05-02' },
    { name: 'Grievance' },
  ];
  const history = bidHistory(bid, tender, deposits, letters);
  expect(history.map(({ at, text }) => `${at.toISOString()} ${text}`)).toEqual([
    // days begin in India
    '2026-05-01T18:30:00.000Z Letter answered: RTI application',
    '2026-04-29T18:30:00.000Z EMD returned',
    '2026-04-20T18:30:00.000Z Letter sent: RTI application',
    '2026-04-20T05:00:00.000Z Letter written: RTI application',
    '2026-04-10T05:00:00.000Z Submitted at the portal, as you entered',
    '2026-04-09T05:00:00.000Z Closing moved from 10 Apr 2026, 11:00 AM to 15 Apr 2026, 11:00 AM',
    '2026-04-07T18:30:00.000Z EMD paid',
    '2026-04-02T05:00:00.000Z Corrigendum: BOQ revised',
    '2026-04-01T05:00:00.000Z Added to My Applications',
  ]);
  expect(bidHistory({ id: '1', createdAt: 'soon' }, undefined, [], [])).toEqual([]);
});

test('the history shows no hour of a closing whose source names only the day', () => {
  const change = { field: 'closing_date', old: '2026-04-10T18:29:59.000Z', new: '2026-04-15T05:30:00.000Z' };
  const corrigendum = { title: 'Date', type: null, noticed_at: '2026-04-09T05:00:00.000Z', changes: [change] };
  const [event] = bidHistory(BID, { ...TENDER, corrigenda: [corrigendum] } as Tender, [], []);
  expect(event?.text).toBe('Closing moved from 10 Apr 2026, time not stated to 15 Apr 2026, 11:00 AM');
});

test('a reminder is due from its time on', () => {
  const bid = { ...BID, reminderAt: '2026-04-10T06:00:00.000Z' };
  expect(isReminderDue(bid, NOW)).toBe(true);
  expect(isReminderDue(bid, new Date(NOW.getTime() - 1))).toBe(false);
  expect(isReminderDue(BID, NOW)).toBe(false);
});

test('the own rate is a percent of the estimate or an amount', () => {
  expect(ownRatePercent({ id: '', rateKind: 'amount', ratePaise: 90_000_000 }, 1_000_000)).toBeCloseTo(-10);
  expect(ownRatePercent({ id: '', rateKind: 'percent', ratePercent: -4.5 }, null)).toBe(-4.5);
  expect(ownRatePercent({ id: '', rateKind: 'amount', ratePaise: 90_000_000 }, null)).toBeNull();
  expect(ownRateRupees({ id: '', rateKind: 'percent', ratePercent: -10 }, 1_000_000)).toBe(900_000);
  expect(ownRateRupees({ id: '' }, 1_000_000)).toBeNull();
  // both were typed; the chosen one counts
  const both = { id: '', ratePaise: 90_000_000, ratePercent: 5 };
  expect(ownRatePercent({ ...both, rateKind: 'amount' }, 1_000_000)).toBeCloseTo(-10);
  expect(ownRateRupees({ ...both, rateKind: 'amount' }, 1_000_000)).toBe(900_000);
  expect(ownRatePercent({ ...both, rateKind: 'percent' }, 1_000_000)).toBe(5);
  expect(ownRateRupees({ ...both, rateKind: 'percent' }, 1_000_000)).toBe(1_050_000);
});

test('the CSV file has all bids and no cell that a spreadsheet runs', () => {
  const csv = bidsCsv(
    [
      {
        bid: { ...BID, note: '=HYPERLINK("x")', rateKind: 'percent', ratePercent: -10 },
        facts: bidFacts(BID, TENDER, NOW),
      },
    ],
    () => ({ heldPaise: 2_000_050, returnedPaise: 0 }),
  );
  const [head, row, end] = csv.split('\r\n');
  expect(head?.startsWith('\ufeffStage,Title,Office,Tender ID')).toBe(true);
  expect(row).toBe(
    'Preparing,Link road to Nirmand,PWD Division Nirmand,2026_PWD_1,hptenders,"15 Apr 2026, 11:00 AM",1000000,900000,-10,,,,,,,20000.5,0,"\'=HYPERLINK(""x"")",',
  );
  expect(end).toBe('');
});

test('the CSV file has each figure of a decided bid in its column', () => {
  const bid: Bid = {
    ...BID,
    stage: 'lost',
    rateKind: 'amount',
    ratePaise: 95_000_050,
    // 12:30 AM of the next day in India
    submittedAt: '2026-04-14T19:00:00.000Z',
    portalBidId: '4711',
    awardedPaise: 90_000_000,
    winner: 'Negi Builders',
    rank: 2,
    rejectionReason: 'Rate',
    note: 'Call',
    createdAt: '2026-04-01T20:00:00.000Z',
  };
  const moneyOf = (id: string) =>
    id === 'bid' ? { heldPaise: 100, returnedPaise: 2_000_000 } : { heldPaise: 0, returnedPaise: 0 };
  const csv = bidsCsv(
    [
      { bid, facts: bidFacts(bid, TENDER, NOW) },
      { bid: { id: 'own', title: 'Wall' }, facts: bidFacts({ id: 'own', title: 'Wall' }, undefined, NOW) },
    ],
    moneyOf,
  );
  const [, row, own] = csv.split('\r\n');
  expect(row).toBe(
    'Lost,Link road to Nirmand,PWD Division Nirmand,2026_PWD_1,hptenders,"15 Apr 2026, 11:00 AM",1000000,950000.5,-5,"15 Apr 2026, 12:30 AM",4711,900000,Negi Builders,2,Rate,1,20000,Call,2 Apr 2026',
  );
  expect(own).toBe('Preparing,Wall,,,,,,,,,,,,,,0,0,,');
});

test('the figures are by office, most decided bids first, and by bands that include their lower bound', () => {
  const decided = (id: string, office: string, estimate: number | null, stage: 'won' | 'lost' = 'lost') =>
    listed(id, { stage, organisation: office }, estimate);
  const { offices, bands } = bidStatistics(
    [
      decided('1', 'Una', 499_999),
      decided('2', 'Mandi', 500_000, 'won'),
      decided('3', 'Mandi', 2_499_999),
      decided('4', 'Mandi', 2_500_000),
      decided('5', 'Kullu', 10_000_000, 'won'),
      decided('6', 'Una', null),
      listed('7', { stage: 'submitted', organisation: 'Solan' }, 500_000),
    ],
    NOW,
  );
  expect(offices.map(({ name, won, decided }) => [name, won, decided])).toEqual([
    ['Mandi', 1, 3],
    ['Una', 0, 2],
    ['Kullu', 1, 1],
  ]);
  expect(bands.map(({ name, won, decided }) => [name, won, decided])).toEqual([
    ['Below ₹5 Lakh', 0, 1],
    ['₹5 to ₹25 Lakh', 1, 2],
    ['₹25 Lakh to ₹1 Cr', 0, 1],
    ['₹1 Cr and above', 1, 1],
  ]);
});

test('the plot has the newest twelve months, across the end of a year', () => {
  const { months } = bidStatistics([listed('1', { stage: 'submitted', submittedAt: '2025-01-05T05:00:00.000Z' })], NOW);
  expect(months).toHaveLength(12);
  expect([months[0]?.month, months[7]?.month, months[8]?.month, months.at(-1)?.month]).toEqual([
    '2025-05',
    '2025-12',
    '2026-01',
    '2026-04',
  ]);
});

test('the figures count decided bids, and give no rate below 5', () => {
  const bids = [
    listed(
      '1',
      {
        stage: 'won',
        submittedAt: '2026-01-31T19:00:00.000Z',
        ratePercent: -10,
        rateKind: 'percent',
        awardedPaise: 90_000_000,
      },
      1_000_000,
    ),
    listed(
      '2',
      {
        stage: 'lost',
        submittedAt: '2026-03-01T05:00:00.000Z',
        ratePercent: -4,
        rateKind: 'percent',
        awardedPaise: 80_000_000,
      },
      1_000_000,
    ),
    listed('3', { stage: 'lost' }),
    listed('4', { stage: 'lost' }),
    listed('5', { stage: 'submitted', ratePaise: 50_000_000, rateKind: 'amount' }, 1_000_000),
    listed('6', { stage: 'preparing' }, 2_000_000),
    listed('7', { stage: 'opened' }),
    listed('8', { stage: 'dropped' }, 9_000_000),
  ];
  const figures = bidStatistics(bids, NOW);
  expect(figures.pipeline).toEqual({ bids: 3, valued: 2, rupees: 2_500_000 });
  expect(figures.all).toEqual({ name: 'All offices', won: 1, decided: 4, rate: null });
  expect(figures.offices).toEqual([{ name: 'PWD Division Nirmand', won: 1, decided: 4, rate: null }]);
  expect(figures.bands).toEqual([{ name: '₹5 to ₹25 Lakh', won: 1, decided: 2, rate: null }]);
  expect(figures.months).toEqual([
    { month: '2026-02', bids: 1 },
    { month: '2026-03', bids: 1 },
    { month: '2026-04', bids: 0 },
  ]);
  expect(figures.rates?.bids).toBe(2);
  expect(figures.rates?.own).toBeCloseTo(-7);
  expect(figures.rates?.awarded).toBeCloseTo(-15);
  expect(bidStatistics([...bids, listed('9', { stage: 'lost' })], NOW).all.rate).toBe(0.2);
});

test('a mistyped year of submission stays out of the months and is counted', () => {
  const submitted = (id: string, submittedAt: string) => listed(id, { stage: 'submitted', submittedAt });
  const bids = [
    submitted('1', '2026-03-01T05:00:00.000Z'),
    submitted('2', '2206-03-01T05:00:00.000Z'),
    submitted('3', '2026-04-30T05:00:00.000Z'),
    submitted('4', '0206-03-01T05:00:00.000Z'),
  ];
  const { months, wrongDates } = bidStatistics(bids, NOW);
  expect(months).toEqual([
    { month: '2026-03', bids: 1 },
    { month: '2026-04', bids: 0 },
  ]);
  expect(wrongDates).toBe(3);
  expect(bidStatistics(bids.slice(1), NOW)).toMatchObject({ months: [], wrongDates: 3 });
});

test('without bids no figure is invented', () => {
  expect(bidStatistics([], NOW)).toEqual({
    pipeline: { bids: 0, valued: 0, rupees: 0 },
    months: [],
    wrongDates: 0,
    won: 0,
    lost: 0,
    all: { name: 'All offices', won: 0, decided: 0, rate: null },
    offices: [],
    bands: [],
    rates: null,
  });
});
