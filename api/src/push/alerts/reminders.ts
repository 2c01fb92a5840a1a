/** When reminders are due. Days are counted as in the badge (contract, closing.ts). */

import { indianDay, startOfIndianDay } from '@nivida/contract/format';
import { daysBeforeClosing, REMINDER_KINDS, type ReminderKind } from '@nivida/contract/push/alert-kinds';
import { type Closing, daysLeft } from '@nivida/contract/tenders/closing';
import { HOUR_MS } from '@nivida/contract/time';

const EVENING_HOUR = 18;
const MORNING_HOUR = 9;
const DIGEST_TIME_MS = 18.5 * HOUR_MS;

/** Reminders of the last day. Every follower gets them in the inbox. Earlier ones are created only if a device wants them. */
export const LAST_DAY_KINDS = REMINDER_KINDS.filter((kind) => daysBeforeClosing(kind) < 2);
export const EARLY_KINDS = REMINDER_KINDS.filter((kind) => daysBeforeClosing(kind) >= 2);

/** The reminder that is due, if any, and the earlier ones that it replaces. */
export interface DueReminder {
  due: ReminderKind | null;
  skipped: ReminderKind[];
}

/**
 * The most urgent reminder whose time has come at `now`; none after closing. After hours of downtime earlier ones are
 * skipped. An early reminder is due only on its own day, the evening reminder until three hours before closing.
 */
export function dueReminder(closing: Closing, now: Date): DueReminder {
  const days = daysLeft(closing, now);
  if (days < 0) return { due: null, skipped: [] };
  const passed = REMINDER_KINDS.filter((kind) => reminderInstant(kind, closing) <= now);
  const [due = null, ...skipped] = passed.filter(
    (kind) => LAST_DAY_KINDS.includes(kind) || days === daysBeforeClosing(kind),
  );
  return { due, skipped };
}

/** The reminders of the last day that are still to come. */
export function upcomingReminders(closing: Closing, now: Date): { kind: ReminderKind; at: Date }[] {
  return LAST_DAY_KINDS.map((kind) => ({ kind, at: reminderInstant(kind, closing) })).filter(({ at }) => at > now);
}

/** Early reminders: 18:00 in India, some days before closing. The last one: three hours before closing, or 9:00 if the source states no time. */
function reminderInstant(kind: ReminderKind, { at, timeKnown }: Closing): Date {
  const closingDay = indianDay(at);
  const days = daysBeforeClosing(kind);
  if (days > 0) return atHour(closingDay - days, EVENING_HOUR);
  return timeKnown ? new Date(at.getTime() - 3 * HOUR_MS) : atHour(closingDay, MORNING_HOUR);
}

const atHour = (day: number, hour: number) => new Date(startOfIndianDay(day).getTime() + hour * HOUR_MS);

/** The next digest of new matches, 18:30 in India, at or after an instant. */
export function nextDigest(instant: Date): Date {
  const day = indianDay(instant);
  const today = new Date(startOfIndianDay(day).getTime() + DIGEST_TIME_MS);
  return instant <= today ? today : new Date(startOfIndianDay(day + 1).getTime() + DIGEST_TIME_MS);
}
