/** The closings of a day by hour, for the chart of the home page. */
import { UNKNOWN_MINUTE } from '@nivida/contract/tenders/closing';
import type { ClosingMinutes } from '@nivida/contract/tenders/tender';
import { countClosingAfter, countClosings, minuteOfDay } from '../../data/stored-pages/correct-closings.ts';

/** Hours that the chart always has: nearly all tenders close between 9 AM and 7 PM. */
const USUAL_HOURS = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18];

/** One hour. `total` tenders close in it, `left` of them have not closed yet. */
export interface HourBar {
  hour: number;
  total: number;
  left: number;
  /** The first hour with tenders left. */
  isNext: boolean;
}

export interface TodayFacts {
  closing: ClosingMinutes;
  bars: HourBar[];
  /** Tenders that still close today. */
  left: number;
  /** Tenders that close within the next 60 minutes of today. */
  nextHour: number;
  /** The minute of the next closing; null when none of today's is left. */
  nextMinute: number | null;
}

/** Those of one hour. */
export const closingsOf = (closing: ClosingMinutes, hour: number): ClosingMinutes =>
  closing.filter(([at]) => Math.floor(at / 60) === hour);

/** The closings of today at an instant. */
export function todayFacts(closing: ClosingMinutes, now: Date): TodayFacts {
  const minute = minuteOfDay(now);
  const timed = closing.filter(([at]) => at < UNKNOWN_MINUTE);
  const nextMinute = timed.find(([at]) => at > minute)?.[0] ?? null;
  const hours = timed.map(([at]) => Math.floor(at / 60));
  const bars = [...new Set([...USUAL_HOURS, ...hours])]
    .sort((one, other) => one - other)
    .map((hour) => {
      const inHour = closingsOf(closing, hour);
      const isNext = nextMinute !== null && Math.floor(nextMinute / 60) === hour;
      return { hour, total: countClosings(inHour), left: countClosingAfter(inHour, minute), isNext };
    });
  const nextHour = countClosingAfter(timed, minute) - countClosingAfter(timed, minute + 60);
  return { closing, bars, left: countClosingAfter(closing, minute), nextHour, nextMinute };
}

/** Closings of several states together, in order. */
export function mergeClosings(all: readonly ClosingMinutes[]): ClosingMinutes {
  const tendersAt = new Map<number, number>();
  for (const [at, tenders] of all.flat()) tendersAt.set(at, (tendersAt.get(at) ?? 0) + tenders);
  return [...tendersAt].sort(([one], [other]) => one - other);
}

/** '9 AM', '10', 'noon', '6 PM': only the first and the last hour say which half of the day they are in. */
export function hourLabel(hour: number, isEnd: boolean): string {
  if (hour === 12) return 'noon';
  const number = hour % 12 === 0 ? 12 : hour % 12;
  return isEnd ? `${number} ${hour < 12 ? 'AM' : 'PM'}` : String(number);
}
