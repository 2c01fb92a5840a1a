/** Reads of awards for everyone. SQL: aggregates, and lists whose columns have the contract's names. */
import { AWARD_PACK_FORMAT } from '@nivida/contract/awards/award-pack';
import { AWARD_CSV_COLUMNS, MAX_CSV_AWARDS, MAX_PACK_WORKS, MIN_SHARE_AWARDS } from '@nivida/contract/awards/awards';
import { isKnownResult } from './awards.sql.ts';

const day = (column: string) => `to_char(a.${column}, 'YYYY-MM-DD')`;

const SUMMARY = `a.id::text, a.title, a.state, a.department, a.office_id AS "officeId", a.category,
  a.estimate::float8 AS estimate, a.awarded_value::float8 AS "awardedValue", a.price, a.bidders,
  ${day('published_on')} AS "publishedOn", ${day('closes_on')} AS "closesOn", ${day('contract_on')} AS "contractOn",
  ${day('known_on')} AS "knownOn", t.id::text AS "tenderId", a.origin = 'generated' AS "isDemonstration"`;

/** The tender of an award. Drafts are not public. */
const FROM_AWARD = `award a LEFT JOIN tender t ON t.portal = a.portal AND t.source_id = a.source_id AND t.change_no IS NOT NULL`;

/** A device replaces its pack when this version differs. */
const VERSION = `version || '-${AWARD_PACK_FORMAT}' AS version`;

export const AWARD_STATES = `
  SELECT s.state, s.awards, s.offices, to_char(s.computed_on, 'YYYY-MM-DD') AS "lastKnownOn",
    s.is_demonstration AS "isDemonstration", s.${VERSION}
  FROM award_state s WHERE s.awards > 0 AND s.computed_on IS NOT NULL ORDER BY s.awards DESC, s.state`;

export const STATE_ROW = `
  SELECT state, to_char(computed_on, 'YYYY-MM-DD') AS "computedOn", is_demonstration AS "isDemonstration", ${VERSION}
  FROM award_state WHERE state = $1 AND computed_on IS NOT NULL`;

export const OFFICE_STATISTICS = `SELECT statistics FROM office_statistics WHERE office_id = $1`;

export const STATE_STATISTICS = `SELECT statistics FROM office_statistics WHERE state = $1 ORDER BY office_id`;

export const TENDER_SOURCE = `
  SELECT id, portal, source_id AS "sourceId", state, title, organisation_chain AS "organisationChain", pincode,
    price::float8 AS estimate
  FROM tender WHERE id = $1 AND change_no IS NOT NULL`;

/** The known result of the closed tender $1 at $2. A rebased tender has other dates than its award. */
export const AWARD_OF_TENDER = `
  SELECT ${SUMMARY} FROM award a JOIN tender t USING (portal, source_id)
  WHERE t.id = $1 AND t.change_no IS NOT NULL AND t.origin = a.origin AND t.closes_at <= $2 AND ${isKnownResult('$2')}`;

export const AWARD_BY_ID = `
  SELECT ${SUMMARY}, a.office_key AS "officeKey", a.source_id AS "sourceTenderId", coalesce(a.reported_by, a.portal) AS portal, a.winner,
    a.accepted, a.refused_technical AS "refusedTechnical", a.not_admitted AS "notAdmitted", a.exclusion,
    a.imported_at AS "importedAt"
  FROM ${FROM_AWARD} WHERE a.id = $1`;

export const NEWEST_AWARDS = `
  SELECT ${SUMMARY} FROM ${FROM_AWARD} WHERE a.office_id = $1 AND a.known_on IS NOT NULL AND a.known_on <= $2::date
  ORDER BY a.known_on DESC, a.id DESC LIMIT 20`;

export const OFFICE_WORKS = `
  SELECT ${SUMMARY} FROM ${FROM_AWARD} WHERE a.office_id = $1 AND (a.portal, a.source_id) <> ($2, $3)
  ORDER BY a.known_on DESC NULLS LAST, a.id DESC LIMIT 20000`;

/** The newest past works of a state with an office and an estimate. */
export const STATE_WORKS = `
  SELECT a.office_id AS "officeId", a.id::text, t.id::text AS "tenderId", a.title, a.estimate::float8 AS estimate, a.price,
    ${day('known_on')} AS "knownOn"
  FROM ${FROM_AWARD} WHERE a.state = $1 AND a.office_id IS NOT NULL AND a.estimate > 0
  ORDER BY a.known_on DESC NULLS LAST, a.id DESC LIMIT ${MAX_PACK_WORKS}`;

export const OFFICE_COMPANIES = `
  SELECT min(a.winner) AS name, count(*)::int AS awards FROM award a
  WHERE a.office_id = $1 AND a.winner IS NOT NULL AND a.known_on > $2::date - interval '24 months' AND a.known_on <= $2::date
  GROUP BY a.winner_hash HAVING count(*) >= 2 ORDER BY awards DESC, name LIMIT 50`;

/** The departments of a state whose awards the statistics know. */
export const STATE_DEPARTMENTS = 'SELECT DISTINCT department FROM office_statistics WHERE state = $1';

/** The conditions of a group's awards, with their values. */
export interface GroupFilter {
  conditions: string[];
  values: unknown[];
}

const where = ({ conditions }: GroupFilter) => conditions.join(' AND ');

