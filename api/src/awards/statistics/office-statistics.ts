/** Ranges and counts of an office's awards. Awards of the department are added when the office has too few. */

import { MIN_DEPARTMENT_AWARDS, MIN_OFFICE_AWARDS, MIN_SHARE_AWARDS } from '@nivida/contract/awards/awards';
import { dayNumber, dayText } from '@nivida/contract/time';
import type { AwardFacts } from './award-facts.ts';
import { type PointMass, pointMasses } from './point-masses.ts';
import { type Regime, Regimes } from './regimes.ts';
import { monthsBefore } from './statistics-day.ts';
import { blend, countValues, totalWeight, type WeightedValues, weightedRange } from './weighted-values.ts';

const WINDOW_MONTHS = 24;
const PRICE_WINDOW_MONTHS = 12;
/** All awards of the parent together weigh as much as this many awards of the office. */
const PARENT_WEIGHT = 20;
/** With fewer awards under a new rule no price is shown. */
const MIN_NEW_RULE_AWARDS = 20;
/** Maximum width of a shown price range, in hundredths of a percent. A wider one does not help a bidder. */
export const MAX_PRICE_WIDTH = 2_500;

/** Why a range is not shown. */
export type Withheld = 'too-few' | 'too-wide' | 'past-ranges-wrong' | 'rates-changed';

/** A range that holds about 8 in 10 works (9 in 10 for days to contract), or the reason why there is none. */
export type RangeStatistic =
  | {
      level: 'office' | 'department';
      awards: number;
      officeAwards: number;
      low: number;
      high: number;
      withheld?: Withheld;
    }
  | { level: null; officeAwards: number; departmentAwards: number; withheld: 'too-few' | 'rates-changed' };

/** Statistics of one office on a day. Prices are hundredths of a percent of the estimate. */
export interface OfficeStatistics {
  office: string;
  department: string;
  /** Awards known in the 24 months up to the day, with the first and last of their days. */
  awards: number;
  firstKnownOn: string | null;
  lastKnownOn: string | null;
  bidders: RangeStatistic;
  price: RangeStatistic;
  daysToContract: RangeStatistic;
  pointMasses: PointMass[];
  /** Number of prices of the last 12 months; the point masses are shares of it. */
  prices: number;
  refused: {
    bids: number;
    technical: number;
    notAdmitted: number;
    /** Share of refused bids, blended with the department and the state. */
    rate: number;
    stateRate: number;
    isShown: boolean;
  };
  singleBid: { awards: number; isShown: boolean };
}

/** One number of each award, the awards that count for it, and the shares of the range. */
interface Measure {
  months: number;
  lowShare: number;
  highShare: number;
  value(facts: AwardFacts): number | null;
}

const MEASURES = {
  bidders: { months: WINDOW_MONTHS, lowShare: 0.1, highShare: 0.9, value: ({ bidders }) => bidders },
  price: {
    months: PRICE_WINDOW_MONTHS,
    lowShare: 0.1,
    highShare: 0.9,
    value: ({ price }) => (typeof price === 'number' ? price : null),
  },
  daysToContract: {
    months: WINDOW_MONTHS,
    lowShare: 0.05,
    highShare: 0.95,
    value: ({ daysToContract }) => daysToContract,
  },
} satisfies Record<string, Measure>;

/** The measures that have a range. */
export type MeasureName = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as MeasureName[];

/** The value of an award for a measure; null when it does not count. */
export const measureValue = (name: MeasureName, facts: AwardFacts): number | null => MEASURES[name].value(facts);

/** The values of awards for a measure in its window that ends on `day`. */
export function measureValues(name: MeasureName, facts: readonly AwardFacts[], day: number): number[] {
  const { months, value } = MEASURES[name];
  const from = windowStart(day, months);
  return facts.flatMap((each) => (each.knownOn >= from && each.knownOn <= day ? (value(each) ?? []) : []));
}

/** The range of values, which all weigh the same. */
export function measureRange(name: MeasureName, values: readonly number[]): { low: number; high: number } | null {
  const { lowShare, highShare } = MEASURES[name];
  return weightedRange(countValues(values), lowShare, highShare);
}

/** The first day of the window of a measure that ends on `day`. */
const windowStart = (day: number, months: number) => monthsBefore(day + 1, months);

/** The values of one measure in its window, by state, department and office. */
class MeasureValues {
  readonly state: WeightedValues;
  private readonly departments: ReadonlyMap<string, WeightedValues>;
  private readonly offices: ReadonlyMap<string, WeightedValues>;
  private readonly blended = new Map<string, WeightedValues>();
  private readonly ranges = new Map<string, RangeStatistic>();

