/**
 * Listing and search, each as one prepared statement whose JSON PostgreSQL builds (figures: docs/benchmarks.md). The text
 * of a statement depends only on which filters are used, so each shape is planned once.
 */

import type { Exclusion } from '@nivida/contract/conditions/condition-meaning';
import type { ConditionBounds } from '@nivida/contract/conditions/conditions-in-query';
import { MAX_DOCUMENT_HITS } from '@nivida/contract/documents/document-hits';
import { MAX_COUNTED } from '@nivida/contract/limits';
import type { QueryWord } from '@nivida/contract/search/query-words';
import {
  MAX_PARTIAL_MATCHES,
  MAX_RANKED,
  MIN_FULL_MATCHES,
  type PartialRule,
  partialRule,
} from '@nivida/contract/search/ranking';
import type { QueryPlace } from '@nivida/contract/tenders/tender';
import { TenderSummary } from '@nivida/contract/tenders/tender';
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import { batchedUpdate } from '../database/delete-in-batches.sql.ts';
import { OTHER_SOURCES } from '../database/other-sources.sql.ts';
import { IS_TERM_INDEX_COMPLETE } from '../database/term-index.sql.ts';
import {
  type Bind,
  coverageExpression,
  foundColumns,
  maxScore,
  partialCandidates,
  scoreExpression,
  TEXT_CLASSES,
  toTsquery,
  toTsqueryWord,
} from './words.sql.ts';

/** A filter with listed names; `words`, `place` and `conditions` are those of the query. */
export interface TenderSqlFilter {
  state: string | null;
  /** Matches any name; an empty list is no filter. */
  districts: readonly string[];
  departments: readonly string[];
  words: readonly QueryWord[];
  place: QueryPlace | null;
  conditions: ConditionBounds | null;
  /** Bounds of the estimate in rupees, both included. */
  min: number | null;
  max: number | null;
  /** Closing at this instant or later. */
  closesFrom: Date | null;
  /** Only tenders whose source states the closing hour. Both bounds are then given. */
  isHourStated: boolean;
  /** Closing before this instant. */
  closesBefore: Date | null;
  /** Published at this instant or later. */
  publishedFrom: Date | null;
  category: string | null;
  open: boolean;
  sort: 'relevance' | 'price' | 'closing_date' | 'published_date';
  order: 'asc' | 'desc';
  /** One row for each NIT. `limit` and `offset` count these rows. */
  notices: boolean;
  limit: number;
  offset: number;
}

/** A statement as `pg` takes it; with a name the connection caches its plan. */
export interface SqlStatement {
  name: string | undefined;
  text: string;
  values: unknown[];
}

/** There is no index in the order of `published_at`, because the count reads every match anyway. */
const SORT_COLUMNS: Record<Exclude<TenderSqlFilter['sort'], 'relevance'>, string> = {
  price: 'price',
  closing_date: 'closes_at',
  published_date: 'published_at',
};

/** The contract's `statusAt` in SQL; $1 is the instant. One table of cases tests both. */
const STATUS_EXPRESSION = `CASE
  WHEN t.stage IN ('cancelled', 'retendered') THEN t.stage
  WHEN t.closes_at > $1 THEN CASE WHEN t.bid_start_at > $1 THEN 'upcoming' ELSE 'active' END
  WHEN t.stage IN ('under_evaluation', 'awarded') THEN t.stage
  ELSE 'closed' END`;

/**
 * The table that a filter reads. Open tenders have narrow rows in a table of their own (docs/decisions/0002), so that
 * closed ones cost nothing. It still has tenders that closed recently, so statements compare the closing too.
 */
const tableOf = ({ open }: Pick<TenderSqlFilter, 'open'>) => (open ? 'open_tender' : 'tender');

/** Days after its closing when a tender is archived. Longer than the clocks of two processes may differ. */
export const ARCHIVED_AFTER_DAYS = 1;

/** Tenders for search engines at $1. */
const SITEMAP_CONDITION = `t.published_at <= $1 AND t.closes_at > $1 AND t.origin = 'portal'`;

/** The contents of the document package of the tender `t` as JSON; null when none can be sold. */
const PACKAGE_EXPRESSION = `CASE WHEN t.package_kind IS NOT NULL THEN
  json_build_object('kind', t.package_kind, 'works', t.package_works) END`;

/** When the tender `t` was last read from its portal, changed or unchanged. */
const LAST_SEEN = 'greatest(t.fetched_at, (SELECT s.seen_at FROM tender_seen s WHERE s.tender_id = t.id))';

const SUMMARY_COLUMNS = `t.id::text AS "_id", t.title, t.description, t.organisation_chain->>0 AS org_name, t.department, t.category,
  ${STATUS_EXPRESSION} AS status, t.stage, t.state, t.district, t.second_district, t.pincode, t.address, t.bid_opening_place, t.price, t.price_text,
  t.emd::text AS emd, t.published_at AS published_date, t.bid_start_at AS bid_start_date, t.closes_at AS closing_date, t.closing_time_known,
  t.portal AS source_portal, t.source_id AS source_tender_id, t.reference AS reference_number,
  CASE WHEN t.nit_key IS NULL THEN 1 ELSE
    (SELECT count(*) FROM tender n WHERE n.nit_key = t.nit_key AND n.published_at <= $1) END AS nit_works,
  t.last_corrigendum, ${LAST_SEEN} AS fetched_at, t.is_listed, t.origin <> 'portal' AS demonstration`;

