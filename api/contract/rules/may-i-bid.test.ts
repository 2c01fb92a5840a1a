import { describe, expect, test } from 'vitest';
import {
  authorityOf,
  type BidProfile,
  bidCapacity,
  capacityReason,
  EMPTY_BID_PROFILE,
  type Enlistment,
  enlistmentReason,
  isCertainRule,
  lastFinancialYears,
  listVerdict,
  mayIBid,
  meetsSimilarWorks,
  type RuledTender,
  raisedValue,
  similarWorksReason,
  turnoverReason,
  wasInForceAtPublication,
} from './may-i-bid.ts';

const LAKH = 100_000;
const CRORE = 10_000_000;
const NOW = new Date('2026-11-20T12:00:00+05:30');

const JAL_SHAKTI: RuledTender = {
  state: 'Himachal Pradesh',
  department: 'Irrigation & Public Health',
  category: 'Works',
  price: 30 * LAKH,
  published_date: '2026-11-01T00:00:00.000Z',
  closing_date: '2026-12-01T00:00:00.000Z',
  period_of_work_days: 365,
};
const ODISHA: RuledTender = { ...JAL_SHAKTI, state: 'Odisha', department: 'Works Department' };
const CPWD: RuledTender = { ...JAL_SHAKTI, department: 'Central Public Works Department' };

const enlistment = (authority: string, className: string, more: Partial<Enlistment> = {}): Enlistment => ({
  ...{ id: '1', authority, className, ownLimit: null, validUntil: '2027-03-31' },
  ...more,
});
const profile = (more: Partial<BidProfile>): BidProfile => ({ ...EMPTY_BID_PROFILE, ...more });

const LIMIT_TEXTS = {
  within:
    /^Your enlistment of .+ is (up to ₹.+|without a limit)\. The table may have changed\. Enter the limit from your certificate\.$/,
  above:
    /^The estimate ₹.+ is above the limit ₹.+\. The table may have changed\. Enter the limit from your certificate\.$/,
  'not known': /^The limit of your class is not known here\. Enter it from your certificate\.$/,
};

test.each([
  ['Electrical Works', 'electrical', 'yes', /^Your enlistment of .+ is up to ₹50\.00 Lakh\.$/],
  ['Electrical Works', 'civil', 'ask', /^You entered no enlistment of .+ for electrical works\.$/],
  ['Electrical Works', undefined, 'ask', /Is it for electrical works\?$/],
  ['Civil Works - Roads', 'civil', 'yes', /^Your enlistment of .+ is up to ₹50\.00 Lakh\.$/],
  ['Pipe Laying Works', 'electrical', 'yes', /^Your enlistment of .+ is up to ₹50\.00 Lakh\.$/],
  [null, undefined, 'yes', /^Your enlistment of .+ is up to ₹50\.00 Lakh\.$/],
] as const)('for a tender of %s an enlistment for %s works says: %s', (product, trade, verdict, text) => {
  const own = enlistment('hp_jal_shakti', '', { ownLimit: 50 * LAKH, trade });
  const reason = enlistmentReason({ ...JAL_SHAKTI, sub_category: product }, profile({ enlistments: [own] }));
  expect(reason.verdict).toBe(verdict);
  expect(reason.text).toMatch(text);
});

