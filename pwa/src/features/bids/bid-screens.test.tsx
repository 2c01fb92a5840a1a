// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readRecord, readRecords } from '../../data/records/record-rows.ts';
import { saveRecord } from '../../data/records/records.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { BidFigures } from './BidFigures.tsx';
import { BidHistory } from './BidHistory.tsx';
import { BidNotes } from './BidNotes.tsx';
import { BidOverview, BidSteps } from './BidOverview.tsx';
import { BidReminders } from './BidReminders.tsx';
import { BidResult, SourceResultNote } from './BidResult.tsx';
import { saveBid } from './bid-actions.ts';
import { OwnBidDialog } from './OwnBidDialog.tsx';
import { type Bid, bidFacts } from './rules/bid.ts';
import type { BidStage } from './rules/stages.ts';

afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.restoreAllMocks();
  useToast.setState({ current: undefined });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const NOW = new Date('2026-04-10T06:00:00Z');
const toast = () => useToast.getState().current;
const bids = async () =>
  (await withDatabase((db) => readRecords(db, '', 'bid'))).map(({ id, fields }) => ({ id, ...fields }));
const failOnce = () =>
  withDatabase(async (db) => {
    vi.spyOn(db.records, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'));
  });
const NOT_SAVED = 'Not saved. Free some storage and try again.';

/** The figures of bids in preparation with these estimates, changed by `fields`. */
function openFigures(estimates: readonly (number | null)[], fields: (index: number) => Partial<Bid> = () => ({})) {
  const listed = estimates.map((estimate, index) => {
    const bid: Bid = { id: String(index), title: 'Road', ...fields(index) };
    return { bid, facts: { ...bidFacts(bid, undefined, NOW), estimate } };
  });
  return openTestPage(<BidFigures bids={listed} now={NOW} />);
}

test.each([
  [[], 'No bid waits for a decision.'],
  [[null], 'Value not known in 1 bid that is not decided.'],
  [[null, null], 'Value not known in 2 bids that are not decided.'],
  [[500_000], '₹5.00 Lakh in 1 bid that is not decided.'],
  [[500_000, null], '₹5.00 Lakh in 2 bids that are not decided, 1 of them with a known value.'],
])('the pipeline of bids with the estimates %j: %s', async (estimates, line) => {
  expect((await openFigures(estimates)).texts('p')[0]).toBe(line);
});

test('the figures have won and lost bids by office and estimate, and a share from five decided bids', async () => {
  const stages: BidStage[] = ['won', 'lost', 'lost', 'won', 'lost', 'lost'];
  const { texts, text } = await openFigures([400_000, 400_000, 400_000, 600_000, 400_000, 400_000], (index) => ({
    stage: stages[index] ?? 'lost',
    organisation: index < 5 ? 'PWD' : '',
    ...(index < 2 && {
      rateKind: 'amount',
      ratePaise: 36_000_000,
      awardedPaise: index === 0 ? 40_000_000 : 42_000_000,
    }),
  }));
  expect(texts('h3')).toEqual(['Won and lost', 'By office', 'By estimate', 'My rate against the award']);
  expect(texts('thead th').slice(2)).toEqual(['Office', 'Won of decided', 'Estimate', 'Won of decided']);
  expect(texts('tbody tr')).toEqual([
    'Won2',
    'Lost4',
    'PWD2 of 5 (40 %)',
    'No office entered0 of 1',
    'Below ₹5 Lakh1 of 5 (20 %)',
    '₹5 to ₹25 Lakh1 of 1',
  ]);
  expect(text()).toContain('On average of 2 bids: mine 10.0 % below the estimate, awarded 2.5 % above the estimate.');
  expect(text()).toContain('Percentages appear from 5 decided bids.');
});

test('a rate at the estimate is neither below nor above it', async () => {
  const rate: Partial<Bid> = { rateKind: 'percent', ratePercent: 0.04, awardedPaise: 40_000_000 };
  const { text } = await openFigures([400_000], () => ({ stage: 'lost', ...rate }));
  expect(text()).toContain('On average of 1 bid: mine at the estimate, awarded at the estimate.');
});

test('the figures have the months of submission, and count days that cannot be right', async () => {
  const at = ['2026-03-31T19:00:00.000Z', '2206-03-01T05:00:00.000Z', '2026-02-01T05:00:00.000Z'];
  const submitted = (count: number) =>
    openFigures(Array(count).fill(null), (index) => ({ stage: 'submitted', submittedAt: at[index] }));
  const three = await submitted(3);
  expect(three.texts('h3')).toEqual(['Submitted by month', 'Won and lost']);
  expect(three.texts('tbody tr')).toEqual(['Feb 20261', 'Mar 20260', 'Apr 20261']);
  expect(three.texts('svg text').filter((_, index) => index % 2 === 1)).toEqual(['Feb', 'Mar', 'Apr']);
  expect(three.text()).toContain('1 bid is not shown by month: its day of submission is in the future or before 2005.');
  expect(three.text()).toContain('No bid is decided yet.');
  expect(three.text()).not.toContain('Percentages appear');
  expect((await submitted(1)).text()).not.toContain('not shown by month');
});

const BID: Bid = {
  ...{ id: '1', tenderId: '1', title: 'Road', stage: 'submitted', rateKind: 'percent', ratePaise: 90_000_000 },
  ...{ ratePercent: -4.5, submittedAt: '2026-04-09T05:30:00.000Z', portalBidId: '4711' },
  ...{ reminderAt: '2026-05-01T03:30:00.000Z', note: 'Call' },
};
const NOTE_FIELDS = {
  submittedAt: 'Submitted at the portal Indian time',
  portalBidId: 'Bid ID of the portal',
  reminderAt: 'Remind me Indian time',
  note: 'Note',
};

test('the notes of a bid show what is stored, and save what is typed', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const notes = await openTestPage(<BidNotes bid={BID} />);
  const { submittedAt, portalBidId, reminderAt, note } = NOTE_FIELDS;
  const values = () => notes.texts('label').map((label) => notes.field(label).value);
  expect(notes.texts('label')).toEqual(['My rate as', 'Percent below: -', submittedAt, portalBidId, reminderAt, note]);
  expect(values()).toEqual(['percent', '-4.5', '2026-04-09T11:00', '4711', '2026-05-01T09:00', 'Call']);
  await notes.fill({ 'My rate as': 'amount' });
  expect(notes.texts('label')).toEqual(['My rate as', 'Rupees', submittedAt, portalBidId, reminderAt, note]);
  expect(notes.field('Rupees').value).toBe('900000');
  await notes.fill({ Rupees: '8,00,000', [submittedAt]: '2026-04-09T10:00', [portalBidId]: ' 4712 ' });
  await notes.fill({ [reminderAt]: '2026-05-02T09:00', [note]: 'Call again' });
  await notes.press('Save');
  await expect.poll(() => toast()?.text).toBe('Saved.');
  const [saved] = await bids();
  expect(saved).toEqual({
    ...{ id: '1', rateKind: 'amount', ratePaise: 80_000_000, ratePercent: -4.5 },
    ...{ submittedAt: '2026-04-09T04:30:00.000Z', portalBidId: '4712' },
    ...{ reminderAt: '2026-05-02T03:30:00.000Z', note: 'Call again' },
  });
  await notes.show(<BidNotes bid={saved as Bid} />);
  expect(notes.field(portalBidId).value).toBe('4712');
});