  constructor(
    facts: readonly AwardFacts[],
    day: number,
    private readonly measure: Measure,
  ) {
    const from = windowStart(day, measure.months);
    const all: number[] = [];
    const departments = new Map<string, number[]>();
    const offices = new Map<string, number[]>();
    for (const each of facts) {
      if (each.knownOn < from || each.knownOn > day) continue;
      const value = measure.value(each);
      if (value === null) continue;
      all.push(value);
      append(departments, each.department, value);
      append(offices, each.office, value);
    }
    this.state = countValues(all);
    this.departments = countEach(departments);
    this.offices = countEach(offices);
  }

  /** The state's own range, to compare the ranges of offices with it. */
  stateRange(): { low: number; high: number } | null {
    return weightedRange(this.state, this.measure.lowShare, this.measure.highShare);
  }

  /** Number of values of a department. */
  departmentAwards(department: string): number {
    return totalWeight(this.departments.get(department) ?? new Map());
  }

  /** The range of an office; computed once. */
  range(office: string, department: string): RangeStatistic {
    // An office without values has the range of its department.
    const key = this.offices.has(office) ? office : `${department}||`;
    let range = this.ranges.get(key);
    if (!range) {
      range = this.computeRange(office, department);
      this.ranges.set(key, range);
    }
    return range;
  }

  private computeRange(office: string, department: string): RangeStatistic {
    const own = this.offices.get(office) ?? new Map();
    const ofDepartment = this.departments.get(department) ?? new Map();
    const officeAwards = totalWeight(own);
    const departmentAwards = totalWeight(ofDepartment);
    const isOffice = officeAwards >= MIN_OFFICE_AWARDS;
    if (!isOffice && departmentAwards < MIN_DEPARTMENT_AWARDS)
      return { level: null, officeAwards, departmentAwards, withheld: 'too-few' };
    const parent = this.departmentValues(department, ofDepartment);
    const values = isOffice ? blend(own, parent, PARENT_WEIGHT) : parent;
    const range = weightedRange(values, this.measure.lowShare, this.measure.highShare);
    if (!range) throw new Error(`${office} has ${officeAwards} awards and no range`);
    return isOffice
      ? { level: 'office', awards: officeAwards, officeAwards, ...range }
      : { level: 'department', awards: departmentAwards, officeAwards, ...range };
  }

  /** The department's values blended with the state's. */
  private departmentValues(department: string, values: WeightedValues): WeightedValues {
    let blended = this.blended.get(department);
    if (!blended) {
      blended = blend(values, this.state, PARENT_WEIGHT);
      this.blended.set(department, blended);
    }
    return blended;
  }
}

/** Adds the reason why the range is not shown. */
function withhold(range: RangeStatistic, withheld: Withheld): RangeStatistic {
  return range.level === null
    ? { ...range, withheld: withheld === 'rates-changed' ? withheld : 'too-few' }
    : { ...range, withheld };
}

/** For a set of awards: bids, and refusals before the prices were read. */
interface RefusalCounts {
  awards: number;
  bids: number;
  technical: number;
  notAdmitted: number;
}

/** The awards of one state that are known on a day, ready for the statistics of its offices. */
export class StateAwards {
  private readonly byOffice = new Map<string, AwardFacts[]>();
  private readonly measures: Record<MeasureName, MeasureValues>;
  private readonly refusals: { state: RefusalCounts; departments: Map<string, RefusalCounts> };
  private readonly newestOfDepartments: ReadonlyMap<string, number>;
  private readonly priceFrom: number;
  private readonly regimes: Regimes;

  /** `day` is the last Indian day ('YYYY-MM-DD') of the windows. Prices from before a change of rules do not count. */
  constructor(facts: readonly AwardFacts[], day: string, regimes: readonly Regime[] = []) {
    const until = dayNumber(day);
    const from = windowStart(until, WINDOW_MONTHS);
    this.priceFrom = windowStart(until, PRICE_WINDOW_MONTHS);
    this.regimes = new Regimes(regimes.filter((regime) => regime.from <= until));
    const known = facts
      .filter(({ knownOn }) => knownOn >= from && knownOn <= until)
      .map((each) => this.withoutOldPrice(each));
    for (const each of known) append(this.byOffice, each.office, each);
    this.measures = {
      bidders: new MeasureValues(known, until, MEASURES.bidders),
      price: new MeasureValues(known, until, MEASURES.price),
      daysToContract: new MeasureValues(known, until, MEASURES.daysToContract),
    };
    const departments = new Map<string, AwardFacts[]>();
    for (const each of known) append(departments, each.department, each);
    this.newestOfDepartments = new Map(
      [...departments].map(([name, awards]) => [name, Math.max(...awards.map(({ knownOn }) => knownOn))]),
    );
    this.refusals = {
      state: countRefusals(known),
      departments: new Map([...departments].map(([name, awards]) => [name, countRefusals(awards)])),
    };
  }

