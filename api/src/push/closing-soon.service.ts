import { closingWithin } from '@nivida/contract/closing';
import type { EntityManager } from 'typeorm';
import type { JobContext } from '../jobs/schedule.ts';
import { tellChanges } from './changes.ts';
import { FOLLOWERS, tellStatement } from './fan-out.sql.ts';
import { type Reminder, reminderAt } from './reminders.ts';
import { PushSender } from './sender.service.ts';

const KEPT_MS = 60 * 86_400_000;

/**
 * Tells whoever follows a tender that it closes soon or was changed, and sends what is due, also what was due before.
 * Any number of processes may do so at once. Gives the number of messages sent.
 */
export async function closingSoon({ dataSource, now, find }: JobContext): Promise<number> {
  await dataSource.transaction(async (manager) => {
    await remind(manager, now);
    await tellChanges(manager, now);
    await forget(manager, now);
  });
  return (await find(PushSender)).sendDue();
}

interface Closing {
  id: number;
  closes_at: Date;
  closing_time_known: boolean;
  version: number;
}

/** Followed tenders that somebody may have to hear of; those of the third and seventh day only where a device wants it. */
const SOON = `
  SELECT t.id, t.closes_at, t.closing_time_known, closing_version(t.id) AS version FROM tender t
  WHERE t.closes_at > $1 AND t.closes_at <= $3 AND t.published_at <= $1 AND t.stage NOT IN ('cancelled', 'retendered')
    AND (t.closes_at < $2 OR EXISTS (
      SELECT 1 FROM push_subscription
      WHERE (preferences->'kinds'->>'d3')::boolean OR (preferences->'kinds'->>'d7')::boolean))
    AND (EXISTS (SELECT 1 FROM bookmark b WHERE b.tender_id = t.id)
      OR EXISTS (SELECT 1 FROM push_watch w WHERE w.tender_id = t.id))`;

const REMINDERS = tellStatement(`
  SELECT f.user_id, f.subscription_id, f.recipient, asked.tender_id, asked.kind, asked.version, asked.state,
    NULL::text AS nit, 1 AS works, NULL::jsonb AS detail, '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM unnest($1::int[], $3::text[], $4::int[], $5::text[]) asked(tender_id, kind, version, state)
  JOIN (${FOLLOWERS}) f ON f.tender_id = asked.tender_id
  WHERE asked.kind IN ('eve', 'h3') OR EXISTS (
    SELECT 1 FROM push_subscription s
    WHERE s.recipient = f.recipient AND (s.preferences->'kinds'->>asked.kind)::boolean)`);

/** Stores the reminders that are due at `now`. */
export async function remind(manager: EntityManager, now: Date): Promise<void> {
  const rows: Closing[] = await manager.query(SOON, [now, closingWithin(1, now), closingWithin(7, now)]);
  const asked: { id: number; kind: Reminder; version: number; state: 'due' | 'skipped' }[] = [];
  for (const { id, version, closes_at: at, closing_time_known: timeKnown } of rows) {
    const { due, skipped } = reminderAt({ at, timeKnown }, now);
    if (due) asked.push({ id, kind: due, version, state: 'due' });
    asked.push(...skipped.map((kind) => ({ id, kind, version, state: 'skipped' as const })));
  }
  if (asked.length === 0) return;
  await manager.query(REMINDERS, [
    asked.map(({ id }) => id),
    now,
    asked.map(({ kind }) => kind),
    asked.map(({ version }) => version),
    asked.map(({ state }) => state),
  ]);
}

async function forget(manager: EntityManager, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await manager.query('DELETE FROM notice WHERE created_at < $1', [before]);
  await manager.query('DELETE FROM push_receipt WHERE day < $1::date', [before]);
}