test('notes that cannot be saved stay typed, with the reason', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const notes = await openTestPage(<BidNotes bid={{ id: '1' }} />);
  expect(notes.field('My rate as').value).toBe('percent');
  expect(notes.field('Percent below: -').value).toBe('');
  await notes.fill({ [NOTE_FIELDS.note]: 'x'.repeat(4_001), [NOTE_FIELDS.submittedAt]: '2026-04-10T11:31' });
  await notes.press('Save');
  expect(notes.errorAt(NOTE_FIELDS.note)).toBe('At most 4000 letters');
  expect(notes.errorAt(NOTE_FIELDS.submittedAt)).toBe('This time is in the future. Enter when you submitted it.');
  await notes.fill({ [NOTE_FIELDS.note]: 'Call', [NOTE_FIELDS.submittedAt]: '' });
  await failOnce();
  await notes.press('Save');
  await expect.poll(() => notes.texts('[role="alert"]')).toEqual([NOT_SAVED]);
  expect(notes.field(NOTE_FIELDS.note).value).toBe('Call');
  expect([toast(), await bids()]).toEqual([undefined, []]);
});

/** The result of a bid as the user enters it. */
async function openResult(bid: Bid, stage: BidStage, isClosed: boolean, firmNames: string[] = []) {
  const moves: BidStage[] = [];
  const onMove = (to: BidStage) => void moves.push(to);
  const page = await openTestPage(
    <BidResult bid={bid} stage={stage} isClosed={isClosed} firmNames={firmNames} onMove={onMove} />,
  );
  return { ...page, moves };
}

