/** The rules of the statistics at their limits; the figures of real offices are in api/test/awards. */
import { dayNumber, dayText } from '@nivida/contract/time';
import { describe, expect, test } from 'vitest';
import type { Award } from '../award.entity.ts';
import { type AwardFacts, awardFacts } from './award-facts.ts';
import { backTest } from './back-test.ts';
import { type LateBids, type StateCoverage, stateOffices } from './office-awards.ts';
import { StateAwards } from './office-statistics.ts';
import { commonestPrice, pointMasses } from './point-masses.ts';
import { refusalsPredict } from './refusal-test.ts';
import { findRegimeChange } from './regime-detector.ts';
import { type Regime, Regimes } from './regimes.ts';
import { monthsBefore, statisticsDay } from './statistics-day.ts';
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

test.each<[string, number[], number]>([
  ['that of the most works', [-500, -1_000, -1_000, 0], -1_000],
  ['of equal ones that with more works near it', [-500, -500, -1_000, -1_000, -1_010], -1_000],
  ['of equal ones the nearest to the estimate', [-1_000, -1_000, 300, 300, -200, -200], -200],
])('the commonest price is %s', (_name, prices, price) => {
  for (const order of [prices, prices.toReversed()])
    expect(commonestPrice(order.map((each) => ({ price: each })))).toBe(price);
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

describe('the windows of an office', () => {
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

  test('show a range from 10 awards of the office or 20 of the department on, and shares from 20 on', () => {
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

describe('the statistics of offices as they are sent', () => {
  const many = (count: number, changes: Partial<AwardFacts> = {}) =>
    Array.from({ length: count }, (_, n) => facts(DAY - n, changes));
  const OTHER = { office: 'HPSEBL||Solan', department: 'HPSEBL', bidders: 10, refusedTechnical: 1 };

  function sent(
    all: AwardFacts[],
    {
      coverage = new Map(),
      regimes = [],
      refusalsPredict = true,
      lateBids = [],
    }: { coverage?: StateCoverage; regimes?: Regime[]; refusalsPredict?: boolean; lateBids?: LateBids[] } = {},
  ) {
    return stateOffices(new StateAwards(all, '2026-03-31', regimes), {
      state: 'Himachal Pradesh',
      day: DAY,
      regimes: new Regimes(regimes),
      coverage,
      refusalsPredict,
      lateBids: new Map(lateBids.map((each) => [each.officeId, each])),
      isDemonstration: false,
    });
  }
  const division = (...args: Parameters<typeof sent>) => {
    const found = sent(...args).find(({ office }) => office.key === 'PWD||Central Zone');
    if (!found) throw new Error('no division');
    return found;
  };

  test("are those of each office, then of each department; a department's newest award is that of any of its offices", () => {
    const all = [...many(20), facts(DAY - 30, { office: 'PWD||Kangra Zone' }), ...many(1, OTHER)];
    expect(sent(all).map(({ office, awards, lastKnownOn }) => [office.key, office.kind, awards, lastKnownOn])).toEqual([
      ['PWD||Central Zone', 'chain', 20, '2026-03-31'],
      ['PWD||Kangra Zone', 'chain', 1, '2026-03-01'],
      ['HPSEBL||Solan', 'chain', 1, '2026-03-31'],
      ['PWD||', 'department', 0, '2026-03-31'],
      ['HPSEBL||', 'department', 0, '2026-03-31'],
    ]);
    expect(division(all)).toMatchObject({
      office: { name: 'Central Zone', department: 'PWD', state: 'Himachal Pradesh' },
      firstKnownOn: '2026-03-12',
      computedOn: '2026-03-31',
    });
  });

  test("show refusals from 20 awards on, and call them unusual only if they are 1.5 times the state's and predict later ones", () => {
    const refusing = (count: number, changes: Partial<AwardFacts>) => [...many(count, changes), ...many(400, OTHER)];
    const bad = { bidders: 4, refusedTechnical: 2, notAdmitted: 1 };
    expect(division(refusing(20, bad)).refused).toEqual({
      count: 60,
      of: 80,
      technical: 40,
      notAdmitted: 20,
      isMoreThanUsual: true,
    });
    expect(division(refusing(20, bad), { refusalsPredict: false }).refused?.isMoreThanUsual).toBe(false);
    expect(division(refusing(19, bad)).refused).toBeNull();
    const refused = (count: (n: number) => number) =>
      division([
        ...many(20).map((each, n) => ({ ...each, bidders: 10, refusedTechnical: count(n) })),
        ...many(400, OTHER),
      ]).refused;
    expect(refused(() => 1)).toMatchObject({ count: 20, of: 200, isMoreThanUsual: false });
    // A third more than in the state, and two thirds more.
    expect(refused((n) => 1 + (n % 2))).toMatchObject({ count: 30, isMoreThanUsual: false });
    expect(refused(() => 2)).toMatchObject({ count: 40, isMoreThanUsual: true });
  });

  test('blend the refusals of an office with those of its department, and these with those of the state', () => {
    // The state has 4 bids an award, so a parent weighs as much as 80 bids.
    const all = [
      ...many(20, { bidders: 4, refusedTechnical: 4 }),
      ...many(20, { office: 'PWD||Kangra Zone', bidders: 4 }),
      ...many(40, { ...OTHER, bidders: 4, refusedTechnical: 0 }),
    ];
    const { refused } = new StateAwards(all, '2026-03-31').statistics('PWD||Central Zone', 'PWD');
    expect(refused.stateRate).toBe(80 / 320);
    const ofDepartment = (80 + (80 / 320) * 80) / (160 + 80);
    expect(refused.rate).toBeCloseTo((80 + ofDepartment * 80) / (80 + 80), 12);
  });

  test('show how many bids came late, from 20 awards with a known hour on', () => {
    const [{ office }] = sent(many(20)) as [ReturnType<typeof division>];
    const late = (awards: number): LateBids => ({ officeId: office.id, awards, bids: 60, late: 45 });
    expect(division(many(20), { lateBids: [late(20)] }).lateBids).toEqual({ count: 45, of: 60 });
    expect(division(many(20), { lateBids: [late(19)] }).lateBids).toBeNull();
    expect(division(many(20), { lateBids: [{ ...late(20), officeId: 'other' }] }).lateBids).toBeNull();
  });

  test.each([
    [30, 40, { isShown: true, coverage: { count: 30, of: 40 } }, 1],
    [29, 40, { isShown: false, reason: 'past-ranges-wrong', changedOn: null }, 0],
    [0, 39, { isShown: true, coverage: null }, 1],
  ])('with %i of %i past prices inside their ranges', (count, of, price, masses) => {
    const found = division(many(20), { coverage: new Map([['price', { count, of }]]) });
    expect(found.price).toMatchObject(price);
    expect(found.masses).toHaveLength(masses);
    expect(found.bidders).toMatchObject({ isShown: true, coverage: null });
  });

  test('show prices again after 20 awards under a new rule, and until then the day of the rule', () => {
    const regimes = [{ department: 'PWD', from: dayNumber('2026-01-10') }];
    // Published 60 days before they are known.
    expect(division(many(20), { regimes })).toMatchObject({
      price: { isShown: true, awards: 20 },
      masses: [{ price: -500, count: 20, of: 20 }],
    });
    expect(division(many(21), { regimes: [{ department: null, from: DAY - 60 - 18 }] })).toMatchObject({
      price: { isShown: false, reason: 'rates-changed', changedOn: '2026-01-12', officeAwards: 19 },
      masses: [],
      bidders: { isShown: true, awards: 21 },
    });
    const wide = many(20).map((each, n) => ({ ...each, price: n % 2 === 0 ? 0 : 4_000 }));
    expect(division(wide, { regimes }).price).toEqual({
      isShown: false,
      reason: 'too-wide',
      officeAwards: 20,
      changedOn: null,
    });
  });

  test('count the works with one bidder', () => {
    const all = [...many(5, { bidders: 1 }), ...many(15)];
    expect(division(all).singleBid).toEqual({ count: 5, of: 20 });
    expect(division(all.slice(1)).singleBid).toBeNull();
  });
});

describe('refusals predict later ones', () => {
  const period = { from: DAY + 1, until: DAY + 101 };
  const KANGRA = { office: 'PWD||Kangra Zone' };
  /** An office that refuses half of the bids and one that refuses none: 20 known awards each. */
  const known = Array.from({ length: 20 }, (_, n) => [facts(DAY - n, { refusedTechnical: 1 }), facts(DAY - n, KANGRA)]);
  const later = (publishedOn: number, changes: Partial<AwardFacts>) =>
    facts(publishedOn + 60, { publishedOn, ...changes });
  const tenders = (count: number, own: Partial<AwardFacts>, other: Partial<AwardFacts> = KANGRA) =>
    Array.from({ length: count }, (_, n) => later(DAY + 1 + n, n % 2 === 0 ? own : other));
  const predict = (...all: AwardFacts[]) => refusalsPredict([...known.flat(), ...all], period);

  test('if the offices continue as before, from 100 tested tenders on', () => {
    expect(predict(...tenders(100, { refusedTechnical: 1 }))).toBe(true);
    expect(predict(...tenders(100, { notAdmitted: 1 }))).toBe(true);
    expect(predict(...tenders(99, { refusedTechnical: 1 }))).toBe(false);
  });

  test('not if the offices change places or all refuse alike', () => {
    expect(predict(...tenders(100, {}, { ...KANGRA, refusedTechnical: 1 }))).toBe(false);
    expect(
      predict(...Array.from({ length: 100 }, (_, n) => later(DAY + 1 + n, { bidders: 4, refusedTechnical: 1 }))),
    ).toBe(false);
  });

  test('by tenders of the period with bids, of offices with 20 known awards', () => {
    const [first, ...others] = tenders(100, { refusedTechnical: 1 });
    if (!first) throw new Error('no tender');
    const outside = [
      { ...first, publishedOn: DAY },
      { ...first, publishedOn: DAY + 101 },
      { ...first, bidders: 0 },
      { ...first, office: 'PWD||Solan Zone' },
    ];
    for (const each of outside) expect(predict(...others, each)).toBe(false);
    expect(predict(...others, { ...first, publishedOn: DAY + 100 })).toBe(true);
  });
});

describe('a change of price rules that the awards show', () => {
  const OFFICES = ['Central', 'Kangra', 'Solan', 'Shimla', 'Chamba'];
  /** One work a day from day 0 on, known 60 days later; from `start` on all go at 14.99 % below. */
  const works = (days: number, start: number, price = -1_499, offices = OFFICES) =>
    Array.from({ length: days }, (_, n) => ({
      office: offices[n % offices.length] as string,
      publishedOn: n,
      closesOn: n + 14,
      knownOn: n + 60,
      price: n >= start ? price : -150 * (n % 20),
    }));

  test('has its first day, its price and the shares before and after', () => {
    // The days of the search are a week apart; one of 20 other prices is the same but for rounding.
    expect(findRegimeChange(works(400, 300), 420, 0)).toEqual({
      from: 301,
      price: -1_499,
      shareBefore: 16 / 301,
      shareAfter: 1,
    });
  });

  test('may be the end of a rule', () => {
    const ended = works(400, 0).map((each, n) => (n >= 300 ? { ...each, price: -150 * (n % 20) } : each));
    expect(findRegimeChange(ended, 420, 0)).toEqual({
      from: 301,
      price: -1_499,
      shareBefore: 300 / 301,
      shareAfter: 3 / 60,
    });
  });

  test('is seen when enough awards of each side are known', () => {
    const seen = (day: number, since: number) => findRegimeChange(works(400, 300), day, since)?.from ?? null;
    expect([seen(373, 0), seen(374, 0)]).toEqual([null, 290]);
    expect([seen(420, 284), seen(420, 285)]).toEqual([308, null]);
  });

  test('is not seen where prices stay, or where a smaller part of the works has the price', () => {
    expect(findRegimeChange(works(400, 400), 420, 0)).toBeNull();
    const every = (nth: number) =>
      works(400, 300).map((each, n) => (n >= 300 && n % nth !== 0 ? { ...each, price: -150 * (n % 20) } : each));
    expect(findRegimeChange(every(2), 420, 0)).toMatchObject({ price: -1_499 });
    expect(findRegimeChange(every(3), 420, 0)).toBeNull();
  });

  test('is not seen in works of one office and day, which are one decision', () => {
    const lot = works(400, 300, -1_499, ['Central']).map((each) =>
      each.publishedOn >= 300 ? { ...each, publishedOn: 301, closesOn: 315 } : each,
    );
    expect(findRegimeChange(lot, 420, 0)).toBeNull();
  });

  test('is not a price that as many works had before', () => {
    const swings = works(400, 0).map((each, n) =>
      Math.floor(n / 60) % 2 === 0 ? { ...each, price: -150 * (n % 20) } : each,
    );
    expect(findRegimeChange(swings, 480, 0)).toBeNull();
  });
});
