/**
 * The reference for this API: node:http and pg only. Page and count are two parallel prepared statements on one pool, and
 * the response is made by JSON.stringify.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Pool } from 'pg';
import type { EmbeddedPostgresConnection } from '../../../src/database/embedded-postgres.ts';

/** The size of the API's read pool. */
const CONNECTIONS = 16;

/** The columns of a listed tender `t`; $1 is the instant. */
export const SUMMARY = `t.id::text AS "_id", t.title, t.description, t.organisation_chain->>0 AS org_name, t.department, t.category,
  CASE
    WHEN t.stage IN ('cancelled', 'retendered') THEN t.stage
    WHEN t.closes_at > $1 THEN CASE WHEN t.bid_start_at > $1 THEN 'upcoming' ELSE 'active' END
    WHEN t.stage IN ('under_evaluation', 'awarded') THEN t.stage
    ELSE 'closed' END AS status,
  t.stage, t.state, t.district, t.pincode, t.address, t.bid_opening_place, t.price::float8 AS price, t.price_text,
  t.emd::text AS emd, t.published_at AS published_date,
  t.bid_start_at AS bid_start_date, t.closes_at AS closing_date, t.closing_time_known,
  t.portal AS source_portal, t.source_id AS source_tender_id, t.reference AS reference_number,
  CASE WHEN t.nit_key IS NULL THEN 1 ELSE
    (SELECT count(*)::int FROM tender n WHERE n.nit_key = t.nit_key AND n.published_at <= $1) END AS nit_works,
  t.last_corrigendum, t.fetched_at, t.origin <> 'portal' AS demonstration`;

const PLACES = ['state', 'district', 'department'] as const;
const ORDERS: Record<string, string> = {
  price: 'price DESC NULLS LAST, id',
  closing_date: 'closes_at ASC NULLS LAST, id',
};

/** A request listener for `GET /api/tenders?state&district&department&sort&limit`, open tenders only. */
export function createBareHandler(
  address: EmbeddedPostgresConnection,
): (request: IncomingMessage, reply: ServerResponse) => void {
  const pool = new Pool({ ...address, max: CONNECTIONS, statement_timeout: 3_000, options: '-c timezone=UTC' });
  pool.on('error', () => {});
  return (request, reply) => {
    answer(pool, request.url ?? '').then(
      (body) => {
        reply.setHeader('Content-Type', 'application/json; charset=utf-8');
        reply.end(body);
      },
      (error) => {
        reply.statusCode = 500;
        reply.end(String(error));
      },
    );
  };
}

async function answer(pool: Pool, url: string): Promise<string> {
  const asked = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const used = PLACES.filter((place) => asked.has(place));
  const values: unknown[] = [new Date(), ...used.map((place) => asked.get(place))];
  const where = [
    'published_at <= $1 AND closes_at > $1',
    ...used.map((place, index) => `${place} = $${index + 2}`),
  ].join(' AND ');
  const order = ORDERS[asked.get('sort') ?? 'price'];
  const limit = Number(asked.get('limit'));
  const shape = `${used.join(' ')} ${order}`;
  const [page, count] = await Promise.all([
    pool.query({
      name: `page ${shape}`,
      text: `SELECT ${SUMMARY} FROM (SELECT * FROM tender WHERE ${where} ORDER BY ${order} LIMIT $${used.length + 2}) t
        ORDER BY t.${order?.replace(', id', ', t.id')}`,
      values: [...values, limit],
    }),
    pool.query({ name: `count ${shape}`, text: `SELECT count(*)::int AS total FROM tender WHERE ${where}`, values }),
  ]);
  return JSON.stringify({
    tenders: page.rows,
    data: page.rows,
    total: count.rows[0].total,
    page: 1,
    limit,
    filter: {
      state: asked.get('state'),
      district: asked.get('district'),
      department: asked.get('department'),
      q: null,
    },
    showing_for: null,
    demonstration: page.rows.some((row) => row.demonstration),
  });
}
