import { describe, expect, test } from 'vitest';
import {
  authorityOf,
  type BidProfile,
  bidCapacity,
  capacityReason,
  EMPTY_BID_PROFILE,
  type Enlistment,
  enlistmentReason,
  lastFinancialYears,
  mayIBid,
  meetsSimilarWorks,
  type RuledTender,
  raisedValue,
  similarWorksReason,
  turnoverReason,
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

describe('the class limit', () => {
  test.each([
    ['Jal Shakti, class D, 30 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'D', 30 * LAKH, 'yes'],
    ['Jal Shakti, class D, above 30 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'D', 30 * LAKH + 1, 'no'],
    ['Jal Shakti, class C, 80 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'C', 80 * LAKH, 'yes'],
    ['Jal Shakti, class C, above 80 lakh', JAL_SHAKTI, 'hp_jal_shakti', 'C', 80 * LAKH + 1, 'no'],
    ['Jal Shakti, class B, 2 crore', JAL_SHAKTI, 'hp_jal_shakti', 'B', 2 * CRORE, 'yes'],
    ['Jal Shakti, class B, above 2 crore', JAL_SHAKTI, 'hp_jal_shakti', 'B', 2 * CRORE + 1, 'no'],
    ['Jal Shakti, class A, whose limit is not stated', JAL_SHAKTI, 'hp_jal_shakti', 'A', LAKH, 'ask'],
    ['Odisha, class D, 20 lakh', ODISHA, 'odisha_works', 'D', 20 * LAKH, 'yes'],
    ['Odisha, class D, above 20 lakh', ODISHA, 'odisha_works', 'D', 20 * LAKH + 1, 'no'],
    ['Odisha, class C, 40 lakh', ODISHA, 'odisha_works', 'C', 40 * LAKH, 'yes'],
    ['Odisha, class C, above 40 lakh', ODISHA, 'odisha_works', 'C', 40 * LAKH + 1, 'no'],
    ['Odisha, class B, 3 crore', ODISHA, 'odisha_works', 'B', 3 * CRORE, 'yes'],
    ['Odisha, class A, above 6 crore', ODISHA, 'odisha_works', 'A', 6 * CRORE + 1, 'no'],
    ['Odisha, Special class, 15 crore', ODISHA, 'odisha_works', 'Special', 15 * CRORE, 'yes'],
    ['Odisha, Special class, above 15 crore', ODISHA, 'odisha_works', 'Special', 15 * CRORE + 1, 'no'],
    ['Odisha, Super class, 500 crore', ODISHA, 'odisha_works', 'Super', 500 * CRORE, 'yes'],
    ['Himachal PWD, whose limits are not known', { ...JAL_SHAKTI, department: 'PWD' }, 'hp_pwd', 'C', LAKH, 'ask'],
    [
      'Assam PWD, whose limits are not known',
      { ...JAL_SHAKTI, state: 'Assam', department: 'Public Works Roads Department' },
      'assam_pwd',
      'C',
      LAKH,
      'ask',
    ],
    ['CPWD, whose limits are not known', CPWD, 'cpwd', 'C', LAKH, 'ask'],
  ] as const)('%s', (_, tender, authority, className, price, verdict) => {
    const reason = enlistmentReason({ ...tender, price }, profile({ enlistments: [enlistment(authority, className)] }));
    expect(reason.verdict).toBe(verdict);
  });

  const classD = profile({ enlistments: [enlistment('hp_jal_shakti', 'D')] });

  test('names the rule, its source and date, and the NIT', () => {
    expect(enlistmentReason({ ...JAL_SHAKTI, price: 35 * LAKH }, classD)).toEqual({
      verdict: 'no',
      text: 'The estimate ₹35.00 Lakh is above the limit ₹30.00 Lakh of your enlistment of Himachal Pradesh Jal Shakti Vibhag.',
      source: 'press report (Punjab Kesari) of September 2018. Check the NIT.',
    });
  });

  test('of the own certificate counts before the table', () => {
    const own = profile({ enlistments: [enlistment('hp_jal_shakti', 'D', { ownLimit: 50 * LAKH })] });
    expect(enlistmentReason({ ...JAL_SHAKTI, price: 45 * LAKH }, own).verdict).toBe('yes');
    expect(enlistmentReason({ ...JAL_SHAKTI, price: 55 * LAKH }, own)).toMatchObject({ verdict: 'no', source: null });
  });

  test('of a table does not hold for a tender published before its date', () => {
    const early = { ...JAL_SHAKTI, price: 35 * LAKH, published_date: '2018-08-31T18:29:00.000Z' };
    expect(enlistmentReason(early, classD).verdict).toBe('ask');
    expect(enlistmentReason({ ...early, published_date: '2018-08-31T18:30:00.000Z' }, classD).verdict).toBe('no');
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
    expect(similarWorksReason(tender, profile({ works: [past], raisesValues: true }), NOW)).toEqual({
      verdict: 'yes',
      text: 'Your works reach the usual 3 of ₹40.00 Lakh or 2 of ₹50.00 Lakh or 1 of ₹80.00 Lakh in 7 years, if they are similar.',
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
    expect(turnoverReason(tender, profile({ turnover }), NOW).verdict).toBe('yes');
    expect(turnoverReason({ ...tender, price: 100 * LAKH + 1 }, profile({ turnover }), NOW).verdict).toBe('no');
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
    expect(capacityReason(tender, figures, NOW).verdict).toBe('yes');
    expect(capacityReason({ ...tender, price: 150 * LAKH + 1 }, figures, NOW).verdict).toBe('ask');
    expect(capacityReason({ ...tender, price: 250 * LAKH }, { ...figures, multiplier: 3 }, NOW).verdict).toBe('yes');
  });
});

test('by all rules: one certain no decides, yes needs every rule', () => {
  const full = profile({
    enlistments: [enlistment('hp_jal_shakti', 'D')],
    works: [{ id: '1', name: 'Scheme', value: 25 * LAKH, completedOn: '2024-01-01' }],
    turnover: { '2025-26': 60 * LAKH, '2024-25': 60 * LAKH, '2023-24': 60 * LAKH },
    commitments: 0,
  });
  expect(mayIBid(JAL_SHAKTI, full, NOW).verdict).toBe('yes');
  expect(mayIBid({ ...JAL_SHAKTI, price: 31 * LAKH }, full, NOW).verdict).toBe('no');
  expect(mayIBid(JAL_SHAKTI, { ...full, works: [] }, NOW).verdict).toBe('ask');
  expect(mayIBid(JAL_SHAKTI, EMPTY_BID_PROFILE, NOW).verdict).toBe('ask');
});

/** Numbers from 0 to below 1, the same in each run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

test('of 20,000 generated cases no figure that is unknown leads to a no', () => {
  const random = makeRandom(7);
  const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T;
  let certain = 0;
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
        ownLimit: pick(null, null, 10 * LAKH),
        validUntil: pick('', '2020-01-01', '2027-03-31'),
      }),
    );
    const figures = profile({
      enlistments: own,
      works: pick([], [{ id: '1', name: 'Road', value: LAKH, completedOn: '2024-01-01' }]),
      turnover: pick<BidProfile['turnover']>({}, { '2025-26': 1 }, { '2025-26': 1, '2024-25': 1, '2023-24': 1 }),
      commitments: pick(null, 0, CRORE),
    });
    const reasons = mayIBid(tender, figures, NOW).reasons.filter(({ verdict }) => verdict === 'no');
    certain += reasons.length;
    for (const { text } of reasons) {
      expect(tender.price).not.toBeNull();
      expect(tender.category).toBe('Works');
      if (text.includes('enlistment')) {
        // each enlistment that counts has a limit of its own, or a class of a table that held at publication
        const counted = own.filter(
          ({ authority, validUntil }) => authority === authorityOf(tender)?.id && validUntil !== '2020-01-01',
        );
        expect(counted.length).toBeGreaterThan(0);
        for (const { authority, className, ownLimit } of counted) {
          const hasTable =
            tender.published_date > '2018-09' && (authority === 'hp_jal_shakti' || authority === 'odisha_works');
          const isStated = className === 'D' || (className === 'A' && authority === 'odisha_works');
          expect(ownLimit !== null || (hasTable && isStated)).toBe(true);
        }
      } else {
        expect(tender.department).toBe('Central Public Works Department');
        expect(Object.keys(figures.turnover)).toHaveLength(3);
      }
    }
  }
  expect(certain).toBeGreaterThan(300);
});