  /** Keys and departments of the offices with an award in the window. */
  *offices(): Generator<{ office: string; department: string }> {
    for (const [office, [first]] of this.byOffice) if (first) yield { office, department: first.department };
  }

  /** The day of the newest award of a department in the window; null without any. */
  departmentLastKnownOn(department: string): string | null {
    const day = this.newestOfDepartments.get(department);
    return day === undefined ? null : dayText(day);
  }

  /** The state's own range of a measure. */
  stateRange(measure: MeasureName): { low: number; high: number } | null {
    return this.measures[measure].stateRange();
  }

  /** The range of one measure at an office. The office may have no award of its own. */
  range(measure: MeasureName, office: string, department: string): RangeStatistic {
    const range = this.measures[measure].range(office, department);
    if (measure !== 'price') return range;
    if (this.hasTooFewNewPrices(department)) return withhold(range, 'rates-changed');
    return range.level !== null && range.high - range.low > MAX_PRICE_WIDTH ? withhold(range, 'too-wide') : range;
  }

  /** Whether the rules have changed and fewer than 20 awards of the department follow the new rule. */
  private hasTooFewNewPrices(department: string): boolean {
    return (
      this.regimes.changedOn(department) !== null &&
      this.measures.price.departmentAwards(department) < MIN_NEW_RULE_AWARDS
    );
  }

  private withoutOldPrice(facts: AwardFacts): AwardFacts {
    const changedOn = this.regimes.changedOn(facts.department);
    return changedOn === null || facts.publishedOn >= changedOn ? facts : { ...facts, price: 'old-rule' };
  }

  /** All statistics of an office. */
  statistics(office: string, department: string): OfficeStatistics {
    const awards = this.byOffice.get(office) ?? [];
    const known = awards.map(({ knownOn }) => knownOn);
    const prices = awards.flatMap(({ price, closesOn, knownOn }) =>
      typeof price === 'number' && knownOn >= this.priceFrom ? [{ price, closesOn }] : [],
    );
    return {
      office,
      department,
      awards: awards.length,
      firstKnownOn: known.length === 0 ? null : dayText(Math.min(...known)),
      lastKnownOn: known.length === 0 ? null : dayText(Math.max(...known)),
      bidders: this.range('bidders', office, department),
      price: this.range('price', office, department),
      daysToContract: this.range('daysToContract', office, department),
      pointMasses: this.hasTooFewNewPrices(department) ? [] : pointMasses(prices),
      prices: prices.length,
      refused: this.refused(awards, department),
      singleBid: {
        awards: awards.filter(({ bidders }) => bidders === 1).length,
        isShown: awards.length >= MIN_SHARE_AWARDS,
      },
    };
  }

  /** The parent adds as many bids as 20 average tenders of the state have, at the parent's rate of refusals. */
  private refused(awards: readonly AwardFacts[], department: string): OfficeStatistics['refused'] {
    const own = countRefusals(awards);
    const state = this.refusals.state;
    const parentBids = state.awards === 0 ? 0 : (PARENT_WEIGHT * state.bids) / state.awards;
    const stateRate = refusalRate(state, 0, 0);
    const departmentRate = refusalRate(this.refusals.departments.get(department) ?? NO_REFUSALS, stateRate, parentBids);
    return {
      bids: own.bids,
      technical: own.technical,
      notAdmitted: own.notAdmitted,
      rate: refusalRate(own, departmentRate, parentBids),
      stateRate,
      // A source that never names a refused bid does not publish them, so "none was refused" would be wrong.
      isShown: own.awards >= MIN_SHARE_AWARDS && state.technical + state.notAdmitted > 0,
    };
  }
}

const NO_REFUSALS: RefusalCounts = { awards: 0, bids: 0, technical: 0, notAdmitted: 0 };

function countRefusals(awards: readonly AwardFacts[]): RefusalCounts {
  const counts = { ...NO_REFUSALS, awards: awards.length };
  for (const { bidders, refusedTechnical, notAdmitted } of awards) {
    counts.bids += bidders;
    counts.technical += refusedTechnical;
    counts.notAdmitted += notAdmitted;
  }
  return counts;
}

/** Share of refused bids after adding `parentBids` bids at the parent's rate; 0 without bids. */
function refusalRate({ bids, technical, notAdmitted }: RefusalCounts, parentRate: number, parentBids: number): number {
  const total = bids + parentBids;
  return total === 0 ? 0 : (technical + notAdmitted + parentRate * parentBids) / total;
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const countEach = (lists: Map<string, number[]>) =>
  new Map([...lists].map(([key, values]) => [key, countValues(values)]));
