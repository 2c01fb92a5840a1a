import type { EntityManager } from 'typeorm';
import { CHANGE_SEND_TIME, FOLLOWERS, insertNoticesStatement } from '../notices/notice-fan-out.sql.ts';

/** Setting that stores the cursor in the history. */
const CURSOR_KEY = 'push changes up to';
const ENDED_STAGES: readonly unknown[] = ['cancelled', 'retendered'];
const NOTIFIED_FIELDS = new Set(['closing_date', 'opening_date', 'bid_start_date', 'price', 'emd', 'documents']);

interface HistoryRow {
  tender_id: number;
  version: number;
  changes: { field: string; old: unknown; new: unknown }[];
  at: Date;
  closes_at: Date;
}

/** What changed in one tender since the history was last read. */
interface TenderChange {
  tenderId: number;
  version: number;
  /** For bookmarks made at or before `since` and later than `after`: a follower hears of changes after the bookmark. */
  since: Date;
  after: Date | null;
  fields: string[];
  oldClosing: string;
  newClosing: string;
  /** The closing was moved and moved back. */
  isBack: boolean;
}

/** Changes with a corrigendum, and cancellations. */
const NOTIFIABLE_CHANGES = `
  SELECT h.tender_id, h.version, h.changes, h.at, t.closes_at FROM tender_history h JOIN tender t ON t.id = h.tender_id
  WHERE h.kind = 'changed' AND h.change_no > $1 AND h.change_no <= $2 AND t.closes_at > $3 AND t.published_at <= $3
    AND (EXISTS (SELECT 1 FROM corrigendum c WHERE c.tender_id = h.tender_id AND c.noticed_at = h.at)
      OR h.changes @> '[{"field": "stage", "new": "cancelled"}]' OR h.changes @> '[{"field": "stage", "new": "retendered"}]')
    AND (EXISTS (SELECT 1 FROM bookmark b WHERE b.tender_id = h.tender_id)
      OR EXISTS (SELECT 1 FROM push_watch w WHERE w.tender_id = h.tender_id))
  ORDER BY h.change_no`;

const INSERT_CHANGE_NOTICES = insertNoticesStatement(
  `
  SELECT f.user_id, f.subscription_id, f.recipient, c.tender_id, 'changed' AS kind, c.version, 'due' AS state,
    NULL::text AS nit, 1 AS works, c.detail::jsonb AS detail, '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM unnest($1::int[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::text[])
    c(tender_id, version, since, after, detail)
  JOIN (${FOLLOWERS}) f ON f.tender_id = c.tender_id
  -- A user who bookmarks the tender after a change has seen the change.
  WHERE f.since <= c.since AND (c.after IS NULL OR f.since > c.after)`,
  CHANGE_SEND_TIME,
);

/** Creates notices for the followers of changed open tenders, once per change, in the transaction of `manager`. */
export async function createChangeNotices(manager: EntityManager, now: Date): Promise<void> {
  const { after, upTo } = await advanceHistoryCursor(manager, CURSOR_KEY);
  if (upTo <= after) return;
  const rows: HistoryRow[] = await manager.query(NOTIFIABLE_CHANGES, [after, upTo, now]);
  const tenderChanges = groupChanges(rows).filter(({ fields, isBack }) => !isBack || fields.length > 0);
  if (tenderChanges.length > 0)
    await manager.query(INSERT_CHANGE_NOTICES, [
      tenderChanges.map(({ tenderId }) => tenderId),
      now,
      tenderChanges.map(({ version }) => version),
      tenderChanges.map(({ since }) => since),
      tenderChanges.map(({ after }) => after),
      tenderChanges.map(({ fields, oldClosing, newClosing }) => JSON.stringify({ fields, oldClosing, newClosing })),
    ]);
  await manager.query('UPDATE setting SET value = to_jsonb($2::bigint) WHERE key = $1', [CURSOR_KEY, upTo]);
}

/**
 * The change numbers that a reader has not read yet. The cursor is locked until the transaction ends. Change numbers
 * become visible in order, so no lower one appears later.
 */
export async function advanceHistoryCursor(
  manager: EntityManager,
  key: string,
): Promise<{ after: number; upTo: number }> {
  const [{ after }] = await manager.query(
    'SELECT (value #>> $2)::bigint::float8 AS after FROM setting WHERE key = $1 FOR UPDATE',
    [key, '{}'],
  );
  const [{ up_to }] = await manager.query(
    'SELECT coalesce(max(change_no), 0)::float8 AS up_to FROM tender_history WHERE change_no > $1',
    [after],
  );
  return { after, upTo: up_to };
}

/** Combines the changes of one tender: one notice for each change that a bookmark may precede. */
function groupChanges(rows: HistoryRow[]): TenderChange[] {
  const byTender = [...Map.groupBy(rows, ({ tender_id }) => tender_id).values()];
  return byTender.flatMap((changes) =>
    changes.map((_change, nth) =>
      summariseChanges(changes.slice(nth) as [HistoryRow, ...HistoryRow[]], changes[nth - 1]?.at ?? null),
    ),
  );
}

/** The difference between the tender before the first change and the tender now. */
function summariseChanges(rows: [HistoryRow, ...HistoryRow[]], after: Date | null): TenderChange {
  const [{ tender_id: tenderId, at: since, closes_at: closesAt }] = rows;
  const all = rows.flatMap(({ changes }) => changes);
  const moved = all.find(({ field }) => field === 'closing_date');
  const newClosing = closesAt.toISOString();
  const oldClosing = moved ? String(moved.old) : newClosing;
  const isBack = moved !== undefined && Date.parse(oldClosing) === closesAt.getTime();
  const notified = all.filter(
    ({ field, new: value }) => NOTIFIED_FIELDS.has(field) || (field === 'stage' && ENDED_STAGES.includes(value)),
  );
  const fields = [...new Set(notified.map(({ field }) => field))].filter(
    (field) => !isBack || field !== 'closing_date',
  );
  return {
    tenderId,
    version: Math.max(...rows.map(({ version }) => version)),
    since,
    after,
    fields,
    oldClosing,
    newClosing,
    isBack,
  };
}