test.each<[BidStage, boolean, string[], BidStage[]]>([
  ['considering', false, [], []],
  ['preparing', false, [], []],
  ['considering', true, ['I submitted it', 'I did not submit it'], ['submitted', 'dropped']],
  ['preparing', true, ['I submitted it', 'I did not submit it'], ['submitted', 'dropped']],
  ['submitted', true, ['Won', 'Lost'], ['won', 'lost']],
  ['opened', true, ['Won', 'Lost'], ['won', 'lost']],
  ['won', true, [], []],
  ['lost', true, [], []],
  ['dropped', true, [], []],
])('a bid in %s that is closed at the portal (%s) asks how it ended by %j', async (stage, isClosed, choices, moves) => {
  const result = await openResult({ id: '1' }, stage, isClosed);
  expect(result.names('button')).toEqual([...choices, 'Save the result', 'Save the name']);
  expect(result.text().includes('How did it end?')).toBe(choices.length > 0);
  for (const choice of choices) await result.press(choice);
  expect(result.moves).toEqual(moves);
});

test('a result is saved as it is typed, a wrong rank is refused at its field, and a full phone says so', async () => {
  const stored = { awardedPaise: 90_000_050, winner: 'Negi', rank: 2, rejectionReason: 'Late' };
  const result = await openResult({ id: '1', ...stored }, 'lost', true);
  const labels = [
    'Awarded value ₹',
    'Winner as the portal writes it',
    'My rank L1 is 1',
    'Why my bid was rejected if it was',
  ];
  const [awarded = '', winner = '', rank = '', reason = ''] = labels;
  expect(labels.map((label) => result.field(label).value)).toEqual(['900000.5', 'Negi', '2', 'Late']);
  await result.fill({ [rank]: 'L2' });
  await result.press('Save the result');
  expect(result.errorAt(rank)).toBe('Write the rank as a number, such as 2');
  await result.fill({ [awarded]: '8,00,000', [winner]: ' Verma ', [rank]: '3', [reason]: '' });
  await failOnce();
  await result.press('Save the result');
  await expect.poll(() => result.texts('[role="alert"]')).toEqual([NOT_SAVED]);
  await result.press('Save the result');
  await expect.poll(() => toast()?.text).toBe('Result saved.');
  const saved = { id: '1', awardedPaise: 80_000_000, winner: 'Verma', rank: 3 };
  expect(await bids()).toEqual([saved]);
  const props = { bid: saved, stage: 'lost', isClosed: true, firmNames: [], onMove: () => undefined } as const;
  await result.show(<BidResult {...props} />);
  expect(result.field(winner).value).toBe('Verma');
});

test("the firm's name replaces the first one, and an emptied name is removed", async () => {
  const label = "My firm's name on portals only suggests who won";
  const names = async () => (await withDatabase((db) => readRecord(db, '', 'profile', PROFILE_ID)))?.fields.firmNames;
  const save = async (firmNames: string[], name: string) => {
    useToast.setState({ current: undefined });
    const result = await openResult({ id: '1' }, 'lost', true, firmNames);
    expect(result.field(label).value).toBe(firmNames[0] ?? '');
    await result.fill({ [label]: name });
    await result.press('Save the name');
    await expect.poll(() => toast()?.text).toBe('Saved.');
    await result.close();
    return names();
  };
  expect(await save([], 'Verma')).toEqual(['Verma']);
  expect(await save(['Verma', 'Verma Builders'], ' Verma and Sons ')).toEqual(['Verma and Sons', 'Verma Builders']);
  expect(await save(['Verma', 'Verma Builders'], '')).toEqual(['Verma Builders']);
  expect(await save(['Verma'], '')).toBeUndefined();
});

