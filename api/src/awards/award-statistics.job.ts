/** Computes the statistics of offices and the checks that withhold them: past coverage and changes of price rules. */

import { indianDay } from '@nivida/contract/format';
import { dayNumber, dayText } from '@nivida/contract/time';
import type { DataSource } from 'typeorm';
import type { Job } from '../jobs/job.ts';
import { RAISE_STATES } from './awards.sql.ts';
import type { AwardFacts, PriceExclusion } from './statistics/award-facts.ts';
import { backTest } from './statistics/back-test.ts';
import { type LateBids, type StateCoverage, stateOffices } from './statistics/office-awards.ts';
import { MEASURE_NAMES, type MeasureName, StateAwards } from './statistics/office-statistics.ts';
import { readRegimes } from './statistics/read-regimes.ts';
import { refusalsPredict } from './statistics/refusal-test.ts';
import { findRegimeChange, type PricedAward } from './statistics/regime-detector.ts';
import { Regimes } from './statistics/regimes.ts';
import { monthsBefore, statisticsDay } from './statistics/statistics-day.ts';
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
/** The detector compares two years. The coverage needs the window before two past quarters. */
const HISTORY_MONTHS = 48;
const CHECK_EVERY_DAYS = 7;
const REPLAYED_DAYS = 2 * 365;
/** Tenders published later have too few known awards to be tested. */
const COVERAGE_LAG_DAYS = 90;
const COVERAGE_DAYS = 182;

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

/** The awards that the statistics of a state need; null when no award counts. */
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
  const { state, refusalsPredict } = due;
  const regimes = await readRegimes(dataSource.manager, state, dayText(day));
  const window = [state, dayText(monthsBefore(day + 1, WINDOW_MONTHS)), dayText(day)];
  const lateBids: LateBids[] = await dataSource.query(LATE_BIDS, window);
  const statistics = stateOffices(new StateAwards(facts, dayText(day), regimes), {
    state,
    day,
    regimes: new Regimes(regimes),
    coverage: await readCoverage(dataSource, state),
    refusalsPredict,
    lateBids: new Map(lateBids.map((row) => [row.officeId, row])),
    isDemonstration,
  });
  return statistics.map((each) => ({
    office_id: each.office.id,
    office_key: each.office.key,
    department: each.office.department,
    awards: each.awards,
    last_known_on: each.awards > 0 ? each.lastKnownOn : null,
    statistics: each,
  }));
}

async function readCoverage(dataSource: DataSource, state: string): Promise<StateCoverage> {
  const rows: { statistic: MeasureName; covered: number; ranges: number }[] = await dataSource.query(STATE_COVERAGE, [
    state,
  ]);
  return new Map(rows.map(({ statistic, covered, ranges }) => [statistic, { count: covered, of: ranges }]));
}

/** Stores a change of price rules that the operator enters. The next run computes the statistics of the state again. */
export async function addRegime(
  dataSource: DataSource,
  regime: { state: string; department: string | null; from: string; rule: string; source: string },
  now: Date,
): Promise<void> {
  const { state, department, from, rule, source } = regime;
  await dataSource.query(INSERT_REGIME, [state, department, from, rule, source, now]);
  await dataSource.query(RAISE_STATES, [[state]]);
}

export const awardStatisticsJob: Job = { name: 'award-statistics', cron: '*/10 * * * *', run: computeAwardStatistics };
