import type { EntityManager } from 'typeorm';
import {
  AWARDED_CHANGES,
  INSERT_CHANGE_NOTICES,
  INSERT_RESULT_NOTICES,
  LOCK_CURSOR,
  NEWEST_CHANGE_NO,
  NOTIFIABLE_CHANGES,
  STORE_CURSOR,
} from './alerts.sql.ts';

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

/** What changed in one tender for the followers who bookmarked it in the same interval between two changes. */
interface TenderChange {
  tenderId: number;
  version: number;
  /** Time of the first change in this summary. The notice is for bookmarks made until then. */
  since: Date;
  /** Time of the change before it: these bookmarks are later. Null for the first change. */
  after: Date | null;
  fields: string[];
  oldClosing: string;
  newClosing: string;
  /** Whether the closing was moved and then moved back. */
  isBack: boolean;
}

/** Notifies followers of changed open tenders and of awarded tenders, once per change, in the transaction of `manager`. */
export async function createChangeNotices(manager: EntityManager, now: Date): Promise<void> {
  const { after, upTo } = await lockUnreadChanges(manager, CURSOR_KEY);
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
  const results: { tenderId: number; version: number; at: Date }[] = await manager.query(AWARDED_CHANGES, [
    after,
    upTo,
    now,
  ]);
  if (results.length > 0)
    await manager.query(INSERT_RESULT_NOTICES, [
      results.map(({ tenderId }) => tenderId),
      now,
      results.map(({ version }) => version),
      results.map(({ at }) => at),
    ]);
  await manager.query(STORE_CURSOR, [CURSOR_KEY, upTo]);
}

/**
 * The range of change numbers that a reader has not read yet. The cursor is locked until the transaction ends. Change
 * numbers become visible in order, so no lower one appears later.
 */
export async function lockUnreadChanges(manager: EntityManager, key: string): Promise<{ after: number; upTo: number }> {
  const [{ after }] = await manager.query(LOCK_CURSOR, [key, '{}']);
  const [{ up_to }] = await manager.query(NEWEST_CHANGE_NO, [after]);
  return { after, upTo: up_to };
}

/**
 * Summaries of each tender's changes. A follower is notified only of changes after the bookmark. So there is one summary from
 * each change to the last, for the bookmarks made between the change before and this one.
 */
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
