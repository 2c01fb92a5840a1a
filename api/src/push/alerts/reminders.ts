/** When the closing of a tender is told of: the day rule is that of the badge (contract, closing.ts). */

import { indianDay, startOfIndianDay } from '@nivida/contract/format';
import type { NoticeKind } from '@nivida/contract/push/push';
import { type Closing, daysLeft } from '@nivida/contract/tenders/closing';

const HOUR_MS = 3_600_000;
const EVENING_HOUR = 18;
const MORNING_HOUR = 9;
const DIGEST_TIME_MS = 18.5 * HOUR_MS;

/** Reminders, the most urgent first. */
export const REMINDER_KINDS = ['h3', 'eve', 'd3', 'd7'] as const satisfies readonly NoticeKind[];
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/** The one that is due, if any, and those that it stands for because their time is past as well. */
export interface DueReminder {
  due: ReminderKind | null;
  skipped: ReminderKind[];
}

/**
 * What is due at `now`, also for whom nothing was said yet after hours of downtime: only the most urgent kind that still
 * matters. Nothing after closing. d7 and d3 matter on their own day only, the evening's until three hours before closing.
 */
export function dueReminder(closing: Closing, now: Date): DueReminder {
  const days = daysLeft(closing, now);
  if (days < 0) return { due: null, skipped: [] };
  const passed = REMINDER_KINDS.filter((kind) => reminderInstant(kind, closing) <= now);
  const [due = null, ...skipped] = passed.filter((kind) => {
    if (kind === 'd7') return days === 7;
    return kind === 'd3' ? days === 3 : true;
  });
  return { due, skipped };
}

/** The reminders of the last day that are still to come, with their instants. */
export function upcomingReminders(closing: Closing, now: Date): { kind: ReminderKind; at: Date }[] {
  return (['eve', 'h3'] as const)
    .map((kind) => ({ kind, at: reminderInstant(kind, closing) }))
    .filter(({ at }) => at > now);
}

/** 18:00 in India, so many days before closing; three hours before it, or 9:00 of a day without a stated hour. */
function reminderInstant(kind: ReminderKind, { at, timeKnown }: Closing): Date {
  const closingDay = indianDay(at);
  if (kind === 'h3') return timeKnown ? new Date(at.getTime() - 3 * HOUR_MS) : atHour(closingDay, MORNING_HOUR);
  return atHour(closingDay - { eve: 1, d3: 3, d7: 7 }[kind], EVENING_HOUR);
}

const atHour = (day: number, hour: number) => new Date(startOfIndianDay(day).getTime() + hour * HOUR_MS);

/** The next digest of new matches, 18:30 in India, at or after an instant. */
export function nextDigest(instant: Date): Date {
  const day = indianDay(instant);
  const today = new Date(startOfIndianDay(day).getTime() + DIGEST_TIME_MS);
  return instant <= today ? today : new Date(startOfIndianDay(day + 1).getTime() + DIGEST_TIME_MS);
}
