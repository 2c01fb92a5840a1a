/** Statistics of offices on the real awards of two portals. */

import { packedKeys, packOffices, unpackOffice } from '@nivida/contract/awards/award-pack';
import type { OfficeAwards } from '@nivida/contract/awards/awards';
import { dayNumber, dayText } from '@nivida/contract/time';
import { beforeAll, expect, test } from 'vitest';
import type { AwardFacts } from '../../src/awards/statistics/award-facts.ts';
import { backTest, type Coverage } from '../../src/awards/statistics/back-test.ts';
import { stateOffices } from '../../src/awards/statistics/office-awards.ts';
import {
  MEASURE_NAMES,
  type MeasureName,
  type RangeStatistic,
  StateAwards,
} from '../../src/awards/statistics/office-statistics.ts';
import { findRegimeChange, type PricedAward } from '../../src/awards/statistics/regime-detector.ts';
import { Regimes } from '../../src/awards/statistics/regimes.ts';
import { statisticsDay } from '../../src/awards/statistics/statistics-day.ts';
import { describeWithData } from '../support/test-machine.ts';
import { AWARD_PORTALS, type AwardPortal, readAwardFacts, readExpectedOffices } from './award-files.ts';

/** The first day after the last complete quarter of each file. */
const ENDS = { hptenders: [2024, 2], assamtenders: [2026, 3] } as const;

const quarterStart = (portal: AwardPortal, quartersBefore: number): number => {
  const [year, month] = ENDS[portal];
  return Date.UTC(year, month - 3 * quartersBefore, 1) / 86_400_000;
};

/** Sums of the newest quarters of tenders whose awards had time to become known. */
function sumQuarters(quarters: readonly Record<MeasureName, Coverage>[]): Record<MeasureName, Coverage> {
  const add = (name: MeasureName) =>
    quarters
      .map((quarter) => quarter[name])
      .reduce((sum, each) => ({
        tenders: sum.tenders + each.tenders,
        ranges: sum.ranges + each.ranges,
        covered: sum.covered + each.covered,
        shown: sum.shown + each.shown,
        shownCovered: sum.shownCovered + each.shownCovered,
        widths: [...sum.widths, ...each.widths],
        stateCovered: sum.stateCovered + each.stateCovered,
        stateWidth: null,
      }));
  return { bidders: add('bidders'), price: add('price'), daysToContract: add('daysToContract') };
}

const backTestQuarters = (portal: AwardPortal, count: number, facts: readonly AwardFacts[]) =>
  Array.from({ length: count }, (_, n) =>
    backTest(facts, { from: quarterStart(portal, n + 2), until: quarterStart(portal, n + 1) }),
  );

const percent = (part: number, whole: number) => (100 * part) / whole;

