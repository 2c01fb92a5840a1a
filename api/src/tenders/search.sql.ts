/**
 * Listing and search as one prepared statement each, whose JSON PostgreSQL builds (server.md section 3: 1.9 times a bare
 * node:http + pg handler). The text depends only on which filters are used, so each shape is planned once.
 */
import type { QueryWord } from '@nivida/contract/search';

/** A filter with listed names; `words` are the parsed words of the query. */
export interface TenderFilter {
  state: string | null;
  district: string | null;
  department: string | null;
  words: QueryWord[];
  open: boolean;
  sort: 'price' | 'closing_date';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** A named statement as `pg` takes it. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** SPEC's status by the clock $1 and the portal's stage (DOMAIN.md section 2). */
const STATUS = `CASE
  WHEN t.stage IN ('cancelled', 'retendered') THEN t.stage
  WHEN t.closes_at > $1 THEN CASE WHEN t.bid_start_at > $1 THEN 'upcoming' ELSE 'active' END
  WHEN t.stage IN ('under_evaluation', 'awarded') THEN t.stage
  ELSE 'closed' END`;

const SUMMARY = `t.id::text AS "_id", t.title, t.description, t.organisation_chain->>0 AS org_name, t.department, t.category,
  ${STATUS} AS status, t.state, t.district, t.pincode, t.address, t.bid_opening_place, t.price, t.price_text,
  t.emd::text AS emd, t.published_at AS published_date, t.closes_at AS closing_date, t.closing_time_known,
  t.portal AS source_portal, t.source_id AS source_tender_id, t.reference AS reference_number,
  CASE WHEN t.nit_key IS NULL THEN 1 ELSE
    (SELECT count(*) FROM tender n WHERE n.nit_key = t.nit_key AND n.published_at <= $1) END AS nit_works,
  t.last_corrigendum, t.fetched_at, t.origin <> 'portal' AS demonstration`;

/** Rows of one page as JSON text, the total, and whether any row is a demonstration. */
export function listStatement(filter: TenderFilter, now: Date): Statement {
  const values: unknown[] = [now];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['published_at <= $1', filter.open ? 'closes_at > $1' : 'closes_at <= $1'];
  for (const column of ['state', 'district', 'department'] as const)
    if (filter[column] !== null) conditions.push(`${column} = ${bind(filter[column])}`);
  if (filter.words.length > 0) conditions.push(`words @@ ${bind(toTsquery(filter.words))}::tsquery`);
  const where = conditions.join(' AND ');
  const column = filter.sort === 'price' ? 'price' : 'closes_at';
  const order = `${column} ${filter.order === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, id`;
  const page = `SELECT * FROM tender WHERE ${where} ORDER BY ${order} LIMIT ${bind(filter.limit)} OFFSET ${bind(filter.offset)}`;
  const shape = [filter.state, filter.district, filter.department].map((value) => (value === null ? 0 : 1)).join('');
  return {
    name: `tenders ${shape} ${filter.words.length > 0} ${filter.open} ${order}`,
    text: `SELECT (SELECT count(*)::int FROM tender WHERE ${where}) AS total,
      coalesce(json_agg(to_json(r))::text, '[]') AS rows, coalesce(bool_or(r.demonstration), false) AS demonstration
      FROM (SELECT ${SUMMARY} FROM (${page}) t ORDER BY t.${order.replace(', id', ', t.id')}) r`,
    values,
  };
}

/** How many open tenders hold these words; for the correction of words that found nothing. */
export function countStatement(filter: TenderFilter, now: Date): Statement {
  const { text, values, name } = listStatement({ ...filter, limit: 0, offset: 0 }, now);
  return { name, text, values };
}

/** One published tender as JSON text, by id. */
export function tenderStatement(id: number, now: Date): Statement {
  return {
    name: 'tender',
    text: `SELECT to_json(r)::text AS tender FROM (
      SELECT ${SUMMARY}, t.nit_key AS nit_id, t.organisation_chain, t.place, t.contact_designation, t.sub_category,
        t.tender_type, t.form_of_contract, t.covers, t.tender_fee::text AS tender_fee, t.emd_percent,
        t.emd_exemption_allowed, t.period_of_work_days, t.bid_validity_days, t.bid_start_at AS bid_start_date,
        t.opens_at AS opening_date, t.pre_bid_at AS pre_bid_date, t.pre_bid_place, t.documents,
        coalesce((SELECT json_agg(s) FROM (
          SELECT n.id::text AS "_id", n.title, n.source_id AS source_tender_id FROM tender n
          WHERE n.nit_key = t.nit_key AND n.id <> t.id AND n.published_at <= $1
          ORDER BY length(n.source_id), n.source_id LIMIT 20) s), '[]') AS nit_siblings,
        coalesce((SELECT json_agg(c) FROM (
          SELECT title, type, noticed_at, changes FROM corrigendum WHERE tender_id = t.id ORDER BY id DESC) c), '[]')
          AS corrigenda,
        t.district_confidence, t.version, t.updated_at
      FROM tender t WHERE t.id = $2 AND t.published_at <= $1) r`,
    values: [now, id],
  };
}

/** Open tenders per state, and whether they are demonstrations. */
export function stateCountsStatement(now: Date): Statement {
  return {
    name: 'state counts',
    text: `SELECT state, count(*)::int AS open, bool_or(origin <> 'portal') AS demonstration
      FROM tender WHERE closes_at > $1 AND published_at <= $1 GROUP BY state`,
    values: [now],
  };
}

/** The words as PostgreSQL asks for them: AND of words, OR of their alternatives, AND of an alternative's terms. */
export function toTsquery(words: QueryWord[]): string {
  return words
    .map(({ alternatives, prefix }) => {
      // Only what was typed, the first alternative, is matched as a prefix.
      const either = alternatives.map((terms, index) => {
        const isTyped = prefix && index === 0;
        return terms.map((term, at) => `'${term}'${isTyped && at === terms.length - 1 ? ':*' : ''}`).join(' & ');
      });
      return `(${either.map((terms) => `(${terms})`).join(' | ')})`;
    })
    .join(' & ');
}
