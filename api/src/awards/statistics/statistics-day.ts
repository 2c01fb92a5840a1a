import { DAY_MS } from '@nivida/contract/time';

/** Fewer awards within a week are stragglers and wrong years, not a source that is still read. */
const MIN_WEEKLY_AWARDS = 20;
const WEEK_DAYS = 7;

/**
 * The last day of the windows of a state's statistics: the newest day, at most `today`, on which 20 awards had become known
 * within a week. A source that ended has the statistics of its last day. A small source: the newest award. Null without any.
 */
export function statisticsDay(knownDays: readonly number[], today: number): number | null {
  const days = knownDays.filter((day) => day <= today).sort((a, b) => a - b);
  for (let index = days.length - 1; index >= MIN_WEEKLY_AWARDS - 1; index--) {
    const [newest, twentieth] = [days[index], days[index - MIN_WEEKLY_AWARDS + 1]] as [number, number];
    if (newest - twentieth < WEEK_DAYS) return newest;
  }
  return days.at(-1) ?? null;
}

/** The day number `months` earlier. A day that the earlier month does not have becomes its last one. */
export function monthsBefore(number: number, months: number): number {
  const day = new Date(number * DAY_MS);
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1);
  const last = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months + 1, 0);
  return Math.min(first + (day.getUTCDate() - 1) * DAY_MS, last) / DAY_MS;
}
