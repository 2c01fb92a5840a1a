/** The rules of the statistics at their limits; the figures of real offices are in api/test/awards. */
import { dayNumber, dayText } from '@nivida/contract/time';
import { describe, expect, test } from 'vitest';
import type { Award } from '../award.entity.ts';
import { type AwardFacts, awardFacts } from './award-facts.ts';
import { backTest } from './back-test.ts';
import { monthsBefore } from './day-number.ts';
import { StateAwards } from './office-statistics.ts';
import { pointMasses } from './point-masses.ts';
import { Regimes } from './regimes.ts';
import { statisticsDay } from './statistics-day.ts';
import { blend, countValues, weightedRange } from './weighted-values.ts';

const bid = (status: string, updatedOn: string | null = null): Award['bids'][number] => ({
  bidder: 'Verma Builders',
  submittedAt: null,
  status,
  updatedOn,
  awarded: false,
});

const award = (changes: Partial<Award> = {}): Award => ({
  portal: 'hptenders',
  sourceId: '2026_PWD_1_1',
  state: 'Himachal Pradesh',
  title: 'Retaining wall',
  organisationChain: ['PWD', 'Central Zone'],
  category: 'Works',
  pincode: null,
  estimate: 1_000_000,
  awardedValue: 900_000,
  publishedOn: '2026-01-01',
  closesOn: '2026-01-15',
  contractOn: '2026-02-14',
  bids: [bid('Accepted-AOC', '2026-02-20')],
  ...changes,
});

describe('the facts of an award', () => {
  test('are its days, its bids before the prices, and its price in hundredths of a percent', () => {
    const bids = [
      bid('Accepted-AOC', '2026-02-20'),
      bid('Rejected-Technical', '2026-03-20'),
      bid('Rejected-Technical'),
      bid('Not Admitted-Technical'),
      bid('Not Admitted-Finance'),
      bid('Rejected-Finance'),
    ];
    expect(awardFacts(award({ bids }))).toEqual({
      office: 'PWD||Central Zone',
      department: 'PWD',
      // The day of the winner's bid, which is later than the contract; another bid does not count.
      knownOn: dayNumber('2026-02-20'),
      publishedOn: dayNumber('2026-01-01'),
      closesOn: dayNumber('2026-01-15'),
      bidders: 6,
      refusedTechnical: 2,
      notAdmitted: 1,
      price: -1_000,
      daysToContract: 30,
    });
  });

  test.each<[string, Partial<Award>, unknown]>([
    ['closing 180 days after publishing', { publishedOn: '2025-07-19' }, expect.objectContaining({ price: -1_000 })],
    ['closing 181 days after publishing', { publishedOn: '2025-07-18' }, 'open-too-long'],
    ['closing on the day of publishing', { publishedOn: '2026-01-15' }, expect.objectContaining({ price: -1_000 })],
    ['closing before publishing', { publishedOn: '2026-01-16' }, 'published-after-closing'],
    ['known on the day of closing', { closesOn: '2026-02-20' }, expect.objectContaining({ daysToContract: null })],
    ['known before closing', { closesOn: '2026-02-21' }, 'awarded-before-closing'],
    ['without the day of closing', { closesOn: null }, 'no-dates'],
    ['without the day of publishing', { publishedOn: null }, 'no-dates'],
    ['without a winner', { contractOn: null, bids: [bid('Rejected-Finance', '2026-02-20')] }, 'not-awarded'],
    ['of unknown bids', { areBidsUnknown: true }, 'bids-unknown'],
    ['without an office', { organisationChain: [] }, 'no-organisation'],
    ['with the contract as its only day', { bids: [] }, expect.objectContaining({ knownOn: dayNumber('2026-02-14') })],
    ['with a contract 730 days later', { contractOn: '2028-01-15' }, expect.objectContaining({ daysToContract: 730 })],
    ['with a contract 731 days later', { contractOn: '2028-01-16' }, expect.objectContaining({ daysToContract: null })],
    ['with a contract at closing', { contractOn: '2026-01-15' }, expect.objectContaining({ daysToContract: 0 })],
    ['without a contract', { contractOn: null }, expect.objectContaining({ daysToContract: null })],
  ])('%s', (_name, changes, facts) => {
    expect(awardFacts(award(changes))).toEqual(facts);
  });

  test.each<[Partial<Award>, number | string]>([
    [{ awardedValue: 500_000 }, -5_000],
    [{ awardedValue: 499_999 }, 'value-far-from-estimate'],
    [{ awardedValue: 1_500_000 }, 5_000],
    [{ awardedValue: 1_500_001 }, 'value-far-from-estimate'],
    [{ awardedValue: 850_149 }, -1_499],
    [{ awardedValue: 1_000_000 }, 0],
    [{ awardedValue: 999, estimate: 1_000 }, 'value-too-small'],
    [{ awardedValue: 1_000, estimate: 999 }, 'estimate-too-small'],
    [{ awardedValue: 1_000, estimate: 1_000 }, 0],
    [{ awardedValue: null }, 'no-value'],
    [{ estimate: null }, 'no-estimate'],
    [{ currency: 'USD' }, 'other-currency'],
    [{ bids: [bid('Accepted-AOC'), bid('Accepted-AOC')] }, 'several-winners'],
  ])('have for %j the price %s', (changes, price) => {
    expect(awardFacts(award(changes))).toMatchObject({ price });
  });
});

