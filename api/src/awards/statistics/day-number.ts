import { DAY_MS } from '@nivida/contract/time';

/** The day number `months` earlier. A day that the earlier month does not have becomes its last one. */
export function monthsBefore(number: number, months: number): number {
  const day = new Date(number * DAY_MS);
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1);
  const last = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months + 1, 0);
  return Math.min(first + (day.getUTCDate() - 1) * DAY_MS, last) / DAY_MS;
}
