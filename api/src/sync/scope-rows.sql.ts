/** The rows of a scope as the columns of the contract. SQL: PostgreSQL formats every column for thousands of rows. */

import { STATES } from '@nivida/contract/regions/states';
import { CLOSED_RETENTION_DAYS, type DetailRows, INDIA_SCOPE, type ListRows } from '@nivida/contract/sync/sync';
import { TENDER_FIELD_LIST, type TenderFieldKey } from '@nivida/contract/tenders/tender-fields';
import { OTHER_SOURCES } from '../database/other-sources.sql.ts';
import type { SqlQuery } from './epoch.ts';

/** Every scope: the 36 states and all India. */
export const SCOPES = [...STATES.map(({ slug }) => slug), INDIA_SCOPE];

/** The name of the scope's state; null for all India. */
export function scopeState(scope: string): string | null {
  return STATES.find(({ slug }) => slug === scope)?.name ?? null;
}

/** Rows of a scope at $1; $2 is its state, or null for all India. */
const IN_SCOPE_CONDITION = `t.change_no IS NOT NULL AND t.closes_at > $1::timestamptz - interval '${CLOSED_RETENTION_DAYS} days'
  AND ($2::text IS NULL OR t.state = $2)`;

const toMilliseconds = (column: string) => `(extract(epoch FROM t.${column}) * 1000)::float8`;

/** Each field of the list file as it is read. */
const LIST_EXPRESSIONS: Record<keyof ListRows, string> = {
  id: 't.id',
  title: 't.title',
  orgName: "coalesce(t.organisation_chain->>0, '')",
  state: 't.state',
  district: 't.district',
  secondDistrict: 't.second_district',
  isListed: 'nullif(t.is_listed, false)',
  department: 't.department',
  category: 't.category',
  price: 't.price',
  priceText: 't.price_text',
  emd: 't.emd',
  publishedAt: toMilliseconds('published_at'),
  bidStartAt: toMilliseconds('bid_start_at'),
  closesAt: toMilliseconds('closes_at'),
  closingTimeKnown: 't.closing_time_known',
  stage: 't.stage',
  lastCorrigendum: 't.last_corrigendum',
  demonstration: "t.origin <> 'portal'",
  portal: 't.portal',
  sourceTenderId: 't.source_id',
  nitWorks: `CASE WHEN t.nit_key IS NULL THEN 1 ELSE
    (SELECT count(*)::int FROM tender n WHERE n.nit_key = t.nit_key AND n.change_no IS NOT NULL) END`,
};

const DETAIL_EXPRESSIONS: Record<Exclude<keyof DetailRows, TenderFieldKey>, string> = {
  ...Object.fromEntries(
    TENDER_FIELD_LIST.map(({ key, name, type }) => [key, type === 'number' ? `t.${name}::float8` : `t.${name}`]),
  ),
  id: 't.id',
  description: "CASE WHEN t.description = t.title THEN '' ELSE t.description END",
  reference: 't.reference',
  nitId: 't.nit_key',
  organisationChain: 't.organisation_chain',
  opensAt: toMilliseconds('opens_at'),
  preBidAt: toMilliseconds('pre_bid_at'),
  documents: 't.documents',
  corrigenda: `coalesce((SELECT json_agg(c) FROM (
    SELECT title, type, noticed_at, changes FROM corrigendum WHERE tender_id = t.id ORDER BY id DESC) c), '[]')`,
  districtConfidence: 't.district_confidence',
  version: 't.version',
  updatedAt: toMilliseconds('updated_at'),
  documentPackage: `CASE WHEN t.package_kind IS NOT NULL THEN
    json_build_object('kind', t.package_kind, 'works', t.package_works) END`,
  otherSources: OTHER_SOURCES,
};

const SELECTED_COLUMNS = Object.entries({ ...LIST_EXPRESSIONS, ...DETAIL_EXPRESSIONS })
  .map(([field, read]) => `${read} AS "${field}"`)
  .join(', ');

/** Tenders of a scope as columns. List and details have the same order. */
export interface ScopeRows {
  list: ListRows;
  details: DetailRows;
}

