// @vitest-environment node
import type { AwardRange, OfficeAwards } from '@nivida/contract/awards/awards';
import { describe, expect, test } from 'vitest';
import {
  ageSentence,
  awardDayText,
  awardPriceText,
  basisNote,
  bidAdvice,
  biddersSentence,
  daysSentence,
  lateBidsSentence,
  listSentence,
  monthText,
  nearestFraction,
  officeText,
  portalsText,
  pricePlace,
  priceRangeCells,
  priceSentence,
  pricesSentence,
  refusedSentence,
  similarWorkSentence,
  singleBidSentence,
  sourceSentence,
  storedSentence,
} from './award-texts.ts';

const shown = (low: number, high: number): AwardRange => ({
  isShown: true,
  basis: 'office',
  awards: 40,
  officeAwards: 40,
  low,
  high,
  coverage: { count: 364, of: 400 },
});
/** A range that was not tested. */
const untested = (low: number, high: number): AwardRange => ({ ...shown(low, high), coverage: null }) as AwardRange;
const withheld = (reason: 'too-few' | 'too-wide' | 'past-ranges-wrong' | 'rates-changed', officeAwards = 4) =>
  ({
    isShown: false,
    reason,
    officeAwards,
    changedOn: reason === 'rates-changed' ? '2026-01-03' : null,
  }) satisfies AwardRange;
const office: OfficeAwards['office'] = {
  id: '0123456789ab',
  key: 'PWD||Mandi Division',
  name: 'Mandi Division',
  kind: 'chain',
  department: 'PWD',
  state: 'Goa',
};

describe('a share in small numbers', () => {
  test.each([
    [14, 100, '1 in 7'],
    [86, 100, '6 in 7'],
    [70, 100, '7 in 10'],
    [50, 100, '1 in 2'],
    [1, 60, '1 in 60'],
    [8, 100, '1 in 13'],
    [9, 100, '1 in 10'],
    [1, 2_000, '1 in 2,000'],
    [30, 100, '3 in 10'],
    [67, 100, '2 in 3'],
    [75, 100, '3 in 4'],
    [99, 100, '9 in 10'],
  ])('%i of %i is %s', (count, of, text) => {
    const { part, whole } = nearestFraction(count, of);
    expect(`${part} in ${whole}`).toBe(text);
  });
});

test('an office that the phone does not store has fewer than 10 awards', () => {
  const unknown = { officeAwards: null };
  expect(basisNote({ ...shown(2, 5), basis: 'department', ...unknown } as AwardRange)).toBe(
    'Department figures: fewer than 10 awards of this office are known.',
  );
  expect(biddersSentence({ ...withheld('too-few'), ...unknown })).toBe(
    'Fewer than 10 awards known here; too few to say.',
  );
  expect(priceSentence({ ...withheld('too-few'), ...unknown })).toBe(
    'Fewer than 10 awarded prices known here; too few to say.',
  );
  const none = { awards: 0, firstKnownOn: null, lastKnownOn: '2026-10-30', bidders: { ...shown(2, 5), ...unknown } };
  expect(sourceSentence('this office', none)).toBe(
    'Fewer than 10 awards of this office are known from the last 24 months.',
  );
});

test('days are Indian, months short', () => {
  expect([
    awardDayText('2024-04-19'),
    monthText('2024-04-19'),
    monthText('2026-01-01'),
    monthText('2026-12-31'),
  ]).toEqual([...['19 Apr 2024', 'Apr 2024', 'Jan 2026', 'Dec 2026']]);
});

test.each([
  [24, 'the estimate', 'at the estimate'],
  [-24, 'the estimate', 'at the estimate'],
  [25, '0.3 % above', '0.3 % above the estimate'],
  [-25, '0.3 % below', '0.3 % below the estimate'],
  [-1_450, '14.5 % below', '14.5 % below the estimate'],
  [300, '3 % above', '3 % above the estimate'],
])('the price %i against the estimate is %s', (price, place, text) => {
  expect([pricePlace(price), awardPriceText(price)]).toEqual([place, text]);
  expect(priceRangeCells({ low: price, high: 0 })).toEqual([place, 'the estimate']);
});

describe('the sentence about bidders', () => {
  test.each<[AwardRange, string]>([
    [shown(2, 5), 'Typically 2 to 5 bidders, in about 9 in 10 works.'],
    [shown(3, 3), 'Typically 3 bidders, in about 9 in 10 works.'],
    [shown(1, 1), 'Typically 1 bidder, in about 9 in 10 works.'],
    [
      { ...shown(2, 5), coverage: { count: 80, of: 100 } } as AwardRange,
      'Typically 2 to 5 bidders, in about 4 in 5 works.',
    ],
    [
      { ...shown(2, 5), coverage: { count: 60, of: 60 } } as AwardRange,
      'Typically 2 to 5 bidders, in all tested works.',
    ],
    [untested(2, 5), 'Typically 2 to 5 bidders.'],
    [withheld('too-few'), 'Only 4 awards known here; too few to say.'],
    [withheld('too-few', 1), 'Only 1 award known here; too few to say.'],
    [withheld('too-few', 0), 'No awards known here yet.'],
    [withheld('past-ranges-wrong'), 'Our past ranges were wrong too often here recently.'],
  ])('%j', (range, text) => {
    expect(biddersSentence(range)).toBe(text);
  });
});

