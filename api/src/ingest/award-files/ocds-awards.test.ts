// @vitest-environment node
/** The awards of OCDS releases: their days, amounts and bids. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readOcdsAwards } from './ocds-awards.ts';

type Json = Record<string, unknown>;

const award = (changes: Json = {}): Json => ({
  id: '1',
  status: 'active',
  // Still the day before by UTC.
  date: '2026-03-02T00:30:00+05:30',
  value: { amount: 930_000, currency: 'INR' },
  suppliers: [{ name: 'Asha  Builders' }],
  ...changes,
});

const release = ({ tender = {}, ...changes }: { tender?: Json } & Json = {}): Json => ({
  ocid: 'ocds-abc123-1',
  id: '1',
  date: '2026-03-10T10:00:00+05:30',
  tag: ['award'],
  initiationType: 'tender',
  buyer: { name: 'PWD' },
  tender: {
    id: '1',
    title: 'Culvert near the school',
    mainProcurementCategory: 'works',
    value: { amount: 1_000_000, currency: 'INR' },
    tenderPeriod: { startDate: '2026-01-01T00:30:00+05:30', endDate: '2026-01-15T00:30:00+05:30' },
    numberOfTenderers: 2,
    ...tender,
  },
  awards: [award()],
  ...changes,
});

async function read(...releases: Json[]) {
  const content = JSON.stringify({ version: '1.1', publisher: { name: 'PWD' }, releases });
  const awards = readOcdsAwards(Readable.from([Buffer.from(content)]), {
    portal: 'himproc',
    state: 'Himachal Pradesh',
  });
  const found = [];
  for await (const { award: each } of awards) found.push(each);
  return found;
}

const bid = (status: string, bidder: string | null = null, updatedOn: string | null = null) => ({
  bidder,
  submittedAt: null,
  status,
  updatedOn,
  awarded: status === 'Accepted-AOC',
});
const WINNER = bid('Accepted-AOC', 'Asha Builders', '2026-03-02');
const OTHER = bid('Rejected-Finance');

test('an award has its Indian days, its amounts, the winner, and the other bidders by their number', async () => {
  expect(await read(release())).toEqual([
    {
      portal: 'himproc',
      sourceId: 'ocds-abc123-1',
      state: 'Himachal Pradesh',
      title: 'Culvert near the school',
      organisationChain: ['PWD'],
      category: 'Works',
      pincode: null,
      estimate: 1_000_000,
      awardedValue: 930_000,
      publishedOn: '2026-01-01',
      closesOn: '2026-01-15',
      contractOn: '2026-03-02',
      bids: [WINNER, OTHER],
    },
  ]);
});

test('an award has the offices, the state and the PIN code of its tender, and unknown days where none is given', async () => {
  const buyer = { name: 'PWD', address: { region: 'Assam', postalCode: '781006' } };
  const [found] = await read(
    release({
      buyer,
      tender: { procuringEntity: { name: 'Guwahati Division' }, value: undefined },
      awards: [award({ date: undefined, value: undefined, suppliers: undefined })],
    }),
  );
  expect(found).toEqual({
    portal: 'himproc',
    sourceId: 'ocds-abc123-1',
    state: 'Assam',
    title: 'Culvert near the school',
    organisationChain: ['PWD', 'Guwahati Division'],
    category: 'Works',
    pincode: '781006',
    estimate: null,
    awardedValue: null,
    publishedOn: '2026-01-01',
    closesOn: '2026-01-15',
    contractOn: null,
    bids: [OTHER, OTHER],
  });
});

test('a release whose tender is rejected has no award, and the one before is not repeated', async () => {
  const unclosed = release({ ocid: 'ocds-abc123-2', tender: { tenderPeriod: undefined } });
  const found = await read(release(), unclosed, release({ ocid: 'ocds-abc123-3' }));
  expect(found.map(({ sourceId }) => sourceId)).toEqual(['ocds-abc123-1', 'ocds-abc123-3']);
});

test('a release without a usable award has none, and does not repeat the award of the release before', async () => {
  const without = [
    release({ ocid: 'ocds-abc123-2', awards: [award({ status: 'pending' }), award({ status: 'cancelled' })] }),
    release({ ocid: 'ocds-abc123-3', awards: [] }),
    release({ ocid: 'ocds-abc123-4', awards: undefined }),
  ];
  const last = release({ ocid: 'ocds-abc123-5', awards: [award({ status: null })] });
  const found = await read(release(), ...without, last);
  expect(found.map(({ sourceId }) => sourceId)).toEqual(['ocds-abc123-1', 'ocds-abc123-5']);
});

test('the date of an award in UTC is stored as the Indian day', async () => {
  const awards = [award({ date: '2026-03-20T18:30:00Z' })];
  expect(await read(release({ awards }))).toMatchObject([{ contractOn: '2026-03-21' }]);
});

test('several awards have the newest day, all winners and no value', async () => {
  const awards = [
    award({ date: '2026-03-20T10:00:00+05:30' }),
    award({ id: '2', suppliers: [{ name: 'Verma and Sons' }] }),
    award({ id: '3', status: 'unsuccessful', date: '2026-04-20T10:00:00+05:30' }),
  ];
  expect(await read(release({ awards }))).toMatchObject([
    {
      awardedValue: null,
      contractOn: '2026-03-20',
      bids: [bid('Accepted-AOC', 'Asha Builders', '2026-03-20'), bid('Accepted-AOC', 'Verma and Sons', '2026-03-20')],
    },
  ]);
});

test.each<[string, Json, Json, Json]>([
  ['rupees', { amount: 930_000, currency: 'INR' }, {}, { awardedValue: 930_000, estimate: 1_000_000 }],
  ['no currency', { amount: 930_000 }, {}, { awardedValue: 930_000, estimate: 1_000_000 }],
  ['nothing', { amount: 0, currency: 'INR' }, {}, { awardedValue: null, estimate: 1_000_000 }],
  ['the largest amount', { amount: 1e14 - 1, currency: 'INR' }, {}, { awardedValue: 1e14 - 1 }],
  ['a larger amount', { amount: 1e14, currency: 'INR' }, {}, { awardedValue: null }],
  ['dollars', { amount: 930, currency: 'USD' }, {}, { awardedValue: null, estimate: null, currency: 'USD' }],
  [
    'rupees for an estimate in pesos',
    { amount: 930, currency: 'INR' },
    { value: { amount: 5, currency: 'MXN' } },
    { awardedValue: null, estimate: null, currency: 'INR' },
  ],
])('the amounts of %s', async (_name, value, tender, expected) => {
  const [found] = await read(release({ awards: [award({ value })], tender }));
  expect(found).toMatchObject(expected);
  expect('currency' in (found ?? {})).toBe('currency' in expected);
});

test.each<[string, Json, Json]>([
  ['a number', { numberOfTenderers: 3 }, { bids: [WINNER, OTHER, OTHER] }],
  ['the number of the winners', { numberOfTenderers: 1 }, { bids: [WINNER] }],
  ['a number below that of the winners', { numberOfTenderers: 0 }, { bids: [WINNER], areBidsUnknown: true }],
  ['no number', { numberOfTenderers: undefined }, { bids: [WINNER], areBidsUnknown: true }],
  [
    'a list',
    { numberOfTenderers: undefined, tenderers: [{ name: 'Asha Builders' }, { name: 'Verma and Sons' }] },
    { bids: [WINNER, OTHER] },
  ],
])('the bidders are known by %s', async (_name, tender, expected) => {
  const [found] = await read(release({ tender }));
  expect(found).toMatchObject(expected);
  expect(found?.areBidsUnknown ?? false).toBe('areBidsUnknown' in expected);
});

test('at most 1,000 bidders are stored, and no name of those who lost', async () => {
  const [found] = await read(release({ tender: { numberOfTenderers: 5_000 } }));
  expect(found?.bids).toHaveLength(1_000);
  const details = [
    { status: 'valid', tenderers: [{ name: 'Asha Builders' }] },
    { status: 'disqualified', tenderers: [{ name: 'Verma and Sons' }] },
    { status: 'withdrawn', tenderers: [{ name: 'Negi Enterprises' }] },
    { status: 'valid' },
  ];
  const [listed] = await read(release({ bids: { details } }));
  expect(listed?.bids).toEqual([WINNER, bid('Rejected-Technical'), OTHER]);
});