/** The fields of the contract's table that a summary lacks. */
const FIELD_COLUMNS = TENDER_FIELD_LIST.filter(({ name }) => !(name in TenderSummary.entries))
  .map(({ name, type }) => (type === 'rupees' ? `t.${name}::text AS ${name}` : `t.${name}`))
  .join(', ');

/** Plans of statements with more words are not cached. */
const MAX_PLANNED_WORDS = 4;

/**
 * The name of a filter's shape; undefined for rare shapes. Each connection caches the plans of named statements, and
 * hundreds of rare shapes would fill its memory.
 */
function shapeName(filter: TenderSqlFilter): string | undefined {
  const { state, districts, departments, place, category, min, max, closesFrom, closesBefore, publishedFrom } = filter;
  const isRare =
    [category, min, max, closesFrom, closesBefore, publishedFrom].some((value) => value !== null) ||
    place !== null ||
    filter.conditions !== null ||
    districts.length > 1 ||
    departments.length > 1;
  const shape = [state === null ? 0 : 1, districts.length, departments.length].join('');
  return isRare
    ? undefined
    : `${shape} ${filter.words.length > 0} ${filter.open} ${filter.sort} ${filter.order} ${filter.notices}`;
}

/**
 * The name of a statement that scores words in all states. Its text depends on the number of words. The name lets its plan
 * be cached, because planning takes longer than finding a rare word. Undefined if an index other than that of words may be
 * better.
 */
function scoredName(kind: string, filter: TenderSqlFilter, words = filter.words): string | undefined {
  const shape = shapeName(filter);
  const counts = [filter.words, words].map(({ length }) => length);
  const isOfWordsOnly =
    filter.words.length > 0 &&
    filter.state === null &&
    filter.districts.length === 0 &&
    filter.departments.length === 0;
  return shape && isOfWordsOnly && Math.max(...counts) <= MAX_PLANNED_WORDS
    ? `${kind} ${shape} ${counts.join(' ')}`
    : undefined;
}

/** How conditions are written, which decides what the planner knows. */
interface PlannerView {
  query(text: string, bind: Bind): string;
  window(condition: string): string;
}

const FULL_VIEW: PlannerView = {
  query: (text, bind) => `${bind(text)}::tsquery`,
  window: (condition) => condition,
};
/** The planner sees only an unknown query of words. Its plan uses the index of words and fits all words. */
const WORDS_ONLY_VIEW: PlannerView = {
  query: (text, bind) => `(SELECT ${bind(text)}::tsquery)`,
  window: (condition) => `(${condition}) IS TRUE`,
};

/** The planner sees the other conditions and an unknown query. So it does not plan to read the whole table for frequent words. */
const BOUNDED_VIEW: PlannerView = { ...FULL_VIEW, query: WORDS_ONLY_VIEW.query };
/** The planner cannot use an index of words. */
const CLOSING_ORDER_VIEW: PlannerView = {
  ...FULL_VIEW,
  query: (text, bind) => `${bind(text)}::tsquery IS TRUE`,
};

/**
 * Whether the matches of a filter are found and counted up to `MAX_COUNTED` only. For closed tenders of a place the index
 * is enough, so all of them are counted.
 */
export function isBounded(filter: TenderSqlFilter): boolean {
  const isOfPlaceOnly = filter.state !== null && filter.words.length === 0 && shapeName(filter) !== undefined;
  return !filter.open && !isOfPlaceOnly;
}

const viewOf = (filter: TenderSqlFilter, name: string | undefined): PlannerView =>
  name ? WORDS_ONLY_VIEW : isBounded(filter) ? BOUNDED_VIEW : FULL_VIEW;

/** SQL: whether at most `MAX_COUNTED` tenders meet the condition. True for filters without a bound. */
const isCountable = (filter: TenderSqlFilter, condition: string) =>
  isBounded(filter)
    ? `(SELECT count(*) FROM (SELECT FROM ${tableOf(filter)} WHERE ${condition}${boundOf(filter)}) bounded) <= ${MAX_COUNTED}`
    : 'true';

/** The limit of a bounded filter: one match more than is counted. */
const boundOf = (filter: TenderSqlFilter) => (isBounded(filter) ? ` LIMIT ${MAX_COUNTED + 1}` : '');

