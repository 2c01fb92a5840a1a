/**
 * The reference for word search: node:http, pg and one statement, the plain AND of the typed words over terms without
 * classes, sorted by price or closing as lists were before they were ranked. No synonyms, corrections or places.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseQuery } from '@nivida/contract/search/query-words';
import { Pool } from 'pg';
import type { EmbeddedPostgresConnection } from '../../src/database/embedded-postgres.ts';
import { SUMMARY } from './bare-handler.ts';

/** The size of the API's read pool. */
const CONNECTIONS = 16;

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

/** A request listener for `GET /api/tenders?q&sort&limit`. */
export function createPlainSearch(
  address: EmbeddedPostgresConnection,
): (request: IncomingMessage, reply: ServerResponse) => void {
  const pool = new Pool({ ...address, max: CONNECTIONS, statement_timeout: 3_000, options: '-c timezone=UTC' });
  pool.on('error', () => {});
  return (request, reply) => {
    answer(pool, request.url ?? '').then(
      (body) => reply.setHeader('Content-Type', 'application/json; charset=utf-8').end(body),
      (error) => {
        reply.statusCode = 500;
        reply.end(String(error));
      },
    );
  };
}

async function answer(pool: Pool, url: string): Promise<string> {
  const asked = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const sort = asked.get('sort') === 'price' ? 'price' : 'closing_date';
  const terms = parseQuery(asked.get('q') ?? '', 'never').flatMap(({ typed }) => typed.split(' '));
  const { rows } = await pool.query({
    // Without a name each text is planned for its words.
    text: statement(ORDERS[sort]),
    values: [new Date(), terms.map((term) => `'${term}'`).join(' & '), Number(asked.get('limit'))],
  });
  const [{ total, rows: tenders, demonstration }] = rows;
  return `{"tenders":${tenders},"data":${tenders},"total":${total},"demonstration":${demonstration}}`;
}