describe('the class limit', () => {
  test.each([
    ['Jal Shakti, class D, 30 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'D', 30 * LAKH, 'within'],
    ['Jal Shakti, class D, above 30 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'D', 30 * LAKH + 1, 'above'],
    ['Jal Shakti, class C, 80 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'C', 80 * LAKH, 'within'],
    ['Jal Shakti, class C, above 80 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'C', 80 * LAKH + 1, 'above'],
    ['Jal Shakti, class B, 2 crore', JAL_SHAKTI, 'hp_jal_shakti', 'B', 2 * CRORE, 'within'],
    ['Jal Shakti, class B, above 2 crore', JAL_SHAKTI, 'hp_jal_shakti', 'B', 2 * CRORE + 1, 'above'],
    ['Jal Shakti, class A, whose limit is not stated', JAL_SHAKTI, 'hp_jal_shakti', 'A', LAKH, 'not known'],
    ['Odisha, class D, 20 lakh', ODISHA, 'odisha_works', 'D', 20 * LAKH, 'within'],
    ['Odisha, class D, above 20 lakh', ODISHA, 'odisha_works', 'D', 20 * LAKH + 1, 'above'],
    ['Odisha, class C, 40 lakh', ODISHA, 'odisha_works', 'C', 40 * LAKH, 'within'],
    ['Odisha, class C, above 40 lakh', ODISHA, 'odisha_works', 'C', 40 * LAKH + 1, 'above'],
    ['Odisha, class B, 3 crore', ODISHA, 'odisha_works', 'B', 3 * CRORE, 'within'],
    ['Odisha, class A, above 6 crore', ODISHA, 'odisha_works', 'A', 6 * CRORE + 1, 'above'],
    ['Odisha, Special class, 15 crore', ODISHA, 'odisha_works', 'Special', 15 * CRORE, 'within'],
    ['Odisha, Special class, above 15 crore', ODISHA, 'odisha_works', 'Special', 15 * CRORE + 1, 'above'],
    ['Odisha, Super class, 500 crore', ODISHA, 'odisha_works', 'Super', 500 * CRORE, 'within'],
    [
      'Himachal PWD, whose limits are not known',
      { ...JAL_SHAKTI, department: 'PWD' },
      'hp_pwd',
      'C',
      LAKH,
      'not known',
    ],
    [
      'Assam PWD, whose limits are not known',
      { ...JAL_SHAKTI, state: 'Assam', department: 'Public Works Roads Department' },
      'assam_pwd',
      'C',
      LAKH,
      'not known',
    ],
    ['CPWD, whose limits are not known', CPWD, 'cpwd', 'C', LAKH, 'not known'],
  ] as const)('%s', (_, tender, authority, className, price, found) => {
    const { verdict: answer, text } = enlistmentReason(
      { ...tender, price },
      profile({ enlistments: [enlistment(authority, className)] }),
    );
    expect(text).toMatch(LIMIT_TEXTS[found]);
    // no table comes from an official text
    expect(answer).toBe('ask');
  });

  const classD = profile({ enlistments: [enlistment('hp_jal_shakti', 'D')] });

  test('names the rule, its source and date, and the NIT', () => {
    expect(enlistmentReason({ ...JAL_SHAKTI, price: 35 * LAKH }, classD)).toEqual({
      verdict: 'ask',
      text: 'The estimate ₹35.00 Lakh is above the limit ₹30.00 Lakh of your enlistment of Himachal Pradesh Jal Shakti Vibhag. The table may have changed. Enter the limit from your certificate.',
      source: 'press report (Punjab Kesari) of September 2018. Check the NIT.',
    });
  });

  test("on the contractor's certificate takes precedence over the table", () => {
    const own = profile({ enlistments: [enlistment('hp_jal_shakti', 'D', { ownLimit: 50 * LAKH })] });
    expect(enlistmentReason({ ...JAL_SHAKTI, price: 45 * LAKH }, own).verdict).toBe('yes');
    expect(enlistmentReason({ ...JAL_SHAKTI, price: 55 * LAKH }, own)).toMatchObject({ verdict: 'no', source: null });
  });

  test.each([
    [45, 'Your enlistment of Himachal Pradesh Jal Shakti Vibhag is up to ₹50.00 Lakh.'],
    [
      55,
      'The estimate ₹55.00 Lakh is above the limit ₹50.00 Lakh of your enlistment of Himachal Pradesh Jal Shakti Vibhag.',
    ],
  ])('of a certificate without a last day is a question for an estimate of %i lakh', (lakh, text) => {
    const own = [enlistment('hp_jal_shakti', 'D', { ownLimit: 50 * LAKH, validUntil: '' })];
    expect(enlistmentReason({ ...JAL_SHAKTI, price: lakh * LAKH }, profile({ enlistments: own }))).toEqual({
      verdict: 'ask',
      text: `${text} Enter its last day from your certificate.`,
      source: null,
    });
    // a second, certain certificate decides what it fits
    const both = [...own, enlistment('hp_jal_shakti', 'C', { id: '2', ownLimit: 80 * LAKH })];
    expect(enlistmentReason({ ...JAL_SHAKTI, price: lakh * LAKH }, profile({ enlistments: both })).verdict).toBe('yes');
  });

  test('of a table decides only with an official text and a known end', () => {
    expect(isCertainRule({ confidence: 'A', validTo: '2027-03-31' })).toBe(true);
    expect(isCertainRule({ confidence: 'A', validTo: null })).toBe(false);
    expect(isCertainRule({ confidence: 'B', validTo: '2027-03-31' })).toBe(false);
    // a norm has no table that ends
    expect(isCertainRule({ confidence: 'A' })).toBe(true);
    expect(isCertainRule({ confidence: 'B' })).toBe(false);
  });

  test.each([
    ['2026-03-31T18:29:59Z', false],
    ['2026-03-31T18:30:00Z', true],
    ['2027-03-31T18:29:59Z', true],
    ['2027-03-31T18:30:00Z', false],
  ])('of a table from 1 April 2026 to 31 March 2027 is in force at %s: %s', (published_date, isInForce) => {
    const table = { validFrom: '2026-04-01', validTo: '2027-03-31' };
    expect(wasInForceAtPublication(table, { published_date })).toBe(isInForce);
  });

  test('of a table does not hold for a tender published before its date', () => {
    const early = { ...JAL_SHAKTI, price: 35 * LAKH, published_date: '2018-08-31T18:29:00.000Z' };
    expect(enlistmentReason(early, classD).text).toMatch(LIMIT_TEXTS['not known']);
    const later = { ...early, published_date: '2018-08-31T18:30:00.000Z' };
    expect(enlistmentReason(later, classD).text).toMatch(LIMIT_TEXTS.above);
  });

  test.each([
    ['without an estimate', { price: null }],
    ['of an office that the rules do not know', { department: 'HPSEBL' }],
    ['of a supply', { category: 'Goods' }],
    ['of another state', { state: 'Punjab' }],
    ['that closes after the end of the enlistment', { closing_date: '2027-04-01T00:00:00.000Z' }],
  ] as const)('is a question for a tender %s', (_, change) => {
    expect(enlistmentReason({ ...JAL_SHAKTI, price: 35 * LAKH, ...change }, classD).verdict).toBe('ask');
  });
});

describe('of several enlistments at one office', () => {
  const own = (lakh: number, more: Partial<Enlistment> = {}) =>
    enlistment('hp_jal_shakti', '', { ownLimit: lakh * LAKH, ...more });
  const reasonOf = (lakh: number, ...enlistments: Enlistment[]) =>
    enlistmentReason(
      { ...JAL_SHAKTI, sub_category: 'Electrical Works', price: lakh * LAKH },
      profile({ enlistments: enlistments.map((each) => ({ trade: 'electrical', ...each })) }),
    );
  const NAME = 'Himachal Pradesh Jal Shakti Vibhag';

  test('the one for the trade of the work takes precedence over one without a trade', () => {
    expect(reasonOf(30, own(50, { trade: undefined }), own(40))).toEqual({
      verdict: 'yes',
      text: `Your enlistment of ${NAME} is up to ₹40.00 Lakh.`,
      source: null,
    });
  });

  test('the highest limit is shown, and an uncertain or unknown limit gives a question', () => {
    const above = `The estimate ₹60.00 Lakh is above the limit ₹50.00 Lakh of your enlistment of ${NAME}.`;
    expect(reasonOf(60, own(40), own(50), own(30))).toEqual({ verdict: 'no', text: above, source: null });
    expect(reasonOf(60, own(50), own(40, { validUntil: '' }))).toEqual({
      verdict: 'ask',
      text: `${above} Enter its last day from your certificate.`,
      source: null,
    });
    expect(reasonOf(60, own(50), enlistment('hp_jal_shakti', 'A')).text).toMatch(LIMIT_TEXTS['not known']);
  });

  test('one that ends before closing does not count, and one that ends on the day of closing does', () => {
    const closing = (closing_date: string) =>
      enlistmentReason({ ...JAL_SHAKTI, closing_date, price: 35 * LAKH }, profile({ enlistments: [own(50)] })).text;
    expect(closing('2027-03-31T18:29:59.000Z')).toBe(`Your enlistment of ${NAME} is up to ₹50.00 Lakh.`);
    expect(closing('2027-03-31T18:30:00.000Z')).toBe(`Your enlistment of ${NAME} ends before closing. Renew it first.`);
    expect(reasonOf(45, own(50, { validUntil: '2026-11-30' }), own(40)).verdict).toBe('no');
  });
});

describe('similar works', () => {
  test.each([
    [[40, 40, 40], true],
    [[40, 40, 39.9], false],
    [[50, 50], true],
    [[50, 49.9], false],
    [[80], true],
    [[79.9], false],
    [[], false],
  ])('%j lakh for an estimate of 100 lakh: %s', (lakhs, expected) => {
    expect(
      meetsSimilarWorks(
        100 * LAKH,
        lakhs.map((value) => value * LAKH),
      ),
    ).toBe(expected);
  });

  const work = (value: number, completedOn: string) => ({ id: completedOn, name: 'Road', value, completedOn });
  const tender = { ...JAL_SHAKTI, price: 100 * LAKH };

  test('count for seven years after their completion', () => {
    const verdictOf = (day: string) =>
      similarWorksReason(tender, profile({ works: [work(80 * LAKH, day)] }), NOW).verdict;
    expect(verdictOf('2019-11-21')).toBe('yes');
    expect(verdictOf('2019-11-20')).toBe('ask');
    expect(verdictOf('2026-11-21')).toBe('ask');
  });

  test('rise by 7 % a year where the rule of CPWD is chosen', () => {
    const past = work(70 * LAKH, '2023-11-21');
    expect(raisedValue(work(100, '2025-11-20'), new Date('2026-11-20T00:00:00+05:30'))).toBeCloseTo(107, 5);
    expect(similarWorksReason(tender, profile({ works: [past] }), NOW).verdict).toBe('ask');
    // the rise comes from a trade page only
    expect(similarWorksReason(tender, profile({ works: [past], raisesValues: true }), NOW)).toEqual({
      verdict: 'ask',
      text: 'Your works, raised by 7 % a year, reach the usual 3 of ₹40.00 Lakh or 2 of ₹50.00 Lakh or 1 of ₹80.00 Lakh in 7 years, if they are similar. Does this NIT raise values?',
      source:
        'Manual for Procurement of Works, as tender documents quote it; values raised 7 % a year (CPWD, DGW/MAN/160 of 2008). Check the NIT.',
    });
  });
});

describe('turnover', () => {
  const turnover = { '2025-26': 30 * LAKH, '2024-25': 20 * LAKH, '2023-24': 40 * LAKH };
  const tender = { ...CPWD, price: 100 * LAKH };

  test('of the last three complete financial years is 30 % of the estimate on average', () => {
    expect(lastFinancialYears(new Date('2026-03-31T23:00:00+05:30'), 2)).toEqual(['2024-25', '2023-24']);
    expect(lastFinancialYears(new Date('2026-04-01T00:00:00+05:30'), 2)).toEqual(['2025-26', '2024-25']);
    // the norm comes from a trade page only, and no notice's data say whether it asks for it
    const source = 'CPWD norms for works. Check the NIT.';
    expect(turnoverReason(tender, profile({ turnover }), NOW)).toEqual({
      verdict: 'ask',
      text: 'Your average turnover ₹30.00 Lakh reaches 30 % of the estimate. Does this NIT ask for more?',
      source,
    });
    expect(turnoverReason({ ...tender, price: 200 * LAKH }, profile({ turnover }), NOW)).toEqual({
      verdict: 'ask',
      text: 'Your average turnover ₹30.00 Lakh is below ₹60.00 Lakh. Does this NIT ask for 30 % of the estimate?',
      source,
    });
  });

  test('is a question outside CPWD, and with a year missing', () => {
    const low = profile({ turnover: { ...turnover, '2025-26': 1 } });
    expect(turnoverReason({ ...JAL_SHAKTI, price: 100 * LAKH }, low, NOW).verdict).toBe('ask');
    expect(turnoverReason(tender, profile({ turnover: { '2025-26': 1, '2024-25': 1 } }), NOW).verdict).toBe('ask');
  });
});

describe('bid capacity', () => {
  test('is A·N·M − B', () => {
    expect(bidCapacity({ largest: 100, years: 1.5, multiplier: 2, commitments: 50 })).toBe(250);
  });

  test('takes the largest of five years, the period of work, M of the profile and the works in hand', () => {
    const figures = profile({ turnover: { '2021-22': 100 * LAKH, '2025-26': 40 * LAKH }, commitments: 50 * LAKH });
    const tender = { ...JAL_SHAKTI, price: 150 * LAKH };
    const textOf = (price: number, entered = figures) => capacityReason({ ...tender, price }, entered, NOW).text;
    expect(textOf(150 * LAKH)).toBe('Your bid capacity is ₹1.50 Cr, at least the estimate. Does this NIT use this M?');
    expect(textOf(150 * LAKH + 1)).toBe('Your bid capacity is ₹1.50 Cr, below the estimate. Does this NIT ask for it?');
    expect(textOf(250 * LAKH, { ...figures, multiplier: 3 })).toContain('₹2.50 Cr, at least the estimate');
    expect(capacityReason(tender, figures, NOW).verdict).toBe('ask');
    // the sixth year before, and a longer period of work
    expect(textOf(150 * LAKH, { ...figures, turnover: { ...figures.turnover, '2020-21': 900 * LAKH } })).toContain(
      '₹1.50 Cr',
    );
    expect(capacityReason({ ...tender, period_of_work_days: 730 }, figures, NOW).text).toContain('₹3.50 Cr');
    expect(textOf(150 * LAKH, { ...figures, commitments: 900 * LAKH })).toContain('is ₹0, below the estimate');
  });

  test.each([
    [{ period_of_work_days: null }, {}, 'Bid capacity: the portal names no period of work.'],
    [{ period_of_work_days: 0 }, {}, 'Bid capacity: the portal names no period of work.'],
    [{ price: null }, {}, 'Bid capacity: the portal publishes no estimate.'],
    [{}, { commitments: null }, 'Bid capacity: enter your turnover and your works in hand.'],
    [{}, { turnover: {} }, 'Bid capacity: enter your turnover and your works in hand.'],
  ])('is not counted for a tender with %j and figures with %j', (tender, figures, text) => {
    const entered = profile({ turnover: { '2025-26': LAKH }, commitments: 0, ...figures });
    expect(capacityReason({ ...JAL_SHAKTI, ...tender }, entered, NOW)).toEqual({ verdict: 'ask', text, source: null });
  });
});

test('by all rules: one certain no decides, and a rule from a press report or trade page leaves a question', () => {
  const full = profile({
    enlistments: [enlistment('hp_jal_shakti', 'D', { ownLimit: 30 * LAKH })],
    works: [{ id: '1', name: 'Scheme', value: 25 * LAKH, completedOn: '2024-01-01' }],
    turnover: { '2025-26': 60 * LAKH, '2024-25': 60 * LAKH, '2023-24': 60 * LAKH },
    commitments: 0,
  });
  const { verdict: answer, reasons } = mayIBid(JAL_SHAKTI, full, NOW);
  expect(reasons.map(({ verdict }) => verdict)).toEqual(['yes', 'yes', 'ask', 'ask']);
  expect(answer).toBe('ask');
  expect(mayIBid({ ...JAL_SHAKTI, price: 31 * LAKH }, full, NOW).verdict).toBe('no');
  expect(mayIBid(JAL_SHAKTI, { ...full, works: [] }, NOW).verdict).toBe('ask');
  expect(mayIBid(JAL_SHAKTI, EMPTY_BID_PROFILE, NOW).verdict).toBe('ask');
});

const SIMILAR_WORKS_SOURCE = 'Manual for Procurement of Works, as tender documents quote it. Check the NIT.';

/** Numbers from 0 to below 1, the same in each run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

test('of 20,000 generated cases nothing that is unknown or not official decides', () => {
  const random = makeRandom(7);
  const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const decided = { yes: 0, no: 0 };
  for (let round = 0; round < 20_000; round += 1) {
    const tender: RuledTender = {
      ...pick(JAL_SHAKTI, ODISHA, CPWD),
      category: pick('Works', 'Goods', null),
      price: pick(null, LAKH, 35 * LAKH, CRORE, 20 * CRORE),
      department: pick(
        'Irrigation & Public Health',
        'PWD',
        'Works Department',
        'Central Public Works Department',
        null,
      ),
      published_date: pick('2017-01-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'),
      period_of_work_days: pick(null, 0, 90, 730),
    };
    const own = [1, 2].slice(0, pick(0, 1, 2)).map(() =>
      enlistment(pick('hp_jal_shakti', 'odisha_works', 'hp_pwd', 'cpwd'), pick('', 'A', 'D', 'Super'), {
        ownLimit: pick(null, 10 * LAKH, 50 * LAKH),
        validUntil: pick('', '2020-01-01', '2027-03-31'),
      }),
    );
    const figures = profile({
      enlistments: own,
      works: pick([], [{ id: '1', name: 'Road', value: LAKH, completedOn: '2024-01-01' }]),
      turnover: pick<BidProfile['turnover']>({}, { '2025-26': 1 }, { '2025-26': 1, '2024-25': 1, '2023-24': 1 }),
      commitments: pick(null, 0, CRORE),
    });
    const answer = mayIBid(tender, figures, NOW);
    // a list hides a tender only when its page says no
    expect(listVerdict(tender, figures) === 'no').toBe(answer.verdict === 'no');
    for (const { verdict, text, source } of answer.reasons) {
      if (verdict === 'ask') continue;
      expect(tender.price).not.toBeNull();
      if (source !== null) {
        // the only rule from an official text
        expect([verdict, source]).toEqual(['yes', SIMILAR_WORKS_SOURCE]);
        continue;
      }
      decided[verdict] += 1;
      expect(text).toContain('enlistment');
      expect(tender.category).toBe('Works');
      // certificates with their own limit and a last day after closing
      const counted = own.filter(
        ({ authority, validUntil }) => authority === authorityOf(tender)?.id && validUntil !== '2020-01-01',
      );
      const isCertain = ({ ownLimit, validUntil }: Enlistment) => ownLimit !== null && validUntil !== '';
      expect(counted.length).toBeGreaterThan(0);
      expect(verdict === 'yes' ? counted.some(isCertain) : counted.every(isCertain)).toBe(true);
    }
  }
  expect(decided.yes).toBeGreaterThan(50);
  expect(decided.no).toBeGreaterThan(50);
});