/** The conditions of a filter without district and department, and their bound values; $1 is `now`. */
function filterConditions(filter: TenderSqlFilter, now: Date, values: unknown[] = [now], view = FULL_VIEW) {
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['published_at <= $1', filter.open ? 'closes_at > $1' : 'closes_at <= $1'].map(view.window);
  const where = (condition: string, value: unknown) => {
    if (value !== null) conditions.push(`${condition} ${bind(value)}`);
  };
  where('state =', filter.state);
  where('category =', filter.category);
  where('price >=', filter.min);
  where('price <=', filter.max);
  where('closes_at >=', filter.closesFrom);
  where('closes_at <', filter.closesBefore);
  if (filter.isHourStated) {
    // open_tender does not have this column.
    const window = `closes_at >= ${bind(filter.closesFrom)} AND closes_at < ${bind(filter.closesBefore)}`;
    conditions.push(`id IN (SELECT id FROM tender WHERE closing_time_known AND ${window})`);
  }
  where('published_at >=', filter.publishedFrom);
  if (filter.words.some(({ required }) => required))
    conditions.push(`words @@ ${view.query(toTsquery(filter.words), bind)}`);
  if (filter.place) conditions.push(...placeConditions(filter.place, bind));
  if (filter.conditions) conditions.push(...boundConditions(filter.conditions, bind));
  return { values, bind, conditions };
}

const isAnyOf = (column: string, names: readonly string[]) =>
  names.length > 1 ? `${column} IN (${names.join(', ')})` : `${column} = ${names[0]}`;

/** SQL: whether a work is in one of the districts, given as parameters. */
const districtCondition = (...names: string[]): string =>
  `(${isAnyOf('district', names)} OR ${isAnyOf('second_district', names)})`;

/** The place of the words: the state, and one of the districts. */
function placeConditions({ state, districts }: Pick<QueryPlace, 'state' | 'districts'>, bind: Bind): string[] {
  const pairs = districts.map((each) => `(state = ${bind(each.state)} AND ${districtCondition(bind(each.district))})`);
  return [
    ...(state === null ? [] : [`state = ${bind(state)}`]),
    ...(pairs.length > 0 ? [`(${pairs.join(' OR ')})`] : []),
  ];
}

/** The conditions that were read in the words. */
function boundConditions(bounds: ConditionBounds, bind: Bind): string[] {
  const compared: (readonly [condition: string, value: unknown])[] = [
    ['price >=', bounds.min],
    ['price <=', bounds.max],
    ['emd >=', bounds.emdMin],
    ['emd <=', bounds.emdMax],
    ['closes_at >=', bounds.closing.from],
    ['closes_at <', bounds.closing.before],
    ['published_at >=', bounds.published.from],
    ['published_at <', bounds.published.before],
    ...bounds.categories.map((category) => ['category =', category] as const),
  ];
  return [
    ...compared.filter(([, value]) => value !== null).map(([condition, value]) => `${condition} ${bind(value)}`),
    ...(bounds.isEmdExempt ? ['(emd = 0 OR emd_exemption_allowed)'] : []),
    ...bounds.exclusions.map((exclusion) => `(${exclusionCondition(exclusion, bind)}) IS NOT TRUE`),
  ];
}

/** SQL: whether a row is excluded. It is if it is at the place, or has all words in title or description. */
function exclusionCondition({ words, place }: Exclusion, bind: Bind): string {
  const conditions = place
    ? placeConditions(place, bind)
    : words.map(({ alternatives }) => `words @@ ${bind(toTsqueryWord(alternatives, TEXT_CLASSES))}::tsquery`);
  return conditions.join(' AND ') || 'false';
}

function listConditions(filter: TenderSqlFilter, now: Date, bound?: unknown[], view = FULL_VIEW) {
  const { values, bind, conditions } = filterConditions(filter, now, bound, view);
  if (filter.districts.length > 0) conditions.push(districtCondition(...filter.districts.map(bind)));
  if (filter.departments.length > 1) conditions.push(`department = ANY(${bind(filter.departments)})`);
  else if (filter.departments[0] !== undefined) conditions.push(`department = ${bind(filter.departments[0])}`);
  return { values, bind, matches: conditions.join(' AND ') };
}

/** The matches of a filter, for FROM. Without words, matches of the first and the second district come from an index each. */
function matchingRows(filter: TenderSqlFilter, now: Date, bound?: unknown[], view = FULL_VIEW) {
  const table = tableOf(filter);
  if (filter.words.length > 0 || filter.districts.length === 0) {
    const { values, bind, matches } = listConditions(filter, now, bound, view);
    return { values, bind, rows: `${table} WHERE ${matches}` };
  }
  const { values, bind, matches } = listConditions({ ...filter, districts: [] }, now, bound, view);
  const names = filter.districts.map(bind);
  const first = isAnyOf('district', names);
  const rows = `(SELECT * FROM ${table} WHERE ${first}
    UNION ALL SELECT * FROM ${table} WHERE ${isAnyOf('second_district', names)} AND NOT ${first}) of_districts WHERE ${matches}`;
  return { values, bind, rows };
}

/**
 * The columns of a page: its rows as JSON text, and whether any is a demonstration. `page` has ids and the columns that
 * `order` needs. With words, each row has the number of words it contains, and `isIndexed` shows whether all tenders have
 * the terms of this version.
 */
const pageColumns = (
  order: string,
  { words, notices }: TenderSqlFilter,
  matches = "'all'",
) => `${notices ? NOTICE_COUNTS : ''}
        coalesce(json_agg(to_json(r))::text, '[]') AS rows, coalesce(bool_or(r.demonstration), false) AS demonstration,
        ${words.length > 0 ? IS_TERM_INDEX_COMPLETE : true} AS "isIndexed"
      FROM (SELECT ${SUMMARY_COLUMNS}${words.length > 0 ? `, ${matches} AS matches` : ''}${notices ? ', page.works' : ''}
        FROM page JOIN tender t ON t.id = page.id ORDER BY ${notices ? 'page.place' : order}) r`;

