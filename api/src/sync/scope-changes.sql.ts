/** The changes of a scope after a change number. SQL: unions over tenders and their history. */
import { CLOSED_RETENTION_DAYS } from '@nivida/contract/sync/sync';
import { isStatementTimeout } from '../database/database-unavailable.ts';
import type { SqlQuery } from './epoch.ts';
import { scopeState } from './scope-rows.sql.ts';

/** Changed and removed tenders of $3 (null: all India) with numbers above $1 up to $2, and tenders that left the state. */
const CHANGED_TENDERS = `
  SELECT t.change_no, t.id FROM tender t
  WHERE t.change_no > $1 AND t.change_no <= $2 AND ($3::text IS NULL OR t.state = $3)
  UNION ALL
  SELECT h.change_no, h.tender_id FROM tender_history h
  WHERE h.kind = 'removed' AND h.change_no > $1 AND h.change_no <= $2 AND ($3::text IS NULL OR h.state = $3)
  UNION ALL
  SELECT t.change_no, t.id FROM tender t
  WHERE t.change_no > $1 AND t.change_no <= $2 AND t.state <> $3
    AND EXISTS (SELECT FROM tender_history h WHERE h.tender_id = t.id AND h.state = $3)`;

/** One page of changes; each row number occurs once. */
export interface ScopeChanges {
  ids: number[];
  /** The change number up to which this page is complete. */
  upTo: number;
  more: boolean;
}

/** The first `limit` changes after `from` up to `head`. */
export async function readScopeChanges(
  query: SqlQuery,
  scope: string,
  from: number,
  head: number,
  limit: number,
): Promise<ScopeChanges> {
  const text = `SELECT change_no::float8 AS number, id FROM (${CHANGED_TENDERS}) c ORDER BY change_no LIMIT $4`;
  const found = await query(text, [from, head, scopeState(scope), limit + 1]);
  const more = found.length > limit;
  const page = more ? found.slice(0, limit) : found;
  return {
    ids: [...new Set(page.map(({ id }) => id as number))],
    upTo: more ? (page.at(-1)?.number as number) : head,
    more,
  };
}

/** How many changes there are after `from` up to `head`, counted up to `max`. */
export async function countScopeChanges(query: SqlQuery, scope: string, from: number, head: number, max: number) {
  const text = `SELECT count(*)::int AS count FROM (SELECT FROM (${CHANGED_TENDERS}) c LIMIT $4) limited`;
  const [row] = await query(text, [from, head, scopeState(scope), max]);
  return row?.count as number;
}

const NIT_SIBLINGS = `
  SELECT DISTINCT n.id FROM tender_history h
  JOIN tender t ON t.id = h.tender_id JOIN tender n ON n.nit_key = t.nit_key
  WHERE h.change_no > $1 AND h.change_no <= $2 AND n.change_no <= $1 AND ($3::text IS NULL OR n.state = $3)
    AND (h.kind IN ('published', 'removed') OR h.changes @> '[{"field": "reference"}]' OR h.changes @> '[{"field": "hidden"}]')`;

/** The states whose scopes have changes after `from` up to `head`: of tenders, of the states they left, and of works of the same NITs. */
export async function readChangedStates(query: SqlQuery, from: number, head: number): Promise<Set<string>> {
  const rows = await query(
    `WITH changed AS (
       SELECT tender_id AS id, state FROM tender_history WHERE change_no > $1 AND change_no <= $2
       UNION SELECT id, state FROM tender WHERE change_no > $1 AND change_no <= $2)
     SELECT state FROM changed
     UNION SELECT h.state FROM changed JOIN tender_history h ON h.tender_id = changed.id
     UNION SELECT n.state FROM changed JOIN tender t ON t.id = changed.id JOIN tender n ON n.nit_key = t.nit_key`,
    [from, head],
  );
  return new Set(rows.map(({ state }) => state as string));
}

/** The ranges with changes after `from` up to `head`; `starts` as in `countRangeRows`. */
export async function readChangedRanges(
  query: SqlQuery,
  scope: string,
  from: number,
  head: number,
  starts: number[],
): Promise<Set<number>> {
  const text = `SELECT DISTINCT width_bucket(id, $4::int[]) AS range
    FROM (SELECT id FROM (${CHANGED_TENDERS}) c UNION ALL (${NIT_SIBLINGS})) changed`;
  const rows = await query(text, [from, head, scopeState(scope), starts]);
  return new Set(rows.map(({ range }) => range as number));
}

/** Works of an NIT in which a work was published, hidden, shown again or got another reference. Their count of works has changed. */
export async function readNitSiblings(query: SqlQuery, scope: string, from: number, upTo: number): Promise<number[]> {
  const rows = await query(NIT_SIBLINGS, [from, upTo, scopeState(scope)]);
  return rows.map(({ id }) => id as number);
}

/** The ids among `ids` that were published up to the change number `by`, in rising order. Only these can be on a device. */
export async function filterPublishedBy(query: SqlQuery, ids: number[], by: number): Promise<number[]> {
  if (ids.length === 0) return [];
  const text = `SELECT DISTINCT tender_id AS id FROM tender_history
    WHERE tender_id = ANY($1) AND change_no <= $2 ORDER BY tender_id`;
  const rows = await query(text, [ids, by]);
  return rows.map(({ id }) => id as number);
}

/** Tenders that closed longer ago are not compared. A device whose clock is some days ahead may have removed them already. */
const SAFE_RETENTION_DAYS = CLOSED_RETENTION_DAYS - 5;
/** Larger deltas are not compared, because they compress well anyway. */
const MAX_COMPARED_TENDERS = 500;

/** Each tender is compared with at most this many of the newest tenders of its office, which may have thousands. */
const MAX_CANDIDATES = 200;

const SIMILAR_TENDERS = `
  WITH asked AS MATERIALIZED (
    SELECT id, organisation_chain, state, documents, address, place FROM tender WHERE id = ANY($1)
  ), candidate AS MATERIALIZED (
    SELECT * FROM (
      SELECT c.id, c.organisation_chain, c.state, c.documents, c.address, c.place,
        row_number() OVER (PARTITION BY c.state, c.organisation_chain ORDER BY c.id DESC) AS place_in_office
      FROM (SELECT DISTINCT organisation_chain, state FROM asked) office JOIN tender c USING (organisation_chain, state)
      WHERE c.change_no <= $2 AND ($3::text IS NULL OR c.state = $3)
        AND c.closes_at > $4::timestamptz - interval '${SAFE_RETENTION_DAYS} days'
    ) numbered WHERE place_in_office <= ${MAX_CANDIDATES}
  )
  SELECT DISTINCT ON (t.id) t.id, c.id AS like
  FROM asked t JOIN candidate c USING (organisation_chain, state)
  ORDER BY t.id, (c.documents = t.documents) DESC,
    (c.address IS NOT DISTINCT FROM t.address)::int + (c.place IS NOT DISTINCT FROM t.place)::int DESC, c.id DESC`;

/**
 * Finds for each tender the most similar tender of the same offices that a device has at change number `by`. The map is
 * empty for a large page, and when the comparison takes too long. The delta is then longer.
 */
export async function readSimilarTenders(query: SqlQuery, scope: string, now: Date, by: number, ids: number[]) {
  if (ids.length > MAX_COMPARED_TENDERS) return new Map<number, number>();
  const rows = await query(SIMILAR_TENDERS, [ids, by, scopeState(scope), now]).catch((error) => {
    if (!isStatementTimeout(error)) throw error;
    return [];
  });
  return new Map(rows.map(({ id, like }) => [id as number, like as number]));
}