describe('the sentence about prices', () => {
  test.each<[AwardRange, string]>([
    [shown(-1_000, 0), 'Most awards were between 10 % below and the estimate.'],
    [shown(-2_203, -1_000), 'Most awards were between 22 % and 10 % below the estimate.'],
    [shown(-1_450, 300), 'Most awards were between 14.5 % below and 3 % above the estimate.'],
    [shown(0, 400), 'Most awards were between the estimate and 4 % above.'],
    [shown(24, 400), 'Most awards were between the estimate and 4 % above.'],
    [shown(-1_000, -24), 'Most awards were between 10 % below and the estimate.'],
    [shown(-1_000, 24), 'Most awards were between 10 % below and the estimate.'],
    [shown(200, 400), 'Most awards were between 2 % and 4 % above the estimate.'],
    [shown(-4, 3), 'Most awards were at the estimate.'],
    [shown(-1_003, -1_000), 'Most awards were 10 % below the estimate.'],
    [withheld('too-few', 15), 'Only 15 awarded prices known here; too few to say.'],
    [withheld('too-few', 1), 'Only 1 awarded price known here; too few to say.'],
    [withheld('too-few', 0), 'No awarded prices known here yet.'],
    [withheld('too-wide'), 'Awards here range too widely to give a typical rate.'],
    [
      withheld('rates-changed'),
      'Rates changed for tenders published from about 3 Jan 2026. Older rates are not shown.',
    ],
    [{ ...withheld('rates-changed'), changedOn: null }, 'Rates changed recently. Older rates are not shown.'],
  ])('%j', (range, text) => {
    expect(priceSentence(range)).toBe(text);
  });

  test('names the commonest prices by their counts', () => {
    const mass = (price: number, count: number) => ({ price, count, of: 96 });
    expect(pricesSentence(shown(-1_000, 0), [mass(0, 40), mass(-1_000, 22)])).toBe(
      'Most awards were between 10 % below and the estimate. 40 of 96 were recorded at the estimate; 22 at 10 % below.',
    );
    expect(pricesSentence(shown(-1_000, 0), [mass(-1_000, 30), mass(0, 22)])).toBe(
      'Most awards were between 10 % below and the estimate. 30 of 96 were recorded at 10 % below the estimate; 22 at the estimate.',
    );
    expect(pricesSentence(shown(-1_000, 0), [])).toBe('Most awards were between 10 % below and the estimate.');
    expect(pricesSentence(shown(-4, 3), [mass(0, 90)])).toBe('Most awards were at the estimate: 90 of 96.');
    expect(pricesSentence(shown(-4, 3), [mass(-1_000, 20)])).toBe(
      'Most awards were at the estimate. 20 of 96 were recorded at 10 % below the estimate.',
    );
    expect(pricesSentence(shown(-1_000, 0), [mass(0, 40)])).toBe(
      'Most awards were between 10 % below and the estimate. 40 of 96 were recorded at the estimate.',
    );
    expect(pricesSentence(shown(-4, 3), [mass(0, 60), mass(-1_000, 20)])).toBe(
      'Most awards were at the estimate. 60 of 96 were recorded at the estimate; 20 at 10 % below.',
    );
    expect(pricesSentence(withheld('too-wide'), [mass(0, 90)])).toBe(
      'Awards here range too widely to give a typical rate.',
    );
  });
});

test('the block says what to do: check documents where at least 1 in 10 bids is refused, compare the rate where there is one', () => {
  const refused = (count: number) => ({ count, of: 100, technical: count, notAdmitted: 0, isMoreThanUsual: false });
  const advice = (count: number, price: AwardRange) => bidAdvice({ refused: refused(count), price });
  expect(advice(10, shown(-1_000, 0))).toBe(
    'check your documents twice. Many bids fail here before their price is read. Then work out your own rate and compare it with the past ones here.',
  );
  expect(advice(10, withheld('too-wide'))).toBe(
    'check your documents twice. Many bids fail here before their price is read.',
  );
  expect(advice(9, shown(-1_000, 0))).toBe('work out your own rate and compare it with the past ones here.');
  expect(bidAdvice({ refused: null, price: withheld('rates-changed') })).toBe('');
});