test.each<[BidStage | null, string | null, string[], BidStage[]]>([
  [null, null, ['Move to Won', 'Move to Lost'], ['won', 'lost']],
  ['opened', 'This looks like your firm.', ['Move to Opened'], ['opened']],
])('news of the source that suggest %s, because of %s, offer %j', async (suggestion, reason, choices, expected) => {
  const moves: BidStage[] = [];
  const result = { text: 'Result is out.', suggestion, reason };
  const note = await openTestPage(<SourceResultNote result={result} onMove={(to) => void moves.push(to)} />);
  expect(note.texts('p')).toEqual(['Result is out.', ...(reason ? [`${reason} You decide.`] : [])]);
  expect(note.names()).toEqual(choices);
  for (const choice of choices) await note.press(choice);
  expect(moves).toEqual(expected);
});

/** The form of an own entry, and the ids that it saved. */
async function openOwnBid(bid?: Bid) {
  const [saved, closed]: [string[], true[]] = [[], []];
  const events = { onSaved: (id: string) => void saved.push(id), onClose: () => void closed.push(true) };
  const form = await openTestPage(<OwnBidDialog {...(bid && { bid })} {...events} />);
  return { ...form, saved, closed };
}
const OWN_FIELDS = ['Name of the work', 'Office optional', 'Closes, Indian time optional'];
const [TITLE = '', OFFICE = '', CLOSES = ''] = OWN_FIELDS;

test('a work that is not in Nivida becomes a bid in preparation', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const form = await openOwnBid();
  expect([form.texts('h2'), form.texts('label')]).toEqual([['Add a bid by hand'], OWN_FIELDS]);
  await form.press('Add');
  expect(form.errorAt(TITLE)).toBe('Name the work');
  await form.fill({ [TITLE]: ' Wall ', [OFFICE]: 'PWD', [CLOSES]: '2026-04-15T11:00' });
  await failOnce();
  await form.press('Add');
  await expect.poll(() => toast()?.text).toBe(NOT_SAVED);
  expect([form.saved, await bids()]).toEqual([[], []]);
  await form.press('Add');
  await expect.poll(() => form.saved).toHaveLength(1);
  const entry = { title: 'Wall', organisation: 'PWD', closingAt: '2026-04-15T05:30:00.000Z' };
  expect(await bids()).toEqual([
    { id: form.saved[0], ...entry, stage: 'preparing', createdAt: expect.stringMatching(/^2026-04-10T06:0/) },
  ]);
  await form.press('Cancel');
  expect(form.closed).toHaveLength(1);
});

test('a changed own entry keeps its stage', async () => {
  const own: Bid = { id: 'own', title: 'Wall', organisation: 'PWD', closingAt: '2026-04-15T05:30:00.000Z' };
  const { id, ...fields } = own;
  await saveBid(id, { ...fields, stage: 'submitted' });
  const form = await openOwnBid(own);
  expect(form.texts('h2')).toEqual(['Change this bid']);
  expect(OWN_FIELDS.map((label) => form.field(label).value)).toEqual(['Wall', 'PWD', '2026-04-15T11:00']);
  await form.fill({ [TITLE]: 'Long wall', [OFFICE]: '' });
  await form.press('Save');
  await expect.poll(() => form.saved).toEqual(['own']);
  expect(await bids()).toEqual([{ id, title: 'Long wall', closingAt: own.closingAt, stage: 'submitted' }]);
});

test.each<[BidStage, string[], string]>([
  ['preparing', ['Considering', 'Preparing', 'Submitted', 'Opened', 'Result'], 'Preparing'],
  ['won', ['Considering', 'Preparing', 'Submitted', 'Opened', 'Won'], 'Won'],
  ['dropped', ['Considering', 'Preparing', 'Submitted', 'Opened', 'Dropped'], 'Dropped'],
])('the steps of a bid in %s are %j', async (stage, steps, current) => {
  const { texts } = await openTestPage(<BidSteps stage={stage} />);
  expect(texts('li')).toEqual(steps);
  expect(texts('[aria-current="step"]')).toEqual([current]);
});

