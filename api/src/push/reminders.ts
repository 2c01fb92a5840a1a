/** When the closing of a tender is told of: the day rule is that of the badge (contract, closing.ts). */
import { type Closing, daysLeft } from '@nivida/contract/closing';
import { indianDay, startOfIndianDay } from '@nivida/contract/format';
import type { NoticeKind } from '@nivida/contract/push';

const HOUR_MS = 3_600_000;
const EVENING_HOUR = 18;
const MORNING_HOUR = 9;
const DIGEST_MS = 18.5 * HOUR_MS;

/** Reminders, the most urgent first. */
export const REMINDERS = ['h3', 'eve', 'd3', 'd7'] as const satisfies readonly NoticeKind[];
export type Reminder = (typeof REMINDERS)[number];

/** The one that is due, if any, and those that it stands for because their time is past as well. */
export interface DueReminder {
  due: Reminder | null;
  skipped: Reminder[];
}

/**
 * What is due at `now`, also for whom nothing was said yet after hours of downtime: only the most urgent kind that still
 * matters. Nothing after closing. d7 and d3 matter on their own day only, the evening's until three hours before closing.
 */
export function reminderAt(closing: Closing, now: Date): DueReminder {
  const days = daysLeft(closing, now);
  if (days < 0) return { due: null, skipped: [] };
  const passed = REMINDERS.filter((kind) => instantOf(kind, closing) <= now);
  const [due = null, ...skipped] = passed.filter((kind) => {
    if (kind === 'd7') return days === 7;
    return kind === 'd3' ? days === 3 : true;
  });
  return { due, skipped };
}

/** The reminders of the last day that are still to come, with their instants. */
export function upcomingReminders(closing: Closing, now: Date): { kind: Reminder; at: Date }[] {
  return (['eve', 'h3'] as const).map((kind) => ({ kind, at: instantOf(kind, closing) })).filter(({ at }) => at > now);
}

/** 18:00 in India, so many days before closing; three hours before it, or 9:00 of a day without a stated hour. */
function instantOf(kind: Reminder, { at, timeKnown }: Closing): Date {
  const closingDay = indianDay(at);
  if (kind === 'h3') return timeKnown ? new Date(at.getTime() - 3 * HOUR_MS) : atHour(closingDay, MORNING_HOUR);
  return atHour(closingDay - { eve: 1, d3: 3, d7: 7 }[kind], EVENING_HOUR);
}

const atHour = (day: number, hour: number) => new Date(startOfIndianDay(day).getTime() + hour * HOUR_MS);

/** The next digest of new matches, 18:30 in India, at or after an instant. */
export function nextDigest(instant: Date): Date {
  const day = indianDay(instant);
  const today = new Date(startOfIndianDay(day).getTime() + DIGEST_MS);
  return instant <= today ? today : new Date(startOfIndianDay(day + 1).getTime() + DIGEST_MS);
}
