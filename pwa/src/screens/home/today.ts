/** The closings of a day by hour, for the chart of the home page. */
import { t } from '@lingui/core/macro';
import { clockText } from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { UNKNOWN_MINUTE } from '@nivida/contract/tenders/closing';
import type { ClosingMinutes } from '@nivida/contract/tenders/tender';
import { countClosingAfter, countClosings, minuteOfDay } from '../../data/stored-pages/correct-closings.ts';

/** Hours that the chart always shows: nearly all tenders close between 9 AM and 7 PM. */
const USUAL_HOURS = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18];

/** One hour. `total` tenders close in it; `left` of them are still open. */
export interface HourBar {
  hour: number;
  total: number;
  left: number;
  /** True for the first hour in which tenders are still open. */
  isNext: boolean;
}

export interface TodayFacts {
  closing: ClosingMinutes;
  bars: HourBar[];
  /** Number of tenders that still close today. */
  left: number;
  /** Number of tenders that close today within the next 60 minutes. */
  nextHour: number;
  /** The minute of the next closing. Null when no more tenders close today. */
  nextMinute: number | null;
}

/** The closings of one hour. */
export const closingsOf = (closing: ClosingMinutes, hour: number): ClosingMinutes =>
  closing.filter(([at]) => Math.floor(at / 60) === hour);

/** Facts about today's closings at an instant. */
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

/** Merges the closings of several states, in order of time. */
export function mergeClosings(all: readonly ClosingMinutes[]): ClosingMinutes {
  const tendersAt = new Map<number, number>();
  for (const [at, tenders] of all.flat()) tendersAt.set(at, (tendersAt.get(at) ?? 0) + tenders);
  return [...tendersAt].sort(([one], [other]) => one - other);
}

/** '9 AM', 'noon', 'सुबह 9 बजे'. */
export const hourName = (hour: number): string => (hour === 12 ? t`noon` : clockText(String(hour % 12 || 12), hour));

/** '9 AM', '10', 'noon', '6 PM'. Only the first and the last hour have AM or PM. */
export function hourLabel(hour: number, isEnd: boolean): string {
  if (hour === 12) return t`noon`;
  const clock = String(hour % 12 || 12);
  // Parts of the day are too wide for the ends of a chart in other languages.
  return isEnd && currentLanguage() === 'en' ? clockText(clock, hour) : clock;
}