describeWithData('the statistics of offices', () => {
  const files = {} as Record<AwardPortal, Awaited<ReturnType<typeof readAwardFacts>>>;
  const tested = {} as Record<AwardPortal, Record<MeasureName, Coverage>[]>;

  beforeAll(async () => {
    for (const portal of AWARD_PORTALS) files[portal] = await readAwardFacts(portal);
    tested.hptenders = backTestQuarters('hptenders', 8, files.hptenders.facts);
    tested.assamtenders = backTestQuarters('assamtenders', 16, files.assamtenders.facts);
  });

  test('rows with wrong years, amounts or several winners are counted by their reason', () => {
    const countsOf = ({ rows, excluded }: { rows: number; excluded: object }) => ({ rows, ...excluded });
    expect(countsOf(files.hptenders)).toEqual({
      rows: 26_484,
      'not-awarded': 9,
      'no-dates': 1,
      'published-after-closing': 6,
      'open-too-long': 1,
      'no-estimate': 4_159,
      'no-value': 583,
      'several-winners': 507,
      'value-too-small': 32,
      'estimate-too-small': 49,
      'value-far-from-estimate': 1_798,
    });
    expect(countsOf(files.assamtenders)).toEqual({
      rows: 35_403,
      rejected: 1,
      'not-awarded': 6,
      'published-after-closing': 29,
      'awarded-before-closing': 1,
      'open-too-long': 23,
      'no-estimate': 4_286,
      'no-value': 1_407,
      'several-winners': 926,
      'value-too-small': 238,
      'estimate-too-small': 5,
      'value-far-from-estimate': 449,
    });
  });

  test('all 20 expected offices have the expected values', () => {
    const states = new Map<string, StateAwards>();
    const expected = readExpectedOffices();
    expect(expected).toHaveLength(20);
    for (const office of expected) {
      const key = `${office.portal} ${office.cutoff}`;
      const state = states.get(key) ?? new StateAwards(files[office.portal as AwardPortal].facts, office.cutoff);
      states.set(key, state);
      const found = state.statistics(office.office, office.department);
      const { refused } = found;
      expect({
        office: office.office,
        n24: found.awards,
        first: found.firstKnownOn,
        last: found.lastKnownOn,
        bidders: toExpected(found.bidders, 1),
        price: toExpected(found.price, 100),
        days: toExpected(found.daysToContract, 1),
        masses: found.pointMasses.map(({ centre, works }) => ({ centre: centre / 100, k: works, n: found.prices })),
        refused: [refused.bids, refused.technical, refused.notAdmitted, refused.isShown],
        // Shares are rounded to four decimals.
        rates: [refused.rate.toFixed(4), refused.stateRate.toFixed(4)],
        single: found.singleBid,
      }).toEqual({
        office: office.office,
        n24: office.n24,
        first: office.first,
        last: office.last,
        bidders: fromExpected(office.bidders),
        price: fromExpected(office.award_vs_estimate_pct),
        days: fromExpected(office.days_to_contract),
        masses: office.point_masses_office_12m,
        refused: [
          office.refused_before_price.bids,
          office.refused_before_price.refused_technical,
          office.refused_before_price.not_admitted,
          office.refused_before_price.shown,
        ],
        rates: [office.refused_before_price.rate_blended.toFixed(4), office.refused_before_price.rate_state.toFixed(4)],
        single: { awards: office.single_bid.k, isShown: office.single_bid.shown },
      });
    }
  });

  test('ranges of eight past quarters contain the expected share of results, within 2 points', () => {
    const measured = AWARD_PORTALS.map((portal) => {
      const { bidders, price, daysToContract } = sumQuarters(tested[portal].slice(0, 8));
      return [bidders, price, daysToContract].map(({ covered, ranges }) => percent(covered, ranges));
    });
    const designed = [
      [90.8, 79.7, 87.1],
      [88.9, 84.9, 85.7],
    ];
    measured.flat().forEach((coverage, n) => {
      expect(Math.abs(coverage - (designed.flat()[n] as number))).toBeLessThanOrEqual(2);
    });
  });

  test('the price range is shown for 75 to 85 % of tenders in Assam and holds for 85 %; in Himachal it is hardly ever shown', () => {
    const assam = sumQuarters(tested.assamtenders).price;
    expect(percent(assam.shown, assam.tenders)).toBeGreaterThanOrEqual(75);
    expect(percent(assam.shown, assam.tenders)).toBeLessThanOrEqual(85);
    expect(percent(assam.shownCovered, assam.shown)).toBeGreaterThanOrEqual(85);
    const himachal = sumQuarters(tested.hptenders).price;
    expect(percent(himachal.shown, himachal.tenders)).toBeLessThanOrEqual(5);
  });

  test('a source that ended has the windows of its last day, in spite of stragglers', () => {
    const today = dayNumber('2026-11-10');
    const endOf = (portal: AwardPortal) => {
      const day = statisticsDay(
        files[portal].facts.map(({ knownOn }) => knownOn),
        today,
      );
      return day === null ? null : dayText(day);
    };
    expect([endOf('hptenders'), endOf('assamtenders')]).toEqual(['2024-03-30', '2026-07-31']);
  });

  test('no office shows a range, a share or a mass below its number of awards', () => {
    let offices = 0;
    for (const [portal, day] of [
      ['hptenders', '2024-03-31'],
      ['assamtenders', '2026-07-31'],
    ] as const) {
      const { facts } = files[portal];
      const state = new StateAwards(facts, day);
      for (const { office, department } of state.offices()) {
        offices++;
        const found = state.statistics(office, department);
        for (const name of MEASURE_NAMES) {
          const range = found[name];
          if (range.level === 'office') expect(range.officeAwards).toBeGreaterThanOrEqual(10);
          if (range.level === 'department') {
            expect(range.officeAwards).toBeLessThan(10);
            expect(range.awards).toBeGreaterThanOrEqual(20);
          }
        }
        expect(found.refused.isShown).toBe(found.awards >= 20);
        expect(found.singleBid.isShown).toBe(found.awards >= 20);
        for (const { works } of found.pointMasses) {
          expect(found.prices).toBeGreaterThanOrEqual(20);
          expect(works).toBeGreaterThanOrEqual(8);
          expect(works / found.prices).toBeGreaterThanOrEqual(0.25);
        }
        if (found.price.level !== null && !found.price.withheld)
          expect(found.price.high - found.price.low).toBeLessThanOrEqual(2_500);
      }
    }
    expect(offices).toBeGreaterThan(500);
  });

  test('a device reads the offices of a state as they were', () => {
    for (const [portal, state, day] of [
      ['hptenders', 'Himachal Pradesh', '2024-03-30'],
      ['assamtenders', 'Assam', '2026-07-31'],
    ] as const) {
      const all = stateOffices(new StateAwards(files[portal].facts, day), {
        state,
        day: dayNumber(day),
        regimes: new Regimes([]),
        coverage: new Map(MEASURE_NAMES.map((name) => [name, { count: 870, of: 1_000 }])),
        refusalsPredict: true,
        lateBids: new Map(),
        isDemonstration: false,
      });
      expect(unpackAll(packOffices(all), state)).toEqual(all.filter(isOnPhone).sort(byKey).map(onPhone));
      expect(all.filter(({ awards }) => awards >= 10).length).toBeGreaterThan(200);
    }
  });

  test('a change of rules hides the prices of its department at once, and of no other', () => {
    const { facts } = files.assamtenders;
    const department = 'Public Works Roads Department';
    const office = `${department}||pin:781003`;
    const regimes = [{ department, from: dayNumber('2026-03-20') }];
    const [before, after] = [new StateAwards(facts, '2026-03-31'), new StateAwards(facts, '2026-03-31', regimes)];
    expect(before.statistics(office, department)).toMatchObject({ price: { low: -1000, high: 0 } });
    expect(before.statistics(office, department).pointMasses).toHaveLength(2);
    expect(after.statistics(office, department)).toMatchObject({
      price: { withheld: 'rates-changed' },
      bidders: { level: 'office', low: 2, high: 5 },
      pointMasses: [],
    });
    for (const other of after.offices())
      if (other.department !== department)
        expect(after.range('bidders', other.office, other.department)).toEqual(
          before.range('bidders', other.office, other.department),
        );
  });

  test('the detector is quiet over 12 quarters of the largest department of Himachal', () => {
    const prices = pricesOf(files.hptenders.facts, 'PWD');
    expect(prices.length).toBeGreaterThan(1_000);
    expect(replay(prices, quarterStart('hptenders', 12), quarterStart('hptenders', 0))).toEqual([]);
  });

  test('the detector finds a ceiling that comes within 30 days of 20 known awards under it', () => {
    const start = quarterStart('hptenders', 4);
    // The lags, offices and closings are real; from the first day of a quarter 6 in 10 works go at 14.99 % below.
    const prices = pricesOf(files.hptenders.facts, 'PWD').map((each, n) =>
      each.publishedOn >= start && n % 10 < 6 ? { ...each, price: -1_499 } : each,
    );
    const known = prices
      .filter(({ publishedOn }) => publishedOn >= start)
      .map(({ knownOn }) => knownOn)
      .sort((a, b) => a - b);
    const [alarm] = replay(prices, quarterStart('hptenders', 8), quarterStart('hptenders', 0));
    expect(alarm).toMatchObject({ price: -1_499 });
    expect((alarm as { day: number }).day - (known[19] as number)).toBeLessThanOrEqual(30);
    expect(Math.abs((alarm as { from: number }).from - start)).toBeLessThanOrEqual(14);
  });
});