/** SQL: the key that the works of an NIT share, for both tables. A tender without an NIT has a key of its own. */
const NOTICE = 'coalesce(nit_key, id::text)';

/**
 * The page of a list of notices. `page` has the first tender of each notice, with the ids of the others. A notice is where
 * its first tender would be. `listed` is the relation of all matches; its `part` separates works of one notice. `works`
 * selects the works of the notices in `shown`, with their `place`. All matches are numbered in one pass. A join of all could
 * compare each with each, because the planner does not know their number.
 */
const noticePage = (
  {
    listed,
    order,
    works = 'SELECT place, n.* FROM shown JOIN numbered n USING (part, notice)',
  }: Record<'listed' | 'order', string> & { works?: string },
  { limit, offset }: TenderSqlFilter,
  bind: Bind,
) => `
      numbered AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY ${order}) AS nth FROM ${listed}),
      placed AS MATERIALIZED (SELECT *, row_number() OVER by_place AS place, sum(works) OVER by_place - works AS before
        FROM (SELECT part, notice, min(nth) AS first, count(*) AS works FROM numbered GROUP BY part, notice) notices
        WINDOW by_place AS (ORDER BY first)),
      shown AS MATERIALIZED (SELECT * FROM placed WHERE place > ${bind(offset)} AND place <= ${bind(offset + limit)}),
      page AS (SELECT place, part, (array_agg(id))[1] AS id, (array_agg(id::text))[2:] AS works
        FROM (SELECT * FROM (${works}) of_shown ORDER BY place, ${order}) in_order GROUP BY place, part)`;

const NOTICE_COUNTS =
  '(SELECT count(*)::int FROM placed) AS notices, (SELECT coalesce(min(before), 0)::int FROM shown) AS before,';

/** The order of equal scores: soonest closing first; for closed tenders, last closed first. */
const tieOrder = ({ open }: TenderSqlFilter) => `closes_at ${open ? 'ASC' : 'DESC'}, id`;

/** First, scores are computed for this many times the rows up to the end of the page. */
const FIRST_SCORED_FACTOR = 10;

/**
 * One page by relevance, or by closing if there are more matches than are ranked. Often the first matches in the order of
 * equal scores include enough rows with the best possible score. Then no other match needs a score. If few tenders have all
 * of several words, tenders with most of them follow (`partial`).
 */
