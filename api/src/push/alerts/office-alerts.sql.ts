/** Statements of the alerts about followed offices. SQL: each reads or stores the notices of a whole batch. */
import { openForBidsCondition } from '../../tenders/tender.entity.ts';
import { insertNoticesStatement, MATCH_SEND_TIME, RESULT_SEND_TIME } from '../notices/notice-fan-out.sql.ts';
import { activePlans } from './alerts.sql.ts';

/** Maximum new tenders and results per transaction. */
export const OFFICE_BATCH_SIZE = 500;

/** Results of tenders that closed earlier give no notice. A first import of awards has thousands of them. */
const MAX_RESULT_AGE = '1 year';

export const READ_CURSOR = 'SELECT (value #>> $2)::bigint::float8 AS after FROM setting WHERE key = $1';

/** New tenders and results of the states with a followed office. */
export const OFFICE_CHANGES = `
  SELECT h.change_no::float8 AS "changeNo", h.tender_id AS "tenderId", h.version, least(h.at, $3) AS at,
    h.kind <> 'published' AS "isResult", t.state, t.organisation_chain AS "organisationChain", t.pincode
  FROM tender_history h JOIN tender t ON t.id = h.tender_id
  WHERE h.change_no > $1 AND h.change_no <= $2 AND t.change_no IS NOT NULL
    AND (h.kind = 'published' OR (h.kind = 'changed' AND h.changes @> '[{"field": "stage", "new": "awarded"}]'))
    AND t.state IN (SELECT office->>'state' FROM followed_office)
  ORDER BY h.change_no LIMIT ${OFFICE_BATCH_SIZE}`;

const detail = (fields: string) =>
  `jsonb_build_object('fields', '${fields}'::jsonb, 'officeId', f.office_id, 'officeName',
    CASE WHEN f.office->>'kind' = 'pin' THEN concat_ws(', ', f.office->>'department', f.office->>'name')
    ELSE f.office->>'name' END)`;

/** The users who followed the office before the change, with a plan or trial for the tender's state. */
const OFFICE_FOLLOWERS = `
  JOIN followed_office f ON f.office_id = c.office_id AND f.created_at <= c.at
  JOIN account u ON u.id = f.user_id AND u.deleted_at IS NULL
  JOIN tender t ON t.id = c.tender_id
  WHERE EXISTS (SELECT 1 FROM (${activePlans('f.user_id', '$5')}) e WHERE e."isAll" OR t.state = ANY (e.states))`;

/** Stores one notice per user for all works of an NIT. A tender that a saved search has already found is left out. */
export const INSERT_OFFICE_TENDER_NOTICES = insertNoticesStatement(
  `
  SELECT DISTINCT ON (f.user_id, coalesce(t.nit_key, t.id::text)) f.user_id, NULL::uuid AS subscription_id,
    f.user_id AS recipient, t.id AS tender_id, 'office' AS kind, 0 AS version, 'due' AS state, t.nit_key AS nit,
    (count(*) OVER (PARTITION BY f.user_id, coalesce(t.nit_key, t.id::text)))::int AS works, ${detail('[]')} AS detail,
    '{}'::uuid[] AS search_ids, c.digest_at
  FROM unnest($1::int[], $3::text[], $4::timestamptz[], $6::timestamptz[]) c(tender_id, office_id, at, digest_at)
  ${OFFICE_FOLLOWERS} AND ${openForBidsCondition('t', '$2')} AND NOT EXISTS (
    SELECT 1 FROM notice o WHERE o.recipient = f.user_id AND o.kind = 'match' AND (o.tender_id = t.id OR o.nit = t.nit_key))
    AND NOT EXISTS (SELECT 1 FROM notice o WHERE o.recipient = f.user_id AND o.kind = 'office' AND o.nit = t.nit_key)
  ORDER BY f.user_id, coalesce(t.nit_key, t.id::text), length(t.source_id), t.source_id`,
  MATCH_SEND_TIME,
);

/** Stores notices of results. Bookmarked tenders are left out, because the bookmark has its own notice. */
export const INSERT_OFFICE_RESULT_NOTICES = insertNoticesStatement(
  `
  SELECT f.user_id, NULL::uuid AS subscription_id, f.user_id AS recipient, t.id AS tender_id, 'office' AS kind,
    c.version, 'due' AS state, NULL::text AS nit, 1 AS works, ${detail('["result"]')} AS detail,
    '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM unnest($1::int[], $3::text[], $4::timestamptz[], $6::int[]) c(tender_id, office_id, at, version)
  ${OFFICE_FOLLOWERS} AND t.closes_at <= $2 AND t.closes_at > $2::timestamptz - interval '${MAX_RESULT_AGE}'
    AND NOT EXISTS (SELECT 1 FROM bookmark b WHERE b.user_id = f.user_id AND b.tender_id = t.id)`,
  RESULT_SEND_TIME,
);