/** Whether the award became known in the 24 months up to the day in the values. */
const IS_RECENT = "a.known_on > $2::date - interval '24 months' AND a.known_on <= $2::date";

/** Facts of a group in the window of 24 months up to the day in the values. */
export const groupFacts = (group: GroupFilter): string => `
  SELECT a.office_key AS office, a.department, a.known_on - date '1970-01-01' AS "knownOn",
    a.published_on - date '1970-01-01' AS "publishedOn", a.closes_on - date '1970-01-01' AS "closesOn", a.bidders,
    a.refused_technical AS "refusedTechnical", a.not_admitted AS "notAdmitted",
    coalesce(a.price::text, a.exclusion, 'no-value') AS price, a.days_to_contract AS "daysToContract"
  FROM award a WHERE ${where(group)} AND ${IS_RECENT}`;

const quarterMedian = (column: string) => `CASE WHEN count(a.${column}) >= ${MIN_SHARE_AWARDS}
    THEN percentile_disc(0.5) WITHIN GROUP (ORDER BY a.${column}) END`;

/** Facts of a group in each of the 16 quarters up to the day in the values. */
export const groupQuarters = (group: GroupFilter): string => `
  SELECT to_char(a.known_on, 'YYYY-"Q"Q') AS quarter, count(*)::int AS awards, ${quarterMedian('bidders')} AS bidders,
    ${quarterMedian('price')} AS price, ${quarterMedian('days_to_contract')} AS "daysToContract"
  FROM award a WHERE ${where(group)} AND a.known_on > date_trunc('quarter', $2::date) - interval '48 months'
    AND a.known_on <= $2::date
  GROUP BY 1 ORDER BY 1`;

/** Values of a column with at least 20 awards in the window, most awards first. */
export const groupChoices = (column: 'department' | 'district' | 'category', group: GroupFilter): string => `
  SELECT a.${column} AS name, count(*)::int AS awards FROM award a
  WHERE ${where(group)} AND a.${column} IS NOT NULL AND ${IS_RECENT}
  GROUP BY 1 HAVING count(*) >= ${MIN_SHARE_AWARDS} ORDER BY awards DESC, name LIMIT 200`;

/** Counts of a group: stored awards with their first and last day, and awards of the window that lack department, district or category. */
export const groupCounts = (group: GroupFilter): string => `
  SELECT count(*)::int AS stored,
    count(*) FILTER (WHERE ${IS_RECENT})::int AS recent,
    count(*) FILTER (WHERE a.known_on <= $2::date - interval '24 months')::int AS older,
    count(*) FILTER (WHERE a.known_on > $2::date)::int AS newer,
    count(*) FILTER (WHERE a.known_on IS NULL)::int AS excluded,
    count(*) FILTER (WHERE ${IS_RECENT} AND a.department IS NULL)::int AS "withoutDepartment",
    count(*) FILTER (WHERE ${IS_RECENT} AND a.district IS NULL)::int AS "withoutDistrict",
    count(*) FILTER (WHERE ${IS_RECENT} AND a.category IS NULL)::int AS "withoutCategory"
  FROM award a WHERE ${where(group)}`;

export const DEPARTMENT_OFFICES = `
  SELECT statistics->'office' AS office, awards, to_char(last_known_on, 'YYYY-MM-DD') AS "lastKnownOn"
  FROM office_statistics WHERE state = $1 AND department = ANY($2::text[]) AND awards > 0 ORDER BY awards DESC, office_id LIMIT 1000`;

/** The portals of the awards of a group. */
export const groupPortals = (group: GroupFilter): string => `
  SELECT DISTINCT coalesce(a.reported_by, a.portal) AS portal FROM award a WHERE ${where(group)} ORDER BY portal`;

const CSV_VALUES: Record<(typeof AWARD_CSV_COLUMNS)[number], string> = {
  portal: 'coalesce(a.reported_by, a.portal)',
  tender_id: 'a.source_id',
  title: 'a.title',
  department: 'a.department',
  office: 'a.office_key',
  category: 'a.category',
  estimate: 'a.estimate::text',
  awarded_value: 'a.awarded_value::text',
  percent_of_estimate: '(a.price / 100.0)::numeric(8, 2)::text',
  bidders: 'a.bidders::text',
  refused_technical: 'a.refused_technical::text',
  not_admitted: 'a.not_admitted::text',
  published_on: 'a.published_on::text',
  closes_on: 'a.closes_on::text',
  contract_on: 'a.contract_on::text',
  known_on: 'a.known_on::text',
  counts_in_statistics: "CASE WHEN a.known_on IS NULL THEN 'no' ELSE 'yes' END",
  reason_if_not: 'a.exclusion',
};

/** Rows of a CSV file as arrays of text, newest first. */
export const groupCsv = (group: GroupFilter): string => `
  SELECT ARRAY[${AWARD_CSV_COLUMNS.map((column) => `coalesce(${CSV_VALUES[column]}, '')`).join(', ')}] AS cells
  FROM award a WHERE ${where(group)} ORDER BY a.known_on DESC NULLS LAST, a.id DESC LIMIT ${MAX_CSV_AWARDS}`;

export const COVERAGE_NOTICES = `
  SELECT statistic, covered, ranges AS of FROM award_coverage WHERE state = $1 ORDER BY statistic`;