function rankedListStatement(filter: TenderSqlFilter, now: Date): SqlStatement {
  const words = filter.words.every(({ required }) => required) ? filter.words : [];
  // If a tender has all words, each word is known.
  const rule = partialRule(
    words,
    words.map(() => true),
  );
  const name = scoredName(rule ? 'ranked and partial' : 'ranked', filter);
  const view = viewOf(filter, name);
  const { values, bind, matches } = listConditions(filter, now, undefined, view);
  const ties = tieOrder(filter);
  const table = tableOf(filter);
  const { notices } = filter;
  const needed = filter.offset + filter.limit;
  const end = bind(needed);
  const first = bind(needed * FIRST_SCORED_FACTOR);
  const rowScore = scoreExpression(filter.words, bind);
  // A row's ctid is valid within the statement.
  const score = `(SELECT ${rowScore} FROM ${table} s WHERE s.ctid = f.row)`;
  const isRanked = `(SELECT total FROM counted) <= ${MAX_RANKED}`;
  const hasBest = `(SELECT count(*) FROM best) = ${end}`;
  const isFollowed = `(SELECT total FROM counted) BETWEEN 1 AND ${MIN_FULL_MATCHES - 1}`;
  const order = `${rule ? 'part, coverage DESC, ' : ''}score DESC, ${ties}`;
  const listed = rule ? 'listed' : 'scored';
  const candidates =
    rule &&
    `${listConditions({ ...filter, words: [] }, now, values, view).matches} AND words @@ ${view.query(partialCandidates(rule), bind)}`;
  const partialRows =
    rule &&
    candidates &&
    `partial_rows AS MATERIALIZED (SELECT * FROM (SELECT id, closes_at, ${rowScore} AS score, 1 AS part, ${coverageExpression(rule, bind)} AS coverage${notices ? `, ${NOTICE} AS notice` : ''}
        FROM ${table} WHERE ${isFollowed} AND ${isCountable(filter, candidates)} AND ${candidates} AND NOT words @@ ${view.query(toTsquery(filter.words), bind)}) p
        WHERE 2 * coverage >= ${bind(rule.total)} ORDER BY coverage DESC, score DESC, ${ties} LIMIT ${MAX_PARTIAL_MATCHES}),
      listed AS (SELECT id, closes_at, score, 0 AS part, 0 AS coverage${notices ? ', notice' : ''} FROM scored UNION ALL SELECT * FROM partial_rows),`;
  const rankedNotices = () => `
      tied AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY ${ties}) AS nth FROM found),
      tried AS MATERIALIZED (SELECT *, CASE WHEN (SELECT total FROM counted) > ${first} AND nth <= ${first}
          THEN NOT ${isRanked} OR ${score} = ${bind(maxScore(filter.words))} ELSE false END AS is_best FROM tied f),
      best AS MATERIALIZED (SELECT count(DISTINCT notice) >= ${end} AS are_enough FROM tried WHERE is_best),
      scored AS (SELECT id, closes_at, CASE WHEN (SELECT are_enough FROM best) THEN is_best::int
          WHEN ${isRanked} THEN ${score} ELSE 0 END AS score, 0 AS part, 0 AS coverage, notice FROM tried f),
      ${partialRows ?? ''}
      ${noticePage(
        {
          listed,
          order,
          works: `SELECT place, f.id, f.closes_at, CASE WHEN ${isRanked} THEN ${score} ELSE 0 END AS score, shown.part, 0 AS coverage
          FROM shown JOIN found f USING (notice) WHERE shown.part = 0
          ${rule ? 'UNION ALL SELECT place, p.id, p.closes_at, p.score, p.part, p.coverage FROM shown JOIN partial_rows p USING (part, notice)' : ''}`,
        },
        filter,
        bind,
      )}`;
  const rankedTenders = () => `
      best AS MATERIALIZED (SELECT id, closes_at, 0 AS score
        FROM (SELECT * FROM found WHERE (SELECT total FROM counted) > ${first} ORDER BY ${ties} LIMIT ${first}) f
        WHERE NOT ${isRanked} OR ${score} = ${bind(maxScore(filter.words))} LIMIT ${end}),
      scored AS (SELECT * FROM best WHERE ${hasBest}
        UNION ALL SELECT id, closes_at, CASE WHEN ${isRanked} THEN ${score} ELSE 0 END FROM found f WHERE NOT ${hasBest}),
      ${partialRows ?? ''}
      page AS (SELECT * FROM ${listed} ORDER BY ${order} LIMIT ${bind(filter.limit)} OFFSET ${bind(filter.offset)})`;
  return {
    name,
    text: `WITH found AS MATERIALIZED (SELECT ctid AS row, id, closes_at${notices ? `, ${NOTICE} AS notice` : ''} FROM ${table} WHERE ${matches}${boundOf(filter)}),
      counted AS (SELECT count(*)::int AS total FROM found),
      ${notices ? rankedNotices() : rankedTenders()}
      SELECT (SELECT total FROM counted) AS total, ${rule ? '(SELECT count(*)::int FROM partial_rows)' : 'NULL::int'} AS partial, ${pageColumns(
        order.replaceAll(/(part|coverage|score|closes_at|\bid\b)/g, 'page.$1'),
        filter,
        rule ? "CASE page.part WHEN 0 THEN 'all' ELSE 'most' END" : undefined,
      )}`,
    values,
  };
}

/** Whether a tender under the filter has each word, as one boolean column for each. */
export function foundWordsStatement(filter: TenderSqlFilter, words: readonly QueryWord[], now: Date): SqlStatement {
  const { values, bind, matches } = listConditions({ ...filter, words: [] }, now);
  return {
    name: undefined,
    text: `SELECT ${foundColumns(words, `${tableOf(filter)} WHERE ${matches} AND`, bind)}`,
    values,
  };
}

/**
 * A page of tenders that have all words, followed by tenders that have most of them. Each row has a mark that tells them
 * apart.
 */
export function partialListStatement(filter: TenderSqlFilter, rule: PartialRule, now: Date): SqlStatement {
  const name = scoredName('partial', filter, rule.words);
  const view = viewOf(filter, name);
  const { values, bind, matches } = listConditions({ ...filter, words: [] }, now, undefined, view);
  const candidates = `${matches} AND words @@ ${view.query(partialCandidates(rule), bind)}`;
  const all = `words @@ ${view.query(toTsquery(filter.words), bind)}`;
  const ties = tieOrder(filter);
  const table = tableOf(filter);
  const key = filter.sort === 'relevance' ? 'score' : SORT_COLUMNS[filter.sort];
  const order = filter.sort === 'relevance' ? `score DESC, ${ties}` : `${key} ${filter.order} NULLS LAST, id`;
  const notice = filter.notices ? ', notice' : '';
  const noticeColumn = filter.notices ? `, ${NOTICE} AS notice` : '';
  const byPosition = 'part, position';
  const page = filter.notices
    ? noticePage({ listed: 'listed', order: byPosition }, filter, bind)
    : `page AS (SELECT * FROM listed ORDER BY ${byPosition} LIMIT ${bind(filter.limit)} OFFSET ${bind(filter.offset)})`;
  return {
    name,
    text: `WITH full_rows AS (SELECT id, row_number() OVER (ORDER BY ${order}) AS position, 'all' AS part${notice}
        FROM (SELECT id, closes_at, price, published_at, ${scoreExpression(filter.words, bind)} AS score${noticeColumn} FROM ${table}
          WHERE ${matches} AND ${all}) f),
      partial_rows AS (SELECT id, row_number() OVER (ORDER BY coverage DESC, score DESC, ${ties}) AS position, 'most' AS part${notice}
        FROM (SELECT id, closes_at, ${scoreExpression(rule.words, bind)} AS score, ${coverageExpression(rule, bind)} AS coverage${noticeColumn}
          FROM ${table} WHERE ${isCountable(filter, candidates)} AND ${candidates} AND NOT ${all}) p
        WHERE 2 * coverage >= ${bind(rule.total)} ORDER BY position LIMIT ${MAX_PARTIAL_MATCHES}),
      listed AS (SELECT * FROM full_rows UNION ALL SELECT * FROM partial_rows),
      ${page}
      SELECT (SELECT count(*)::int FROM listed) AS total, ${pageColumns('page.part, page.position', filter, 'page.part')}`,
    values,
  };
}