describe('the sentence about refused bids', () => {
  test.each<[OfficeAwards['refused'], string]>([
    [
      { count: 14, of: 98, technical: 12, notAdmitted: 2, isMoreThanUsual: false },
      '1 in 7 bids was refused before prices were opened (14 of 98: 12 technical, 2 not admitted).',
    ],
    [
      { count: 70, of: 100, technical: 70, notAdmitted: 0, isMoreThanUsual: true },
      '7 in 10 bids were refused before prices were opened (70 of 100: 70 technical, 0 not admitted). That is more than usual.',
    ],
    [
      { count: 0, of: 60, technical: 0, notAdmitted: 0, isMoreThanUsual: false },
      'None of 60 bids was refused before prices were opened.',
    ],
    [
      { count: 60, of: 60, technical: 40, notAdmitted: 20, isMoreThanUsual: true },
      'All 60 bids were refused before prices were opened.',
    ],
    [
      { count: 1_400, of: 9_800, technical: 1_200, notAdmitted: 200, isMoreThanUsual: false },
      '1 in 7 bids was refused before prices were opened (1,400 of 9,800: 1,200 technical, 200 not admitted).',
    ],
    [
      { count: 0, of: 1, technical: 0, notAdmitted: 0, isMoreThanUsual: false },
      'None of 1 bid was refused before prices were opened.',
    ],
    [null, ''],
  ])('%j', (refused, text) => {
    expect(refusedSentence(refused)).toBe(text);
  });
});

test('contracts, single bids and late bids have a sentence each, and none below their limits', () => {
  expect(daysSentence({ ...shown(72, 311), coverage: { count: 86, of: 100 } } as AwardRange)).toBe(
    'Most contracts (about 6 in 7 works) were dated 72 to 311 days after closing.',
  );
  expect(daysSentence(untested(72, 311))).toBe('Most contracts were dated 72 to 311 days after closing.');
  expect(daysSentence(withheld('too-few'))).toBe('');
  expect(singleBidSentence({ count: 9, of: 96 })).toBe('9 of 96 awarded works had one bidder.');
  expect(singleBidSentence(null)).toBe('');
  expect(lateBidsSentence({ count: 68, of: 98 })).toBe('7 in 10 bids came in the last 24 hours.');
  expect(lateBidsSentence({ count: 0, of: 98 })).toBe('No bid came in the last 24 hours.');
  expect(lateBidsSentence({ count: 98, of: 98 })).toBe('All bids came in the last 24 hours.');
  expect(lateBidsSentence(null)).toBe('');
  expect(singleBidSentence({ count: 1_900, of: 19_600 })).toBe('1,900 of 19,600 awarded works had one bidder.');
  expect(daysSentence({ ...shown(72, 72), coverage: null } as AwardRange)).toBe(
    'Most contracts were dated 72 days after closing.',
  );
});

describe('the source of the figures', () => {
  const statistics = {
    office,
    awards: 96,
    firstKnownOn: '2024-04-19',
    lastKnownOn: '2026-03-30',
    isOld: false,
    bidders: shown(2, 5),
  } as OfficeAwards;

  test('is a count with its dates', () => {
    expect(sourceSentence(officeText(office), statistics)).toBe(
      '96 works of this division were awarded from Apr 2024 to Mar 2026; newest 30 Mar 2026. Awarded tenders only; cancelled ones are not counted.',
    );
  });

  test('of one work or none says so', () => {
    expect(sourceSentence('Assam', { ...statistics, awards: 1 })).toMatch(
      /^1 work of Assam was awarded from Apr 2024 to Mar 2026; newest 30 Mar 2026\./,
    );
    expect(sourceSentence('Assam', { ...statistics, awards: 1_234 })).toMatch(/^1,234 works of Assam were awarded/);
    const none = 'No award of Assam is known from the last 24 months.';
    expect(sourceSentence('Assam', { ...statistics, awards: 0 })).toBe(none);
    expect(sourceSentence('Assam', { ...statistics, firstKnownOn: null })).toBe(none);
    expect(sourceSentence('Assam', { ...statistics, lastKnownOn: null })).toBe(none);
  });

  test('names the portals, and no portal of generated awards', () => {
    expect(portalsText(['a.gov.in', 'b.gov.in'], false)).toBe('Source: award notices of a.gov.in, b.gov.in.');
    expect(portalsText(['a.gov.in'], true)).toBe('Source: generated for the demonstration.');
  });

  test.each([
    ['Mandi Division', 'this division'],
    ['B&R DIVN MANDI', 'this division'],
    ['Theog Div', 'this division'],
    ['Dividend Office', 'this office'],
  ])('of %s calls it %s', (name, text) => {
    expect(officeText({ ...office, name })).toBe(text);
  });

  test('is never called a division when only department and PIN code are known', () => {
    expect(officeText({ ...office, kind: 'pin', name: 'PIN 781003' })).toBe('the department at PIN 781003');
    expect(officeText({ ...office, name: 'Executive Engineer Mandi' })).toBe('this office');
  });

  test('begins with its age when the newest award is older than a year', () => {
    expect(ageSentence({ ...statistics, isOld: true, lastKnownOn: '2024-02-27' })).toBe('Awards known until Feb 2024.');
    expect(ageSentence(statistics)).toBe('');
    expect(ageSentence({ isOld: true, lastKnownOn: null })).toBe('');
  });

  test('says when the figures are those of the department', () => {
    const ofDepartment = { ...shown(2, 5), basis: 'department' as const, officeAwards: 4 };
    expect(basisNote(ofDepartment)).toBe('Department figures: this office has only 4.');
    expect(basisNote({ ...ofDepartment, officeAwards: 0 })).toBe(
      'Department figures: no award of this office is known.',
    );
    expect(basisNote(shown(2, 5))).toBe('');
    expect(basisNote(withheld('too-few'))).toBe('');
  });
});

