/** Computes the statistics of offices and the checks that withhold them: past coverage and changes of price rules. */
import {
  type AwardRange,
  type AwardShare,
  MIN_SHARE_AWARDS,
  type OfficeAwards,
  type OfficeReference,
} from '@nivida/contract/awards/awards';
import { departmentKey, officeName } from '@nivida/contract/awards/office';
import { indianDay } from '@nivida/contract/format';
import type { DataSource } from 'typeorm';
import { officeId } from './award-storage.service.ts';
import { RAISE_STATES } from './awards.sql.ts';
import type { AwardFacts, PriceExclusion } from './statistics/award-facts.ts';
import { backTest } from './statistics/back-test.ts';
import { dayNumber, dayText, monthsBefore } from './statistics/day-number.ts';
import {
  MEASURE_NAMES,
  type MeasureName,
  type OfficeStatistics,
  type RangeStatistic,
  StateAwards,
} from './statistics/office-statistics.ts';
import { readRegimes } from './statistics/read-regimes.ts';
import { refusalsPredict } from './statistics/refusal-test.ts';
import { findRegimeChange, type PricedAward } from './statistics/regime-detector.ts';
import { Regimes } from './statistics/regimes.ts';
import { statisticsDay } from './statistics/statistics-day.ts';
import {
  DUE_STATES,
  INSERT_DETECTED_REGIME,
  INSERT_REGIME,
  KNOWN_DAYS,
  LATE_BIDS,
  STATE_AWARDS,
  STATE_COVERAGE,
  STATE_FACTS,
  STORE_CHECK,
  STORE_COVERAGE,
  STORE_STATE,
  STORE_STATISTICS,
} from './statistics.sql.ts';

const WINDOW_MONTHS = 24;
/** The detector compares two years; the coverage needs the window before two past quarters. */
const HISTORY_MONTHS = 48;
const CHECK_EVERY_DAYS = 7;
const REPLAYED_DAYS = 2 * 365;
/** Tenders published later have too few known awards to be tested. */
const COVERAGE_LAG_DAYS = 90;
const COVERAGE_DAYS = 182;
/** Fewer tested ranges give no verdict. */
const MIN_TESTED_RANGES = 40;
const MIN_COVERAGE = 0.75;
/** Minimum ratio of an office's rate of refused bids to the state's at which the office is called higher. */
const MUCH_HIGHER_RATE = 1.5;

interface JobContext {
  dataSource: DataSource;
  now: Date;
}

interface DueState {
  state: string;
  changeNo: number;
  checkedOn: string | null;
  refusalsPredict: boolean;
}

interface StateFacts {
  day: number;
  facts: AwardFacts[];
  isDemonstration: boolean;
}

/** Computes the states whose awards, rules or day have changed. Returns the number of offices that changed. */
export async function computeAwardStatistics({ dataSource, now }: JobContext): Promise<number> {
  const due: DueState[] = await dataSource.query(DUE_STATES, [dayText(indianDay(now))]);
  let changed = 0;
  for (const state of due) changed += await computeState(dataSource, state, now);
  return changed;
}

async function computeState(dataSource: DataSource, due: DueState, now: Date): Promise<number> {
  const { state } = due;
  const known = await readFacts(dataSource, state, now);
  const isCheckDue =
    known !== null && (due.checkedOn === null || known.day - dayNumber(due.checkedOn) >= CHECK_EVERY_DAYS);
  if (isCheckDue) due.refusalsPredict = await checkState(dataSource, state, known, due.checkedOn, now);
  const offices = known === null ? [] : await computeOffices(dataSource, due, known);
  const [{ changed }] = await dataSource.query(STORE_STATISTICS, [state, JSON.stringify(offices), now]);
  const [{ count }] = await dataSource.query(STATE_AWARDS, [state]);
  await dataSource.query(STORE_STATE, [
    state,
    due.changeNo,
    known && dayText(known.day),
    now,
    count,
    offices.filter(({ awards }) => awards > 0).length,
    known?.isDemonstration ?? false,
    changed > 0,
  ]);
  return changed;
}

/** The awards that the statistics of a state need; null without any that counts. */
async function readFacts(dataSource: DataSource, state: string, now: Date): Promise<StateFacts | null> {
  const days: { day: number }[] = await dataSource.query(KNOWN_DAYS, [state]);
  const day = statisticsDay(
    days.map((row) => row.day),
    indianDay(now),
  );
  if (day === null) return null;
  const rows: (Omit<AwardFacts, 'price'> & { price: string; origin: string })[] = await dataSource.query(STATE_FACTS, [
    state,
    dayText(monthsBefore(day, HISTORY_MONTHS)),
    dayText(day),
  ]);
  const facts = rows.map(({ origin: _origin, price, ...row }) => ({
    ...row,
    price: /^-?\d+$/.test(price) ? Number(price) : (price as PriceExclusion),
  }));
  return { day, facts, isDemonstration: rows.some(({ origin }) => origin === 'generated') };
}

/** Looks for new changes of rules and measures past coverage. Returns whether refusals predict later ones. */
async function checkState(
  dataSource: DataSource,
  state: string,
  { day, facts }: StateFacts,
  checkedOn: string | null,
  now: Date,
): Promise<boolean> {
  const from = checkedOn === null ? day - REPLAYED_DAYS : dayNumber(checkedOn) + CHECK_EVERY_DAYS;
  await detectRegimes(dataSource, state, facts, { from, until: day }, now);
  const until = day - COVERAGE_LAG_DAYS;
  const period = { from: until - COVERAGE_DAYS, until };
  const coverage = backTest(facts, period, await readRegimes(dataSource.manager, state, dayText(day)));
  for (const name of MEASURE_NAMES)
    await dataSource.query(STORE_COVERAGE, [
      state,
      name,
      coverage[name].shownCovered,
      coverage[name].shown,
      dayText(day),
    ]);
  const predict = refusalsPredict(facts, period);
  await dataSource.query(STORE_CHECK, [state, dayText(day), predict]);
  return predict;
}

