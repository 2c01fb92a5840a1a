import { daysBeforeClosing, REMINDER_KINDS, type ReminderKind } from '@nivida/contract/push/alert-kinds';
import { endOfClosingWindow } from '@nivida/contract/tenders/closing';
import type { EntityManager } from 'typeorm';
import type { JobContext } from '../../jobs/schedule.ts';
import { openForBidsCondition } from '../../tenders/tender.entity.ts';
import { FOLLOWERS, insertNoticesStatement, kindList, wantsKindCondition } from '../notices/notice-fan-out.sql.ts';
import { PushSenderService } from '../sending/push-sender.service.ts';
import { createChangeNotices } from './change-notices.ts';
import { dueReminder, EARLY_KINDS, LAST_DAY_KINDS, upcomingReminders } from './reminders.ts';

const NOTICE_RETENTION_MS = 60 * 86_400_000;
/** Quiet hours of at most a day that begin within a minute, and the hour after them (push_send_at). */
const MAX_DELAY_MS = (25 * 60 + 1) * 60_000;

/**
 * Creates reminders and change notices and sends all due deliveries. Any number of processes may run it. Returns the number
 * of messages sent.
 */
export async function sendClosingAlerts({ dataSource, now, find }: JobContext): Promise<number> {
  await dataSource.transaction(async (manager) => {
    await createReminders(manager, now);
    await createChangeNotices(manager, now);
    await deleteOldNotices(manager, now);
  });
  return (await find(PushSenderService)).sendDue();
}

interface ClosingTender {
  id: number;
  closes_at: Date;
  closing_time_known: boolean;
  version: number;
}

/** Followed tenders for which a reminder may be due; those of the early kinds only where a device wants them. */
const CLOSING_TENDERS = `
  SELECT t.id, t.closes_at, t.closing_time_known, closing_version(t.id) AS version FROM tender t
  WHERE ${openForBidsCondition('t', '$1')} AND t.closes_at <= $3 AND t.published_at <= $1
    AND (t.closes_at < $2 OR EXISTS (
      SELECT 1 FROM push_subscription s WHERE ${EARLY_KINDS.map((kind) => wantsKindCondition('s', `'${kind}'`)).join(' OR ')}))
    AND (EXISTS (SELECT 1 FROM bookmark b WHERE b.tender_id = t.id)
      OR EXISTS (SELECT 1 FROM push_watch w WHERE w.tender_id = t.id))`;

/** Those of the reminders $1 and $3 that would be useless after the quiet hours of some device. */
const DELAYED_REMINDERS = `
  SELECT DISTINCT asked.tender_id AS id, asked.kind, asked.version, asked.due_at AS "dueAt"
  FROM unnest($1::int[], $3::text[], $4::int[], $5::timestamptz[]) asked(tender_id, kind, version, due_at)
  JOIN tender t ON t.id = asked.tender_id
  CROSS JOIN (
    SELECT DISTINCT jsonb_build_object('quiet', preferences->'quiet', 'zone', preferences->'zone') AS hours
    FROM push_subscription WHERE preferences->>'quiet' IS NOT NULL) q
  WHERE push_send_at(asked.due_at, $2, t.closes_at, q.hours) <= $2`;

const REMINDER_SEND_TIME = {
  join: `JOIN tender t ON t.id = a.tender_id
    JOIN unnest($1::int[], $3::text[], $6::timestamptz[]) asked(tender_id, kind, due_at)
      ON asked.tender_id = a.tender_id AND asked.kind = a.kind`,
  sendAt: 'push_send_at(asked.due_at, $2, t.closes_at, s.preferences)',
};

const INSERT_REMINDERS = insertNoticesStatement(
  `
  SELECT f.user_id, f.subscription_id, f.recipient, asked.tender_id, asked.kind, asked.version, asked.state,
    NULL::text AS nit, 1 AS works, NULL::jsonb AS detail, '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM unnest($1::int[], $3::text[], $4::int[], $5::text[], $6::timestamptz[]) asked(tender_id, kind, version, state, due_at)
  JOIN (${FOLLOWERS}) f ON f.tender_id = asked.tender_id
  JOIN tender t ON t.id = asked.tender_id
  WHERE CASE
    WHEN asked.due_at > $2 THEN EXISTS (
      SELECT 1 FROM push_subscription s
      WHERE s.recipient = f.recipient AND (s.preferences->>'isOn')::boolean
        AND ${wantsKindCondition('s', 'asked.kind')}
        AND push_send_at(asked.due_at, $2, t.closes_at, s.preferences) <= $2)
    WHEN asked.kind IN (${kindList(LAST_DAY_KINDS)}) THEN true
    ELSE EXISTS (
      SELECT 1 FROM push_subscription s
      WHERE s.recipient = f.recipient AND ${wantsKindCondition('s', 'asked.kind')}) END`,
  REMINDER_SEND_TIME,
);

interface ReminderToStore {
  id: number;
  kind: ReminderKind;
  version: number;
  state: 'due' | 'skipped';
  dueAt: Date;
}

/** Stores the reminders due at `now`, and those that would be useless after quiet hours. */
export async function createReminders(manager: EntityManager, now: Date): Promise<void> {
  const rows: ClosingTender[] = await manager.query(CLOSING_TENDERS, [
    now,
    endOfClosingWindow(1, now),
    endOfClosingWindow(Math.max(...REMINDER_KINDS.map(daysBeforeClosing)), now),
  ]);
  const reminders = rows.flatMap(({ id, version, closes_at: at, closing_time_known: timeKnown }): ReminderToStore[] => {
    const { due, skipped } = dueReminder({ at, timeKnown }, now);
    return [
      ...(due ? [{ id, kind: due, version, state: 'due' as const, dueAt: now }] : []),
      ...skipped.map((kind) => ({ id, kind, version, state: 'skipped' as const, dueAt: now })),
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
  const found: Omit<ReminderToStore, 'state'>[] = await manager.query(DELAYED_REMINDERS, [
    upcoming.map(({ id }) => id),
    now,
    upcoming.map(({ kind }) => kind),
    upcoming.map(({ version }) => version),
    upcoming.map(({ at }) => at),
  ]);
  return found.map((row) => ({ ...row, state: 'due' }));
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
  ]);
}

async function deleteOldNotices(manager: EntityManager, now: Date): Promise<void> {
  const before = new Date(now.getTime() - NOTICE_RETENTION_MS);
  await manager.query('DELETE FROM notice WHERE created_at < $1', [before]);
  await manager.query("DELETE FROM push_receipt WHERE day < ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date", [
    before,
  ]);
}