/** The facts of a bid on its page, and its other lines. */
async function overviewOf(bid: Bid, tender?: Parameters<typeof bidFacts>[1]) {
  const props = { bid, facts: bidFacts(bid, tender, NOW), hasTender: tender !== undefined };
  const { texts, page } = await openTestPage(<BidOverview {...props} />);
  return [
    texts('dt').map((name, index) => `${name}: ${texts('dd')[index]}`),
    page.querySelector('a')?.getAttribute('href'),
    texts('p'),
  ];
}

test('the page of a bid has the facts of its tender, else those that it stores', async () => {
  const facts = { title: 'Road', organisation: 'PWD', closingAt: '2026-04-15T05:30:00.000Z', closingTimeKnown: true };
  const tender = testTenderDetail({
    ...{ _id: '77', org_name: 'PWD Nirmand', price: 1_175_000, emd: '0.00', tender_fee: '350.00' },
    ...{ closing_date: '2026-04-20T05:30:00.000Z', opening_date: '2026-04-21T06:30:00.000Z' },
  });
  expect(await overviewOf({ id: '1', tenderId: '77', portalBidId: '4711', ...facts }, tender)).toEqual([
    [
      ...['Office: PWD Nirmand', 'Closes: 20 Apr 2026, 11:00 AM', 'Opens: 21 Apr 2026, 12:00 PM'],
      ...['Estimate: ₹11.75 Lakh (₹11,75,000)', 'EMD: Not required', 'Tender fee: ₹350.00'],
      ...['Tender ID: 2026_PWD_100001_1', 'Bid ID of the portal: 4711'],
    ],
    '/tenders/77',
    [],
  ]);
  const unknown = { ...tender, price: null, emd: null, tender_fee: null, opening_date: null };
  expect((await overviewOf({ id: '1', tenderId: '77' }, unknown))[0]).toEqual([
    ...['Office: PWD Nirmand', 'Closes: 20 Apr 2026, 11:00 AM', 'Estimate: Not published'],
    ...['EMD: Not specified', 'Tender fee: Not specified', 'Tender ID: 2026_PWD_100001_1'],
  ]);
  const absent = 'These facts are from your bid. The others load when you are online, unless the tender was withdrawn.';
  expect(await overviewOf({ id: '1', tenderId: '77', ...facts })).toEqual([
    ['Office: PWD', 'Closes: 15 Apr 2026, 11:00 AM'],
    '/tenders/77',
    [absent],
  ]);
  expect(await overviewOf({ id: '1' })).toEqual([['Office: Not entered', 'Closes: Not entered'], undefined, []]);
});

test('the history of a bid has its dates in Indian time, and no hour where only the day is known', async () => {
  const events = [
    { at: new Date('2026-04-10T19:00:00Z'), isDay: false, text: 'Corrigendum' },
    { at: new Date('2026-04-09T18:30:00Z'), isDay: true, text: 'EMD paid' },
  ];
  const { texts, page } = await openTestPage(<BidHistory events={events} />);
  expect(texts('li')).toEqual(['11 Apr 2026, 12:30 AMCorrigendum', '10 Apr 2026EMD paid']);
  expect(page.querySelector('time')?.getAttribute('datetime')).toBe('2026-04-10T19:00:00.000Z');
  expect((await openTestPage(<BidHistory events={[]} />)).text()).toBe('No dates yet.');
});

test('due reminders are shown oldest first, each with its bid and note, until it is done', async () => {
  await saveRecord('bid', '1', { title: 'Road', reminderAt: '2026-04-10T05:30:00.000Z', note: 'Call' }, 1);
  await saveRecord('bid', '2', { reminderAt: '2026-04-09T05:30:00.000Z' }, 2);
  await saveRecord('bid', '3', { title: 'Wall', reminderAt: '2026-04-10T06:01:00.000Z' }, 3);
  const { texts, page, press } = await openTestPage(<BidReminders now={NOW} />);
  await expect
    .poll(() => texts('p'))
    .toEqual([
      'Your reminder of 9 Apr 2026, 11:00 AM: Bid without a title',
      'Your reminder of 10 Apr 2026, 11:00 AM: Road – Call',
    ]);
  expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/dashboard/applications/2#notes',
    '/dashboard/applications/1#notes',
  ]);
  await press('Done with the reminder of Road');
  await expect.poll(() => toast()?.text).toBe('Reminder done.');
  await expect.poll(() => texts('p')).toEqual([expect.stringContaining('9 Apr')]);
});
