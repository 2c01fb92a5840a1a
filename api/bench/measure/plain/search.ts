/**
 * The reference for word search: one statement, the AND of the typed words with their synonyms over terms without classes,
 * sorted by price or closing, as lists were before they were ranked. No corrections, places or partial matches.
 */
import { parseQuery } from '@nivida/contract/search/query-words';
import type { Pool } from 'pg';
import { toTsquery } from '../../../src/tenders/words.sql.ts';
import { SUMMARY } from './bare-handler.ts';

const ORDERS = {
  price: { key: 'price', direction: 'DESC' },
  closing_date: { key: 'closes_at', direction: 'ASC' },
} as const;
export type PlainSort = keyof typeof ORDERS;

/** $1 is the instant, $2 the words, $3 the rows of the page. */
const statement = ({ key, direction }: (typeof ORDERS)[PlainSort]) => `
  WITH found AS MATERIALIZED (
      SELECT id, ${key} AS key FROM tender WHERE published_at <= $1 AND closes_at > $1 AND words @@ $2::tsquery),
    page AS (SELECT id, key FROM found ORDER BY key ${direction} NULLS LAST, id LIMIT $3 OFFSET 0)
  SELECT (SELECT count(*)::int FROM found) AS total,
    coalesce(json_agg(to_json(r))::text, '[]') AS rows, coalesce(bool_or(r.demonstration), false) AS demonstration
  FROM (SELECT ${SUMMARY} FROM page JOIN tender t ON t.id = page.id ORDER BY page.key ${direction} NULLS LAST, t.id) r`;

/** The first page of a search as JSON text, like that of `TendersService.list`. */
export async function plainSearch(pool: Pool, q: string, sort: PlainSort, limit: number): Promise<string> {
  const { rows } = await pool.query({
    // Without a name each text is planned for its words.
    text: statement(ORDERS[sort]),
    values: [new Date(), toTsquery(parseQuery(q, 'never')), limit],
  });
  const [{ total, rows: tenders, demonstration }] = rows;
  return `{"tenders":${tenders},"data":${tenders},"total":${total},"demonstration":${demonstration}}`;
}
