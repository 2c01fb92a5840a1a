import { daysBeforeClosing, REMINDER_KINDS, type ReminderKind } from '@nivida/contract/push/alert-kinds';
import { endOfClosingWindow } from '@nivida/contract/tenders/closing';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import { CLOSING_TENDERS, DELAYED_REMINDERS, INSERT_REMINDERS } from './alerts.sql.ts';
import { dueReminder, upcomingReminders } from './reminders.ts';

/** How far ahead reminders are created: a minute, quiet hours of at most a day, and the hour after them (push_send_at). */
const MAX_DELAY_MS = 25 * HOUR_MS + MINUTE_MS;

interface ClosingTender {
  id: number;
  closes_at: Date;
  closing_time_known: boolean;
  version: number;
}

interface ReminderToStore {
  id: number;
  kind: ReminderKind;
  version: number;
  state: 'due' | 'skipped';
  dueAt: Date;
  closesAt: Date;
}

/** Stores the reminders due at `now`, and those that must be sent before quiet hours because they would come too late after them. */
export async function createReminders(manager: EntityManager, now: Date): Promise<void> {
  const rows: ClosingTender[] = await manager.query(CLOSING_TENDERS, [
    now,
    endOfClosingWindow(1, now),
    endOfClosingWindow(Math.max(...REMINDER_KINDS.map(daysBeforeClosing)), now),
  ]);
  const reminders = rows.flatMap(({ id, version, closes_at: at, closing_time_known: timeKnown }): ReminderToStore[] => {
    const { due, skipped } = dueReminder({ at, timeKnown }, now);
    const common = { id, version, dueAt: now, closesAt: at };
    return [
      ...(due ? [{ ...common, kind: due, state: 'due' as const }] : []),
      ...skipped.map((kind) => ({ ...common, kind, state: 'skipped' as const })),
    ];
  });
  await insertReminders(manager, reminders, now);
  await insertReminders(manager, await readDelayedReminders(manager, now), now);
}

async function readDelayedReminders(manager: EntityManager, now: Date): Promise<ReminderToStore[]> {
  const until = new Date(now.getTime() + MAX_DELAY_MS);
  const rows: ClosingTender[] = await manager.query(CLOSING_TENDERS, [now, until, until]);
  const upcoming = rows.flatMap(({ id, version, closes_at, closing_time_known: timeKnown }) =>
    upcomingReminders({ at: closes_at, timeKnown }, now).map(({ kind, at }) => ({ id, kind, version, at })),
  );
  if (upcoming.length === 0) return [];
  const closings = new Map(rows.map(({ id, closes_at }) => [id, closes_at]));
  const found: Omit<ReminderToStore, 'state' | 'closesAt'>[] = await manager.query(DELAYED_REMINDERS, [
    upcoming.map(({ id }) => id),
    now,
    upcoming.map(({ kind }) => kind),
    upcoming.map(({ version }) => version),
    upcoming.map(({ at }) => at),
  ]);
  return found.map((row) => ({ ...row, state: 'due', closesAt: closings.get(row.id) as Date }));
}

async function insertReminders(manager: EntityManager, reminders: ReminderToStore[], now: Date): Promise<void> {
  if (reminders.length === 0) return;
  await manager.query(INSERT_REMINDERS, [
    reminders.map(({ id }) => id),
    now,
    reminders.map(({ kind }) => kind),
    reminders.map(({ version }) => version),
    reminders.map(({ state }) => state),
    reminders.map(({ dueAt }) => dueAt),
    reminders.map(({ kind, closesAt }) => new Date(closesAt.getTime() - daysBeforeClosing(kind) * DAY_MS)),
  ]);
}
