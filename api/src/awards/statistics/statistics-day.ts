import { DAY_MS } from '@nivida/contract/time';

/** Fewer awards within a week are late entries or wrong years. They do not show that the source is still read. */
const MIN_WEEKLY_AWARDS = 20;
const WEEK_DAYS = 7;

/**
 * The last day of the windows of a state's statistics. It is the newest day, at most `today`, on which 20 awards had become
 * known within a week; so a source that ended has the statistics of its last day. For a small source it is the day of the
 * newest award. Null without awards.
 */
export function statisticsDay(knownDays: readonly number[], today: number): number | null {
  const days = knownDays.filter((day) => day <= today).sort((a, b) => a - b);
  for (let index = days.length - 1; index >= MIN_WEEKLY_AWARDS - 1; index--) {
    const [newest, twentieth] = [days[index], days[index - MIN_WEEKLY_AWARDS + 1]] as [number, number];
    if (newest - twentieth < WEEK_DAYS) return newest;
  }
  return days.at(-1) ?? null;
}

/** The day number `months` earlier. If the earlier month has no such day, its last day. */
export function monthsBefore(number: number, months: number): number {
  const day = new Date(number * DAY_MS);
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1);
  const last = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months + 1, 0);
  return Math.min(first + (day.getUTCDate() - 1) * DAY_MS, last) / DAY_MS;
}