test.each([
  ['2026-03-31', 1, '2026-02-28'],
  ['2028-03-31', 1, '2028-02-29'],
  ['2026-03-15', 1, '2026-02-15'],
  ['2026-01-31', 2, '2025-11-30'],
  ['2026-04-06', 24, '2024-04-06'],
])('%s less %i months is %s', (day, months, before) => {
  expect(dayText(monthsBefore(dayNumber(day), months))).toBe(before);
});

describe('the last day of the windows', () => {
  /** `count` awards on each of some days. */
  const known = (...days: [day: number, count: number][]) => days.flatMap(([day, count]) => Array(count).fill(day));

  test.each<[string, number[], number | null]>([
    ['has 20 awards within a week', known([100, 1], [106, 19], [150, 3]), 106],
    ['does not have 20 awards within eight days', known([50, 20], [100, 1], [107, 19]), 50],
    ['is the newest of a small source', known([100, 5], [120, 1]), 120],
    ['is not after today', known([190, 20], [200, 20], [201, 20]), 200],
    ['is unknown without awards', known([201, 1]), null],
  ])('%s', (_name, days, day) => {
    expect(statisticsDay(days, 200)).toBe(day);
  });
});

describe('a range of weighted values', () => {
  const range = (values: number[], low = 0.1, high = 0.9) => weightedRange(countValues(values), low, high);
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

  test.each<[number[], { low: number; high: number } | null]>([
    [[], null],
    [[7], { low: 7, high: 7 }],
    // Of nine values the outermost belong to 80 %, of nineteen they do not.
    [upTo(9), { low: 1, high: 9 }],
    [upTo(19), { low: 2, high: 18 }],
    [[5, 5, 5, 5, 5, 5, 5, 5, 5, 9], { low: 5, high: 9 }],
  ])('of %j is %j', (values, expected) => {
    expect(range(values)).toEqual(expected);
  });

  test('has the parent as if it were some more values', () => {
    const blended = blend(
      new Map([[1, 4]]),
      new Map([
        [1, 30],
        [3, 10],
      ]),
      20,
    );
    expect([...blended]).toEqual([
      [1, 19],
      [3, 5],
    ]);
    expect([...blend(new Map([[1, 4]]), new Map(), 20)]).toEqual([[1, 4]]);
  });
});

describe('a price at which many works went', () => {
  const prices = (price: number, count: number, days: number) =>
    Array.from({ length: count }, (_, n) => ({ price, closesOn: n % days }));
  /** Prices that are far from each other. */
  const scattered = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ price: 1_000 + 100 * n, closesOn: n }));

  test.each<[string, { price: number; closesOn: number }[], [number, number][]]>([
    ['a quarter of 32 works', [...prices(-500, 8, 4), ...scattered(24)], [[-500, 8]]],
    ['less than a quarter of 33', [...prices(-500, 8, 4), ...scattered(25)], []],
    ['seven works', [...prices(-500, 7, 7), ...scattered(13)], []],
    ['works of three closing days', [...prices(-500, 12, 3), ...scattered(12)], []],
    ['works of an office with 19', prices(-500, 19, 19), []],
    ['works of an office with 20', prices(-500, 20, 20), [[-500, 20]]],
    ['prices within a tenth of a percent', [...prices(-500, 10, 5), ...prices(-510, 10, 5)], [[-500, 20]]],
    [
      'prices further apart',
      [...prices(-500, 11, 5), ...prices(-511, 10, 5)],
      [
        [-500, 11],
        [-511, 10],
      ],
    ],
  ])('%s', (_name, all, masses) => {
    expect(pointMasses(all).map(({ centre, works }) => [centre, works])).toEqual(masses);
  });
});