/** The next rows of a scope after the row number `after` up to `upTo` (null: all), at most `limit`. */
export async function readRowsAfter(
  query: SqlQuery,
  state: string | null,
  now: Date,
  { after, upTo }: { after: number; upTo: number | null },
  limit: number,
) {
  const text = `SELECT ${SELECTED_COLUMNS} FROM tender t WHERE ${IN_SCOPE_CONDITION}
    AND t.id > $3 AND ($4::int IS NULL OR t.id <= $4) ORDER BY t.id LIMIT $5`;
  return query(text, [now, state, after, upTo, limit]);
}

/** The number of rows in each range of a scope; `starts` are the first row numbers of the ranges after the first. */
export async function countRangeRows(
  query: SqlQuery,
  state: string | null,
  now: Date,
  starts: number[],
): Promise<Map<number, number>> {
  const rows = await query(
    `SELECT width_bucket(t.id, $3::int[]) AS range, count(*)::int AS rows FROM tender t WHERE ${IN_SCOPE_CONDITION} GROUP BY 1`,
    [now, state, starts],
  );
  return new Map(rows.map(({ range, rows: count }) => [range as number, count as number]));
}

/** Scopes with rows that have no pack in this epoch. */
export async function scopesWithoutPack(query: SqlQuery, now: Date, epoch: string): Promise<string[]> {
  const found = await query(
    `SELECT s.scope FROM unnest($2::text[], $3::text[]) AS s(scope, state)
     WHERE NOT EXISTS (SELECT FROM sync_manifest m WHERE m.scope = s.scope AND m.epoch = $4)
       AND EXISTS (SELECT FROM tender t WHERE t.change_no IS NOT NULL
         AND t.closes_at > $1::timestamptz - interval '${CLOSED_RETENTION_DAYS} days' AND (s.state IS NULL OR t.state = s.state))`,
    [now, SCOPES, SCOPES.map(scopeState), epoch],
  );
  return found.map(({ scope }) => scope as string);
}

/** The rows among `ids` that are in the scope. */
export async function readRowsById(query: SqlQuery, state: string | null, now: Date, ids: number[]) {
  return query(`SELECT ${SELECTED_COLUMNS} FROM tender t WHERE ${IN_SCOPE_CONDITION} AND t.id = ANY($3)`, [
    now,
    state,
    ids,
  ]);
}

/** Whether a scope has any row. */
export async function hasScopeRows(query: SqlQuery, state: string | null, now: Date): Promise<boolean> {
  const [row] = await query(`SELECT EXISTS (SELECT FROM tender t WHERE ${IN_SCOPE_CONDITION}) AS some`, [now, state]);
  return row?.some as boolean;
}

/** The number of rows of a scope. */
export async function countScopeRows(query: SqlQuery, state: string | null, now: Date): Promise<number> {
  const [row] = await query(`SELECT count(*)::int AS rows FROM tender t WHERE ${IN_SCOPE_CONDITION}`, [now, state]);
  return row?.rows as number;
}

/** When each portal of a scope was last compared. Tenders that closed long ago are not considered. */
export async function readCheckedTimes(
  query: SqlQuery,
  state: string | null,
  now: Date,
): Promise<Record<string, string>> {
  const rows = await query(
    `SELECT portal, max(greatest(t.fetched_at, s.seen_at)) AS at
     FROM tender t LEFT JOIN tender_seen s ON s.tender_id = t.id
     WHERE ${IN_SCOPE_CONDITION} GROUP BY portal ORDER BY portal`,
    [now, state],
  );
  return Object.fromEntries(rows.map(({ portal, at }) => [portal, (at as Date).toISOString()]));
}

/** Rows as columns, sorted by office: similar texts next to each other compress best. */
export function rowsToColumns(rows: Record<string, unknown>[]): ScopeRows {
  const keyed = rows.map((row) => ({ row, office: JSON.stringify(row.organisationChain), id: row.id as number }));
  keyed.sort((a, b) => (a.office < b.office ? -1 : a.office > b.office ? 1 : a.id - b.id));
  const columnsOf = (fields: string[]) =>
    Object.fromEntries(fields.map((field) => [field, keyed.map(({ row }) => row[field])]));
  return {
    list: columnsOf(Object.keys(LIST_EXPRESSIONS)) as unknown as ListRows,
    details: columnsOf(Object.keys(DETAIL_EXPRESSIONS)) as unknown as DetailRows,
  };
}