/** Runs the detector for each week of a period. A change counts when two weeks in a row see it. */
async function detectRegimes(
  dataSource: DataSource,
  state: string,
  facts: readonly AwardFacts[],
  { from, until }: { from: number; until: number },
  now: Date,
): Promise<void> {
  const known = new Regimes(await readRegimes(dataSource.manager, state, dayText(until)));
  for (const [department, prices] of Map.groupBy(facts.flatMap(toPrice), ({ department }) => department)) {
    let since = known.changedOn(department) ?? 0;
    let wasSeen = findRegimeChange(prices, from - CHECK_EVERY_DAYS, since) !== null;
    for (let day = from; day <= until; day += CHECK_EVERY_DAYS) {
      const change = findRegimeChange(prices, day, since);
      if (change && wasSeen) {
        since = change.from;
        const { price, shareBefore, shareAfter } = change;
        const found = [state, department, dayText(change.from), price, shareBefore, shareAfter, now];
        await dataSource.query(INSERT_DETECTED_REGIME, found);
      }
      wasSeen = change !== null && !wasSeen;
    }
  }
}

const toPrice = (facts: AwardFacts): (PricedAward & { department: string })[] =>
  typeof facts.price === 'number' ? [{ ...facts, price: facts.price }] : [];

async function computeOffices(dataSource: DataSource, due: DueState, { day, facts, isDemonstration }: StateFacts) {
  const { state } = due;
  const regimes = await readRegimes(dataSource.manager, state, dayText(day));
  const awards = new StateAwards(facts, dayText(day), regimes);
  const changes = new Regimes(regimes);
  const coverage = await readCoverage(dataSource, state);
  const window = [state, dayText(monthsBefore(day + 1, WINDOW_MONTHS)), dayText(day)];
  const late = new Map<string, LateBids>(
    (await dataSource.query(LATE_BIDS, window)).map((row: LateBids) => [row.officeId, row]),
  );
  const offices = [...awards.offices()];
  const departments = [...new Set(offices.map(({ department }) => department))];
  const units = [...offices, ...departments.map((department) => ({ office: departmentKey(department), department }))];
  return units.map(({ office, department }) => {
    const found = awards.statistics(office, department);
    const id = officeId(state, office);
    const changedOn = changes.changedOn(department);
    const isDepartment = kindOf(office) === 'department';
    const statistics: Omit<OfficeAwards, 'isOld'> = {
      office: {
        id,
        key: office,
        name: officeName(office),
        kind: kindOf(office),
        department,
        state,
      },
      awards: found.awards,
      firstKnownOn: found.firstKnownOn,
      lastKnownOn: isDepartment ? awards.departmentLastKnownOn(department) : found.lastKnownOn,
      ...toRanges(found, coverage, changedOn === null ? null : dayText(changedOn)),
      masses: isCoverageTooLow(coverage.get('price'))
        ? []
        : found.pointMasses.map(({ centre, works }) => ({ price: centre, count: works, of: found.prices })),
      refused: toRefused(found, due.refusalsPredict),
      singleBid: found.singleBid.isShown ? { count: found.singleBid.awards, of: found.awards } : null,
      lateBids: toLateBids(late.get(id)),
      computedOn: dayText(day),
      isDemonstration,
    };
    return {
      office_id: id,
      office_key: office,
      department,
      awards: found.awards,
      last_known_on: found.lastKnownOn,
      statistics,
    };
  });
}

export function kindOf(key: string): OfficeReference['kind'] {
  if (key.endsWith('||')) return 'department';
  return key.includes('||pin:') ? 'pin' : 'chain';
}

interface LateBids {
  officeId: string;
  awards: number;
  bids: number;
  late: number;
}

type StateCoverage = ReadonlyMap<MeasureName, AwardShare>;

async function readCoverage(dataSource: DataSource, state: string): Promise<StateCoverage> {
  const rows: { statistic: MeasureName; covered: number; ranges: number }[] = await dataSource.query(STATE_COVERAGE, [
    state,
  ]);
  return new Map(rows.map(({ statistic, covered, ranges }) => [statistic, { count: covered, of: ranges }]));
}

/** Whether past ranges were wrong too often; false without a measurement. */
export const isCoverageTooLow = (coverage: AwardShare | undefined): boolean =>
  coverage !== undefined && coverage.of >= MIN_TESTED_RANGES && coverage.count / coverage.of < MIN_COVERAGE;

function toRanges(found: OfficeStatistics, coverage: StateCoverage, changedOn: string | null) {
  const range = (name: MeasureName) => toAwardRange(found[name], coverage.get(name), changedOn);
  return { bidders: range('bidders'), price: range('price'), daysToContract: range('daysToContract') };
}

/** The range as it is sent: without its values where they may not be shown. */
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

/** Stores a change of price rules by the operator; the statistics of the state are computed again with the next run. */
export async function addRegime(
  dataSource: DataSource,
  regime: { state: string; department: string | null; from: string; rule: string; source: string },
  now: Date,
): Promise<void> {
  const { state, department, from, rule, source } = regime;
  await dataSource.query(INSERT_REGIME, [state, department, from, rule, source, now]);
  await dataSource.query(RAISE_STATES, [[state]]);
}