type Statistics = Omit<OfficeAwards, 'isOld'>;

/** Offices with 10 awards, and departments of which more than "too few" can be said. */
const isOnPhone = ({ office, awards, bidders, price, daysToContract }: Statistics) =>
  office.kind === 'department'
    ? [bidders, price, daysToContract].some((range) => range.isShown || range.reason !== 'too-few')
    : awards >= 10;

const byKey = (one: Statistics, other: Statistics) => (one.office.key < other.office.key ? -1 : 1);

/** A row as a device reads it: without the id, which it computes, and with the month of the first award. */
function onPhone({ office: { id: _id, ...office }, firstKnownOn, ...rest }: Statistics) {
  return { ...rest, office, firstKnownOn: firstKnownOn && `${firstKnownOn.slice(0, 7)}-01` };
}

const unpackAll = (columns: ReturnType<typeof packOffices>, state: string) =>
  packedKeys(columns).map((_, at) => unpackOffice(columns, at, state));

const pricesOf = (facts: readonly AwardFacts[], department: string): PricedAward[] =>
  facts.flatMap((each) =>
    each.department === department && typeof each.price === 'number' ? [{ ...each, price: each.price }] : [],
  );

/** Alarms of a weekly run: a change that two runs in a row see. */
function replay(prices: readonly PricedAward[], from: number, until: number) {
  const alarms: { day: number; from: number; price: number }[] = [];
  let wasSeen = false;
  let since = 0;
  for (let day = from; day < until; day += 7) {
    const change = findRegimeChange(prices, day, since);
    if (change && wasSeen) {
      alarms.push({ day, from: change.from, price: change.price });
      since = change.from;
      wasSeen = false;
    } else wasSeen = change !== null;
  }
  return alarms;
}

/** A range in the words of the expected values. */
function toExpected(range: RangeStatistic, unit: number) {
  if (range.level === null)
    return { level: 'withheld', n_office: range.officeAwards, n_department: range.departmentAwards };
  const { level, awards, officeAwards, low, high, withheld } = range;
  return { level, n: awards, n_office: officeAwards, low: low / unit, high: high / unit, withheld: withheld ?? null };
}

function fromExpected(expected: Record<string, unknown>) {
  const { level, n, n_office, n_department, low, high, withheld = null } = expected;
  if (low === undefined || low === null) return { level: 'withheld', n_office, n_department };
  return { level, n, n_office, low, high, withheld: String(withheld ?? '').replace('_', '-') || null };
}