/**
 * A page when more closed tenders match than are counted. It is in the order of closing, because any other order needs all
 * matches. Many tenders match, so reading the start of the index of closings is enough.
 */
export function closingOrderStatement(filter: TenderSqlFilter, now: Date): SqlStatement {
  const { values, bind, matches } = listConditions(filter, now, undefined, CLOSING_ORDER_VIEW);
  const direction = filter.sort === 'closing_date' && filter.order === 'asc' ? 'ASC' : 'DESC';
  const end = Math.min(filter.offset + filter.limit, MAX_COUNTED);
  return {
    name: undefined,
    text: `WITH page AS (SELECT id, closes_at FROM tender WHERE ${matches}
        ORDER BY closes_at ${direction}, id LIMIT ${bind(Math.max(end - filter.offset, 0))} OFFSET ${bind(filter.offset)})
      SELECT ${MAX_COUNTED} AS total, ${pageColumns(`page.closes_at ${direction}, page.id`, filter)}`,
    values,
  };
}

/**
 * Rows of one page as JSON text, the total, and whether any row is a demonstration. If a bounded list has more matches than
 * are counted, its total is the limit plus one, and its rows are arbitrary matches.
 */
export function listStatement(filter: TenderSqlFilter, now: Date): SqlStatement {
  if (filter.sort === 'relevance') return rankedListStatement(filter, now);
  const { values, bind, rows } = matchingRows(filter, now, undefined, isBounded(filter) ? BOUNDED_VIEW : FULL_VIEW);
  const direction = filter.order === 'asc' ? 'ASC' : 'DESC';
  // Equal publishing dates are sorted by id, as on the device.
  const ties = filter.sort === 'published_date' ? `id ${direction}` : 'id';
  const order = `key ${direction} NULLS LAST, ${ties}`;
  const { notices } = filter;
  const found = `SELECT id, ${SORT_COLUMNS[filter.sort]} AS key${notices ? `, 0 AS part, ${NOTICE} AS notice` : ''} FROM ${rows}${boundOf(filter)}`;
  // A filter with few matches is evaluated once for page and count. The first page of a whole state is read from the index.
  const name = shapeName(filter);
  const isNarrow =
    notices ||
    isBounded(filter) ||
    filter.districts.length > 0 ||
    filter.departments.length > 0 ||
    filter.words.length > 0 ||
    name === undefined;
  const once = isNarrow ? `found AS MATERIALIZED (${found}),` : '';
  const all = isNarrow ? 'found' : `(${found}) found`;
  const page = notices
    ? noticePage({ listed: all, order }, filter, bind)
    : `page AS (SELECT id, key FROM ${all} ORDER BY ${order} LIMIT ${bind(filter.limit)} OFFSET ${bind(filter.offset)})`;
  return {
    name: name && `tenders ${name}`,
    // The page is chosen from narrow rows. Fields of cards are read only for its rows.
    text: `WITH ${once} ${page}
      SELECT (SELECT count(*)::int FROM ${all}) AS total, ${pageColumns(`page.${order.replace(', id', ', t.id')}`, filter)}`,
    values,
  };
}

/** Tenders of each combination of districts and department under the rest of the filter. */
export function facetsStatement(filter: TenderSqlFilter, now: Date): SqlStatement {
  const { values, conditions } = filterConditions(filter, now);
  return {
    name: undefined,
    text: `SELECT district, second_district AS "secondDistrict", department, count(*)::int AS tenders
      FROM ${tableOf(filter)} WHERE ${conditions.join(' AND ')} GROUP BY 1, 2, 3`,
    values,
  };
}

/** The departments of a state's tenders, most frequent first. */
export function departmentsStatement(state: string): SqlStatement {
  return {
    name: 'departments',
    text: `SELECT department FROM tender WHERE state = $1 AND department IS NOT NULL
      GROUP BY department ORDER BY count(*) DESC, department`,
    values: [state],
  };
}

/** A filter whose tenders are counted. Counting stops at `atMost`. */
export interface CountedFilter {
  filter: TenderSqlFilter;
  atMost?: number | undefined;
}

/** The numbers of tenders of some filters, in one array. */
export function countsStatement(counted: readonly CountedFilter[], now: Date): SqlStatement {
  const values: unknown[] = [now];
  const counts = counted.map(({ filter, atMost }) => {
    const { bind, rows } = matchingRows(filter, now, values);
    const limit = atMost === undefined ? '' : ` LIMIT ${bind(atMost)}`;
    return `(SELECT count(*)::int FROM (SELECT FROM ${rows}${limit}) AS counted)`;
  });
  return { name: undefined, text: `SELECT ARRAY[${counts.join(', ')}]::int[] AS totals`, values };
}

