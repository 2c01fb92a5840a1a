/**
 * The closing rules of SPEC section 4 and R32, on the Indian calendar in every time zone.
 * Badge, reminders and lists share them.
 */
import { t } from '@lingui/core/macro';
import type { TenderFilter } from '../filter/tender-filter.ts';
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatTime,
  indianDay,
  startOfIndianDay,
  untilText,
} from '../format.ts';
import { HOUR_MS } from '../time.ts';

/** A closing instant. `timeKnown` is false when the source gave a date only; the instant is then the end of that Indian day. */
export interface Closing {
  at: Date;
  timeKnown: boolean;
}

export type ClosingTone = 'today' | 'red' | 'amber' | 'green' | 'gray';

/** True from the closing instant on. */
export function isClosed(closing: Closing, now: Date): boolean {
  return now.getTime() >= closing.at.getTime();
}

/** Whole Indian calendar days until closing: 0 today, 1 tomorrow, -1 once the instant has passed. */
export function daysLeft(closing: Closing, now: Date): number {
  if (isClosed(closing, now)) return -1;
  return indianDay(closing.at) - indianDay(now);
}

/** End of the Indian day `days` days after `now`. Tenders with at most `days` days left close before it. */
export function endOfClosingWindow(days: number, now: Date): Date {
  return startOfIndianDay(indianDay(now) + days + 1);
}

/** The instants between which tenders close, `before` exclusive; null without that bound. */
export interface ClosingBounds {
  from: Date | null;
  before: Date | null;
}

/** When the tenders of a filter close. With an hour in the filter, `timeKnown` is true: their closing hour must be known. */
export function closingBounds(
  { open, within, hour }: Pick<TenderFilter, 'open' | 'within' | 'hour'>,
  now: Date,
): ClosingBounds {
  if (hour !== null) {
    const from = startOfIndianDay(indianDay(now)).getTime() + hour * HOUR_MS;
    return { from: new Date(from), before: new Date(from + HOUR_MS) };
  }
  return { from: null, before: open && within !== null ? endOfClosingWindow(within, now) : null };
}

/** Start of the Indian day `days` days before `now`: 0 is today, 1 yesterday. */
export function startOfPublicationWindow(days: number, now: Date): Date {
  return startOfIndianDay(indianDay(now) - days);
}

/** SPEC's five texts without the hour: 'Closing today', '3 days left', 'Closed' … */
export function closingCountdownText(days: number): string {
  if (days < 0) return t({ message: 'Closed', context: 'state of a tender' });
  if (days === 0) return t`Closing today`;
  if (days === 1) return t`Closing tomorrow`;
  return days <= 7 ? t`${days} days left` : t`${days} days remaining`;
}

/** The badge: 'Closing today · 11:00 AM', '4 days left · time not stated', 'Closed'. */
export function closingLabel(closing: Closing, now: Date): string {
  const days = daysLeft(closing, now);
  if (days < 0) return closingCountdownText(days);
  const time = closing.timeKnown ? untilText(formatTime(closing.at)) : t`time not stated`;
  return `${closingCountdownText(days)} · ${time}`;
}

/** Tone of the badge: today, red up to 3 days, amber up to 7, green above, gray when closed. */
export function closingTone(closing: Closing, now: Date): ClosingTone {
  const days = daysLeft(closing, now);
  if (days < 0) return 'gray';
  if (days === 0) return 'today';
  if (days <= 3) return 'red';
  return days <= 7 ? 'amber' : 'green';
}

/** The closing in full: '15 Apr 2026, 11:00 AM', '15 अप्रैल 2026, सुबह 11:00 बजे तक', '15 Apr 2026, time not stated'. */
export function closingText({ at, timeKnown }: Closing): string {
  return timeKnown ? untilText(formatDateTime(at)) : t`${{ date: formatDate(at) }}, time not stated`;
}

/** The closing with its weekday: 'Wed 15 Apr, 11:00 AM', 'बुधवार, 15 अप्रैल, सुबह 11:00 बजे तक'. */
export const closingOnWeekday = (at: Date, now: Date): string => untilText(formatDay(at, now));

/** Minute of the day for closings whose hour the source does not state. */
export const UNKNOWN_MINUTE = 1440;
