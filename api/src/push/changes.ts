import type { EntityManager } from 'typeorm';
import { FOLLOWERS, tellStatement } from './fan-out.sql.ts';

/** Where the history was read up to. */
const CURSOR = 'push changes up to';
const OUT: readonly unknown[] = ['cancelled', 'retendered'];
const TOLD = new Set(['closing_date', 'opening_date', 'bid_start_date', 'price', 'emd', 'documents']);

interface Change {
  tender_id: number;
  version: number;
  changes: { field: string; old: unknown; new: unknown }[];
  at: Date;
  closes_at: Date;
}

/** What changed in one tender since the history was last read. */
interface News {
  version: number;
  since: Date;
  fields: string[];
  oldClosing: string;
  newClosing: string;
  /** The closing was moved, and back to where its follower knows it. */
  isBack: boolean;
}

/** A change of which bidders must know: one with a corrigendum, or the end of the tender. */
const CHANGES = `
  SELECT h.tender_id, h.version, h.changes, h.at, t.closes_at FROM tender_history h JOIN tender t ON t.id = h.tender_id
  WHERE h.kind = 'changed' AND h.change_no > $1 AND h.change_no <= $2 AND t.closes_at > $3 AND t.published_at <= $3
    AND (EXISTS (SELECT 1 FROM corrigendum c WHERE c.tender_id = h.tender_id AND c.noticed_at = h.at)
      OR h.changes @> '[{"field": "stage", "new": "cancelled"}]' OR h.changes @> '[{"field": "stage", "new": "retendered"}]')
    AND (EXISTS (SELECT 1 FROM bookmark b WHERE b.tender_id = h.tender_id)
      OR EXISTS (SELECT 1 FROM push_watch w WHERE w.tender_id = h.tender_id))
  ORDER BY h.change_no`;

const TELL = tellStatement(`
  SELECT f.user_id, f.subscription_id, f.recipient, c.tender_id, 'changed' AS kind, c.version, 'due' AS state,
    NULL::text AS nit, 1 AS works, c.detail::jsonb AS detail, '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM unnest($1::int[], $3::int[], $4::timestamptz[], $5::text[]) c(tender_id, version, since, detail)
  JOIN (${FOLLOWERS}) f ON f.tender_id = c.tender_id
  -- Who kept it afterwards has seen it as it is.
  WHERE f.since <= c.since`);

/** Tells the followers of changed tenders, once per change, in the transaction of `manager`; not of closed ones. */
export async function tellChanges(manager: EntityManager, now: Date): Promise<void> {
  const { after, upTo } = await takeHistory(manager, CURSOR);
  if (upTo <= after) return;
  const rows: Change[] = await manager.query(CHANGES, [after, upTo, now]);
  const news = [...collect(rows)].filter(([, { fields, isBack }]) => !isBack || fields.length > 0);
  if (news.length > 0)
    await manager.query(TELL, [
      news.map(([id]) => id),
      now,
      news.map(([, { version }]) => version),
      news.map(([, { since }]) => since),
      news.map(([, { fields, oldClosing, newClosing }]) => JSON.stringify({ fields, oldClosing, newClosing })),
    ]);
  await manager.query('UPDATE setting SET value = to_jsonb($2::bigint) WHERE key = $1', [CURSOR, upTo]);
}

/**
 * What of the history a reader has not read yet; the cursor is locked until the transaction ends, so that two readers
 * take turns. Change numbers become visible in their order, so nothing before `upTo` can still come.
 */
export async function takeHistory(manager: EntityManager, key: string): Promise<{ after: number; upTo: number }> {
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

/** Several changes of one tender are one piece of news: from what its follower knew to how it is now. */
function collect(rows: Change[]): Map<number, News> {
  const news = new Map<number, News>();
  const firstClosings = new Map<number, string>();
  for (const { tender_id, version, changes, at, closes_at } of rows) {
    const held = news.get(tender_id);
    const closing = changes.find(({ field }) => field === 'closing_date');
    if (closing && !firstClosings.has(tender_id)) firstClosings.set(tender_id, String(closing.old));
    const told = changes
      .filter(({ field, new: value }) => TOLD.has(field) || (field === 'stage' && OUT.includes(value)))
      .map(({ field }) => field);
    const newClosing = closes_at.toISOString();
    const oldClosing = firstClosings.get(tender_id) ?? newClosing;
    const isBack = firstClosings.has(tender_id) && Date.parse(oldClosing) === closes_at.getTime();
    const fields = [...new Set([...(held?.fields ?? []), ...told])].filter(
      (field) => !isBack || field !== 'closing_date',
    );
    news.set(tender_id, { version, since: held?.since ?? at, fields, oldClosing, newClosing, isBack });
  }
  return news;
}