/** Parts of documents whose tenders are looked up. More parts have words that nearly every document has. */
const MAX_FOUND_PARTS = 20_000;

/**
 * The tenders under the filter of which a page or a BOQ item of an official document has all required words, and whose own
 * fields have not: their number, and the best part of each of the first ones. Items come before pages.
 */
export function documentHitsStatement(filter: TenderSqlFilter, now: Date): SqlStatement {
  const { values, bind, matches } = listConditions({ ...filter, words: [] }, now);
  const words = `${bind(toTsquery(filter.words))}::tsquery`;
  return {
    name: undefined,
    // The parts come first, because few have all words and each is of one or a few tenders.
    text: `WITH parts AS MATERIALIZED (
        SELECT file_reading_id, part FROM document_part WHERE words @@ ${words} LIMIT ${MAX_FOUND_PARTS}),
      of_files AS MATERIALIZED (
        SELECT DISTINCT ON (r.id) f.nit, f.tender_id, f.all_works, r.id AS reading_id, p.part, r.pages IS NULL AS is_item
        FROM parts p JOIN file_reading r ON r.id = p.file_reading_id JOIN package_file f ON f.id = r.package_file_id
        WHERE f.state = 'ready' AND f.read_version > 0 ORDER BY r.id, p.part),
      of_works AS (
        SELECT tender_id, reading_id, part, is_item FROM of_files
        UNION ALL SELECT n.id, o.reading_id, o.part, o.is_item FROM of_files o JOIN tender n ON n.nit_key = o.nit
          WHERE o.all_works AND n.id <> o.tender_id),
      found AS MATERIALIZED (
        SELECT DISTINCT ON (w.tender_id) w.*, t.closes_at FROM of_works w
        JOIN (SELECT id, closes_at FROM ${tableOf(filter)} WHERE ${matches} AND NOT words @@ ${words}) t ON t.id = w.tender_id
        ORDER BY w.tender_id, w.is_item DESC, w.reading_id, w.part)
      SELECT (SELECT count(*)::int FROM found) AS total, coalesce((SELECT json_agg(json_build_object(
          'id', tender_id, 'readingId', reading_id::text, 'part', part) ORDER BY nth) FROM (
        SELECT *, row_number() OVER (ORDER BY is_item DESC, closes_at ${filter.open ? 'ASC' : 'DESC'}, tender_id) AS nth
        FROM found) placed WHERE nth <= ${MAX_DOCUMENT_HITS}), '[]') AS hits`,
    values,
  };
}

/** One published tender as JSON text, by id. */
export function tenderStatement(id: number, now: Date): SqlStatement {
  return {
    name: 'tender',
    text: `SELECT to_json(r)::text AS tender FROM (
      SELECT ${SUMMARY_COLUMNS}, ${FIELD_COLUMNS}, t.nit_key AS nit_id, t.organisation_chain,
        t.opens_at AS opening_date, t.pre_bid_at AS pre_bid_date, t.documents,
        coalesce((SELECT json_agg(s) FROM (
          SELECT n.id::text AS "_id", n.title, n.source_id AS source_tender_id FROM tender n
          WHERE n.nit_key = t.nit_key AND n.id <> t.id AND n.published_at <= $1
          ORDER BY length(n.source_id), n.source_id LIMIT 20) s), '[]') AS nit_siblings,
        coalesce((SELECT json_agg(c) FROM (
          SELECT title, type, noticed_at, changes FROM corrigendum WHERE tender_id = t.id ORDER BY id DESC) c), '[]')
          AS corrigenda,
        coalesce(${OTHER_SOURCES}, '[]') AS other_sources, t.district_confidence, t.version, t.updated_at, ${PACKAGE_EXPRESSION} AS document_package
      FROM tender t WHERE t.id = $2 AND t.published_at <= $1) r`,
    values: [now, id],
  };
}

/** The published tenders among `ids`, open and closed, as JSON text in the order of `ids`, and their number. */
export function summariesStatement(ids: number[], now: Date): SqlStatement {
  return { name: 'summaries', text: summariesOf('unnest($2::int[]) WITH ORDINALITY'), values: [now, ids] };
}

/** The published tenders that a user has bookmarked, as those of `summariesStatement`, the newest bookmark first. */
export function bookmarkedStatement(userId: string, now: Date): SqlStatement {
  const asked = '(SELECT tender_id, -bookmark_no FROM bookmark WHERE user_id = $2)';
  return { name: 'bookmarked', text: summariesOf(asked), values: [now, userId] };
}

/** `asked` is SQL of a table of tender ids and their order. */
const summariesOf = (asked: string): string => `
  SELECT coalesce(json_agg(to_json(r) ORDER BY asked.nth)::text, '[]') AS rows, count(*)::int AS total
  FROM ${asked} asked(id, nth)
  JOIN LATERAL (SELECT ${SUMMARY_COLUMNS} FROM tender t WHERE t.id = asked.id AND t.published_at <= $1) r ON true`;

