/**
 * Back test of ranges: how often a range of the awards that were known before a day contained the result of a tender
 * published later.
 */
import { dayText } from '@nivida/contract/time';
import type { AwardFacts } from './award-facts.ts';
import { MEASURE_NAMES, type MeasureName, measureValue, StateAwards } from './office-statistics.ts';
import type { Regime } from './regimes.ts';

/** Counts of one measure. */
export interface Coverage {
  /** Tenders with a value. */
  tenders: number;
  /** Tenders whose office or department had a range, and those inside it. */
  ranges: number;
  covered: number;
  /** Tenders whose range is shown, and those inside it. Wide ranges are withheld. */
  shown: number;
  shownCovered: number;
  /** Widths of the ranges, one for each tender with a range. */
  widths: number[];
  /** Tenders with a range whose result was inside the range of the whole state. */
  stateCovered: number;
  stateWidth: number | null;
}

/**
 * Day numbers. Ranges are computed from the awards known before `from`; tenders published from `from` and before
 * `until` are tested.
 */
export interface TestPeriod {
  from: number;
  until: number;
}

/** Coverage of the ranges of one state for the tenders of a period whose awards are among `facts`. */
export function backTest(
  facts: readonly AwardFacts[],
  { from, until }: TestPeriod,
  regimes: readonly Regime[] = [],
): Record<MeasureName, Coverage> {
  const known = new StateAwards(facts, dayText(from - 1), regimes);
  const published = facts.filter(({ publishedOn }) => publishedOn >= from && publishedOn < until);
  const coverage = (name: MeasureName) => measureCoverage(name, known, published);
  return Object.fromEntries(MEASURE_NAMES.map((name) => [name, coverage(name)])) as Record<MeasureName, Coverage>;
}

function measureCoverage(name: MeasureName, known: StateAwards, published: readonly AwardFacts[]): Coverage {
  const state = known.stateRange(name);
  const coverage: Coverage = {
    tenders: 0,
    ranges: 0,
    covered: 0,
    shown: 0,
    shownCovered: 0,
    widths: [],
    stateCovered: 0,
    stateWidth: state && state.high - state.low,
  };
  for (const facts of published) {
    const value = measureValue(name, facts);
    if (value === null) continue;
    coverage.tenders++;
    const range = known.range(name, facts.office, facts.department);
    if (range.level === null) continue;
    const isCovered = range.low <= value && value <= range.high;
    coverage.ranges++;
    if (isCovered) coverage.covered++;
    if (state && state.low <= value && value <= state.high) coverage.stateCovered++;
    coverage.widths.push(range.high - range.low);
    if (range.withheld) continue;
    coverage.shown++;
    if (isCovered) coverage.shownCovered++;
  }
  return coverage;
}
