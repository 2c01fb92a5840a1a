/** The statistics of a state's offices as they are stored and sent. Values that may not be shown are left out. */

import { type AwardRange, type AwardShare, MIN_SHARE_AWARDS, type OfficeAwards } from '@nivida/contract/awards/awards';
import { departmentKey, officeKind, officeName } from '@nivida/contract/awards/office';
import { dayText } from '@nivida/contract/time';
import { officeId } from '../award-storage.service.ts';
import type { MeasureName, OfficeStatistics, RangeStatistic, StateAwards } from './office-statistics.ts';
import type { Regimes } from './regimes.ts';

/** Minimum number of tested ranges for a verdict. */
const MIN_TESTED_RANGES = 40;
const MIN_COVERAGE = 0.75;
/** Minimum ratio of an office's rate of refused bids to the state's at which the office is called higher. */
const MUCH_HIGHER_RATE = 1.5;

/** Bids of one office that came in the last 24 hours before closing. */
export interface LateBids {
  officeId: string;
  awards: number;
  bids: number;
  late: number;
}

/** How often past ranges of a state contained the result. */
export type StateCoverage = ReadonlyMap<MeasureName, AwardShare>;

/** Facts about a state that do not come from its awards. */
interface StateContext {
  state: string;
  /** The last day of the windows. */
  day: number;
  regimes: Regimes;
  coverage: StateCoverage;
  refusalsPredict: boolean;
  lateBids: ReadonlyMap<string, LateBids>;
  isDemonstration: boolean;
}

/** The statistics of all offices of a state, then of its departments. */
export function stateOffices(awards: StateAwards, context: StateContext): Omit<OfficeAwards, 'isOld'>[] {
  const { state, day, regimes, coverage, refusalsPredict, lateBids, isDemonstration } = context;
  const offices = [...awards.offices()];
  const departments = [...new Set(offices.map(({ department }) => department))];
  const units = [...offices, ...departments.map((department) => ({ office: departmentKey(department), department }))];
  return units.map(({ office: key, department }) => {
    const found = awards.statistics(key, department);
    const id = officeId(state, key);
    const kind = officeKind(key);
    const changedOn = regimes.changedOn(department);
    return {
      office: { id, key, name: officeName(key), kind, department, state },
      awards: found.awards,
      firstKnownOn: found.firstKnownOn,
      lastKnownOn: kind === 'department' ? awards.departmentLastKnownOn(department) : found.lastKnownOn,
      ...toRanges(found, coverage, changedOn === null ? null : dayText(changedOn)),
      masses: isCoverageTooLow(coverage.get('price'))
        ? []
        : found.pointMasses.map(({ centre, works }) => ({ price: centre, count: works, of: found.prices })),
      refused: toRefused(found, refusalsPredict),
      singleBid: found.singleBid.isShown ? { count: found.singleBid.awards, of: found.awards } : null,
      lateBids: toLateBids(lateBids.get(id)),
      computedOn: dayText(day),
      isDemonstration,
    };
  });
}

/** Whether past ranges were wrong too often; false without a measurement. */
export const isCoverageTooLow = (coverage: AwardShare | undefined): boolean =>
  coverage !== undefined && coverage.of >= MIN_TESTED_RANGES && coverage.count / coverage.of < MIN_COVERAGE;

function toRanges(found: OfficeStatistics, coverage: StateCoverage, changedOn: string | null) {
  const range = (name: MeasureName) => toAwardRange(found[name], coverage.get(name), changedOn);
  return { bidders: range('bidders'), price: range('price'), daysToContract: range('daysToContract') };
}

/** The range as it is sent. Its values are left out when they may not be shown. */
function toAwardRange(range: RangeStatistic, coverage: AwardShare | undefined, changedOn: string | null): AwardRange {
  const { officeAwards, withheld } = range;
  const isWrong = isCoverageTooLow(coverage);
  const reason = range.level === null ? range.withheld : (withheld ?? (isWrong ? 'past-ranges-wrong' : undefined));
  if (reason !== undefined || range.level === null)
    return {
      isShown: false,
      reason: reason ?? 'too-few',
      officeAwards,
      changedOn: reason === 'rates-changed' ? changedOn : null,
    };
  const { level, awards, low, high } = range;
  const isTested = coverage !== undefined && coverage.of >= MIN_TESTED_RANGES;
  return { isShown: true, basis: level, awards, officeAwards, low, high, coverage: isTested ? coverage : null };
}

function toRefused({ refused }: OfficeStatistics, predict: boolean): OfficeAwards['refused'] {
  if (!refused.isShown) return null;
  const { bids, technical, notAdmitted, rate, stateRate } = refused;
  return {
    count: technical + notAdmitted,
    of: bids,
    technical,
    notAdmitted,
    isMoreThanUsual: predict && rate >= MUCH_HIGHER_RATE * stateRate,
  };
}

const toLateBids = (late: LateBids | undefined): OfficeAwards['lateBids'] =>
  late && late.awards >= MIN_SHARE_AWARDS ? { count: late.late, of: late.bids } : null;