const keyExpression = (column: string) =>
  `trim(BOTH '_' FROM regexp_replace(lower(${column}), '[^a-z0-9]+', '_', 'g'))`;

/** A number with the query of words that its tenders have, and its `asciiNumberKey`. */
export interface AskedNumber {
  query: string;
  key: string;
}

/**
 * Ids of published tenders whose id at the portal, NIT or reference may be one of the numbers, at most `limit` for each. The
 * caller compares them exactly.
 */
export function numbersStatement(numbers: readonly AskedNumber[], limit: number, now: Date): SqlStatement {
  return {
    name: 'numbers',
    text: `SELECT DISTINCT found.id FROM unnest($2::text[], $3::text[]) asked(query, key)
      CROSS JOIN LATERAL (SELECT t.id FROM tender t
        WHERE t.words @@ asked.query::tsquery AND t.published_at <= $1
          AND (${keyExpression('t.reference')} = asked.key OR ${keyExpression('t.source_id')} ~ ('(^|_)' || asked.key || '(_[0-9]+)?$'))
        LIMIT $4) found`,
    values: [now, numbers.map(({ query }) => query), numbers.map(({ key }) => key), limit],
  };
}

/** The version of each published tender among `ids`, and its last change. */
export function versionsStatement(ids: number[], now: Date): SqlStatement {
  return {
    name: 'versions',
    text: `SELECT id::text AS "_id", version, to_json(updated_at)#>>'{}' AS updated_at
      FROM tender WHERE id = ANY($2) AND published_at <= $1`,
    values: [now, ids],
  };
}

/** Open tenders per state, and whether they are demonstrations. */
export function stateCountsStatement(now: Date, freshFrom: Date): SqlStatement {
  return {
    name: 'state counts',
    text: `SELECT state, count(*)::int AS open, bool_or(origin <> 'portal') AS demonstration,
        count(*) FILTER (WHERE published_at >= $2)::int AS fresh
      FROM open_tender WHERE closes_at > $1 AND published_at <= $1 GROUP BY state`,
    values: [now, freshFrom],
  };
}

/** Closings of each state between two instants, in minutes since the first. Closings without an hour are at `unknownMinute`. */
export function closingMinutesStatement(now: Date, from: Date, until: Date, unknownMinute: number): SqlStatement {
  return {
    name: 'closing minutes',
    text: `SELECT state, count(*)::int AS tenders,
        CASE WHEN closing_time_known THEN floor(extract(epoch FROM closes_at - $2) / 60)::int ELSE $4::int END AS minute
      FROM tender WHERE closes_at >= $2 AND closes_at < $3 AND published_at <= $1 GROUP BY state, minute ORDER BY minute`,
    values: [now, from, until, unknownMinute],
  };
}

/** How many tenders the sitemap lists: open ones, no demonstrations. */
export function sitemapCountStatement(now: Date): SqlStatement {
  return {
    name: 'sitemap count',
    text: `SELECT count(*)::int AS total FROM open_tender t WHERE ${SITEMAP_CONDITION}`,
    values: [now],
  };
}

/** Tenders of the sitemap, `limit` from `offset`, with the day of their last change. */
export function sitemapStatement(now: Date, limit: number, offset: number): SqlStatement {
  return {
    name: 'sitemap',
    text: `SELECT '/tenders/' || t.id AS path, to_char(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS changed
      FROM tender t WHERE ${SITEMAP_CONDITION} ORDER BY t.id LIMIT $2 OFFSET $3`,
    values: [now, limit, offset],
  };
}

/** The instant of the last fetch of the newest tender. */
export const LAST_FETCHED = {
  name: 'last fetched',
  text: `SELECT ${LAST_SEEN} AS fetched_at FROM tender t ORDER BY t.id DESC LIMIT 1`,
};

/** Publishes at most `$2` drafts that are due at `$1`: inserts their first history row with the next change number. */
export const PUBLISH_DUE_DRAFTS = `
  WITH due AS (
    SELECT id FROM tender WHERE change_no IS NULL AND published_at <= $1 ORDER BY published_at, id LIMIT $2
  ), numbered AS (
    UPDATE tender t SET change_no = nextval('tender_change_no') FROM due WHERE t.id = due.id
    RETURNING t.change_no, t.id, t.state, t.version, t.published_at
  ), recorded AS (
    INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
    SELECT change_no, id, state, version, 'published', '[]', published_at FROM numbered
  )
  SELECT count(*)::int AS count FROM numbered`;

/** Archives the tenders of `isArchivedAt`; $1 is the instant. */
export const ARCHIVE_CLOSED_TENDERS = batchedUpdate(
  'tender',
  'archived = true',
  `NOT t.archived AND t.closes_at <= $1::timestamptz - interval '${ARCHIVED_AFTER_DAYS} days'`,
);

/** Restores archived tenders that `ARCHIVE_CLOSED_TENDERS` would not archive at $1. */
export const UNARCHIVE_OPEN_TENDERS = batchedUpdate(
  'tender',
  'archived = false',
  `t.archived AND t.closes_at > $1::timestamptz - interval '${ARCHIVED_AFTER_DAYS} days'`,
);