test('the newest change of rules of a department or its state counts', () => {
  const regimes = new Regimes([
    { department: 'PWD', from: 30 },
    { department: 'PWD', from: 10 },
    { department: null, from: 20 },
    { department: 'HPSEBL', from: 5 },
  ]);
  expect(['PWD', 'HPSEBL', 'Forest'].map((name) => regimes.changedOn(name))).toEqual([30, 20, 20]);
  expect(new Regimes([{ department: 'PWD', from: 30 }]).changedOn('Forest')).toBeNull();
});

describe('the windows of an office', () => {
  const DAY = dayNumber('2026-03-31');
  const facts = (knownOn: number, changes: Partial<AwardFacts> = {}): AwardFacts => ({
    office: 'PWD||Central Zone',
    department: 'PWD',
    knownOn,
    publishedOn: knownOn - 60,
    closesOn: knownOn - 40,
    bidders: 2,
    refusedTechnical: 0,
    notAdmitted: 0,
    price: -500,
    daysToContract: 40,
    ...changes,
  });
  const statistics = (...all: AwardFacts[]) =>
    new StateAwards(all, '2026-03-31').statistics('PWD||Central Zone', 'PWD');

  test('are 24 months of awards and 12 months of prices, both with their first day and the last', () => {
    const found = statistics(
      facts(dayNumber('2024-03-31')),
      facts(dayNumber('2024-04-01')),
      facts(dayNumber('2025-03-31')),
      facts(dayNumber('2025-04-01'), { bidders: 1 }),
      facts(DAY),
      facts(DAY + 1),
    );
    expect(found).toMatchObject({ awards: 4, prices: 2, firstKnownOn: '2024-04-01', lastKnownOn: '2026-03-31' });
    expect(found.singleBid).toEqual({ awards: 1, isShown: false });
  });

  test('show a range from 10 awards on, that of the department from 20, and shares from 20', () => {
    const many = (count: number, changes: Partial<AwardFacts> = {}) =>
      Array.from({ length: count }, (_, n) => facts(DAY - n, changes));
    expect(statistics(...many(9)).bidders).toMatchObject({ level: null, officeAwards: 9, withheld: 'too-few' });
    expect(statistics(...many(10)).bidders).toMatchObject({ level: 'office', awards: 10, low: 2, high: 2 });
    const others = { office: 'PWD||Kangra Zone', bidders: 5 };
    expect(statistics(...many(9), ...many(10, others)).bidders).toMatchObject({ level: null, departmentAwards: 19 });
    expect(statistics(...many(9), ...many(11, others)).bidders).toMatchObject({ level: 'department', awards: 20 });
    expect(statistics(...many(19)).singleBid.isShown).toBe(false);
    expect(statistics(...many(20)).singleBid.isShown).toBe(true);
  });

  test('show no price range of more than 25 %', () => {
    const between = (high: number) =>
      statistics(...Array.from({ length: 20 }, (_, n) => facts(DAY - n, { price: n % 2 === 0 ? 0 : high }))).price;
    expect(between(2_500)).toMatchObject({ low: 0, high: 2_500 });
    expect(between(2_500).withheld).toBeUndefined();
    expect(between(2_501).withheld).toBe('too-wide');
  });

  test('are tested with tenders published later, by the awards known before', () => {
    const known = Array.from({ length: 20 }, (_, n) => facts(DAY - 1 - n));
    const later = (publishedOn: number, bidders: number) => facts(publishedOn + 60, { publishedOn, bidders });
    const tested = backTest(
      [...known, facts(DAY, { bidders: 9 }), later(DAY - 1, 2), later(DAY, 2), later(DAY + 9, 3), later(DAY + 10, 2)],
      { from: DAY, until: DAY + 10 },
    );
    expect(tested.bidders).toMatchObject({ tenders: 2, ranges: 2, covered: 1, shown: 2, shownCovered: 1 });
  });
});