test('a similar past work is history: its month and its rate', () => {
  expect(similarWorkSentence({ knownOn: '2023-03-04', price: -1_200 })).toBe(
    'A work with nearly the same title was awarded here in Mar 2023 at 12 % below its estimate.',
  );
  expect(similarWorkSentence({ knownOn: '2023-03-04', price: 20 })).toBe(
    'A work with nearly the same title was awarded here in Mar 2023 at its estimate.',
  );
  expect(similarWorkSentence({ knownOn: null, price: 350 })).toBe(
    'A work with nearly the same title was awarded here at 3.5 % above its estimate.',
  );
  expect(similarWorkSentence({ knownOn: '2023-03-04', price: null })).toBe(
    'A work with nearly the same title was awarded here in Mar 2023.',
  );
  expect(similarWorkSentence({ knownOn: null, price: null })).toBe(
    'A work with nearly the same title was awarded here.',
  );
});

describe('the awards that are not counted', () => {
  const counts = { stored: 26_484, excluded: 17, older: 12_136, newer: 29, recent: 14_302 };

  test.each<[Partial<typeof counts>, string]>([
    [
      {},
      '26,484 awards of Goa are stored. The figures and lists count 14,302, those of the 24 months up to 30 Mar 2024; left out: 12,136 older, 29 newer, 17 without usable dates, bids or office.',
    ],
    [
      { stored: 14_303, excluded: 1, older: 0, newer: 0 },
      '14,303 awards of Goa are stored. The figures and lists count 14,302, those of the 24 months up to 30 Mar 2024; left out: 1 without usable dates, bids or office.',
    ],
    [{ stored: 14_302, excluded: 0, older: 0, newer: 0 }, 'All 14,302 stored awards of Goa are counted.'],
    [{ stored: 1, excluded: 0, older: 0, newer: 0, recent: 1 }, 'The only stored award of Goa is counted.'],
    [
      { stored: 1, excluded: 0, older: 1, newer: 0, recent: 0 },
      '1 award of Goa is stored. The figures and lists count 0, those of the 24 months up to 30 Mar 2024; left out: 1 older.',
    ],
    [{ stored: 0, excluded: 0, older: 0, newer: 0, recent: 0 }, 'No award of Goa is stored.'],
  ])('%j', (changes, text) => {
    expect(storedSentence('Goa', { ...counts, ...changes }, '2024-03-30')).toBe(text);
  });

  test.each<[Parameters<typeof listSentence>[0], number[], { of: number; unnamed: number }, string]>([
    [
      'categories',
      [90, 30],
      { of: 134, unnamed: 11 },
      'Kinds of work list 120 of 134 awards of Goa: 11 name no kind of work, 3 are in kinds too small to list.',
    ],
    [
      'categories',
      [120],
      { of: 121, unnamed: 1 },
      'Kinds of work list 120 of 121 awards of Goa: 1 names no kind of work.',
    ],
    [
      'districts',
      [1_200],
      { of: 1_203, unnamed: 1 },
      'Districts list 1,200 of 1,203 awards of Goa: 1 names no district, 2 are in districts too small to list.',
    ],
    [
      'departments',
      [80, 40],
      { of: 121, unnamed: 0 },
      'Departments list 120 of 121 awards of Goa: 1 is in a department too small to list.',
    ],
    ['categories', [], { of: 19, unnamed: 4 }, ''],
    ['departments', [80, 40], { of: 120, unnamed: 0 }, ''],
  ])('%s %j of %j', (list, awards, scope, text) => {
    const choices = awards.map((each, at) => ({ name: `${at}`, awards: each }));
    expect(listSentence(list, choices, scope, 'Goa')).toBe(text);
  });
});
