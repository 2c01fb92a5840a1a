/** Statements of the alerts. SQL: each finds or stores the notices of a whole batch. */

import { openForBidsCondition } from '../../tenders/tender.entity.ts';
import {
  CHANGE_SEND_TIME,
  FOLLOWERS,
  insertNoticesStatement,
  kindList,
  MATCH_SEND_TIME,
  RESULT_SEND_TIME,
  wantsKindCondition,
} from '../notices/notice-fan-out.sql.ts';
import { EARLY_KINDS, LAST_DAY_KINDS } from './reminders.ts';

/** Changes with a corrigendum, cancellations and retenders. */
export const NOTIFIABLE_CHANGES = `
  SELECT h.tender_id, h.version, h.changes, h.at, t.closes_at FROM tender_history h JOIN tender t ON t.id = h.tender_id
  WHERE h.kind = 'changed' AND h.change_no > $1 AND h.change_no <= $2 AND t.closes_at > $3 AND t.published_at <= $3
    AND (EXISTS (SELECT 1 FROM corrigendum c WHERE c.tender_id = h.tender_id AND c.noticed_at = h.at)
      OR h.changes @> '[{"field": "stage", "new": "cancelled"}]' OR h.changes @> '[{"field": "stage", "new": "retendered"}]')
    AND (EXISTS (SELECT 1 FROM bookmark b WHERE b.tender_id = h.tender_id)
      OR EXISTS (SELECT 1 FROM push_watch w WHERE w.tender_id = h.tender_id))
  ORDER BY h.change_no`;

export const INSERT_CHANGE_NOTICES = insertNoticesStatement(
  `
  SELECT f.user_id, f.subscription_id, f.recipient, c.tender_id, 'changed' AS kind, c.version, 'due' AS state,
    NULL::text AS nit, 1 AS works, c.detail::jsonb AS detail, '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM unnest($1::int[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::text[])
    c(tender_id, version, since, after, detail)
  JOIN (${FOLLOWERS}) f ON f.tender_id = c.tender_id
  -- A user who bookmarks the tender after a change has seen the change.
  WHERE f.since <= c.since AND (c.after IS NULL OR f.since > c.after)`,
  CHANGE_SEND_TIME,
);

/** Closed tenders whose award became known, with a follower. */
export const AWARDED_CHANGES = `
  SELECT h.tender_id AS "tenderId", max(h.version)::int AS version, max(h.at) AS at
  FROM tender_history h JOIN tender t ON t.id = h.tender_id
  WHERE h.kind = 'changed' AND h.change_no > $1 AND h.change_no <= $2 AND t.closes_at <= $3 AND t.change_no IS NOT NULL
    AND h.changes @> '[{"field": "stage", "new": "awarded"}]'
    AND (EXISTS (SELECT 1 FROM bookmark b WHERE b.tender_id = h.tender_id)
      OR EXISTS (SELECT 1 FROM push_watch w WHERE w.tender_id = h.tender_id))
  GROUP BY h.tender_id`;

/** The detail of a notice about a result. */
const RESULT_DETAIL = `'{"fields": ["result"]}'::jsonb`;

export const INSERT_RESULT_NOTICES = insertNoticesStatement(
  `
  SELECT f.user_id, f.subscription_id, f.recipient, c.tender_id, 'changed' AS kind, c.version, 'due' AS state,
    NULL::text AS nit, 1 AS works, ${RESULT_DETAIL} AS detail, '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM unnest($1::int[], $3::int[], $4::timestamptz[]) c(tender_id, version, at)
  JOIN (${FOLLOWERS}) f ON f.tender_id = c.tender_id
  WHERE f.since <= c.at`,
  RESULT_SEND_TIME,
);

/** Version of these notices. It is neither the version of a tender nor that of a notice about requested documents. */
const DIFFERENCE_VERSION = -2;

/** Followers of the tenders $1, once for each tender. */
export const INSERT_DIFFERENCE_NOTICES = insertNoticesStatement(
  `
  SELECT f.user_id, f.subscription_id, f.recipient, f.tender_id, 'changed' AS kind, ${DIFFERENCE_VERSION} AS version,
    'due' AS state, NULL::text AS nit, 1 AS works, '{"fields": ["values"]}'::jsonb AS detail,
    '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM (${FOLLOWERS}) f`,
  CHANGE_SEND_TIME,
);

export const STORE_CURSOR = 'UPDATE setting SET value = to_jsonb($2::bigint) WHERE key = $1';
export const LOCK_CURSOR = 'SELECT (value #>> $2)::bigint::float8 AS after FROM setting WHERE key = $1 FOR UPDATE';

export const NEWEST_CHANGE_NO =
  'SELECT coalesce(max(change_no), 0)::float8 AS up_to FROM tender_history WHERE change_no > $1';

/** Followed tenders for which a reminder may be due. Early kinds are included only if some device wants them. */
export const CLOSING_TENDERS = `
  SELECT t.id, t.closes_at, t.closing_time_known, closing_version(t.id) AS version FROM tender t
  WHERE ${openForBidsCondition('t', '$1')} AND t.closes_at <= $3 AND t.published_at <= $1
    AND (t.closes_at < $2 OR EXISTS (
      SELECT 1 FROM push_subscription s WHERE ${EARLY_KINDS.map((kind) => wantsKindCondition('s', `'${kind}'`)).join(' OR ')}))
    AND (EXISTS (SELECT 1 FROM bookmark b WHERE b.tender_id = t.id)
      OR EXISTS (SELECT 1 FROM push_watch w WHERE w.tender_id = t.id))`;

/** The reminders among $1 (tenders) and $3 (kinds) that some device must get before its quiet hours, because they would come too late after them. */
export const DELAYED_REMINDERS = `
  SELECT DISTINCT asked.tender_id AS id, asked.kind, asked.version, asked.due_at AS "dueAt"
  FROM unnest($1::int[], $3::text[], $4::int[], $5::timestamptz[]) asked(tender_id, kind, version, due_at)
  JOIN tender t ON t.id = asked.tender_id
  CROSS JOIN (
    SELECT DISTINCT jsonb_build_object('quiet', preferences->'quiet', 'zone', preferences->'zone') AS hours
    FROM push_subscription WHERE preferences->>'quiet' IS NOT NULL) q
  WHERE push_send_at(asked.due_at, $2, t.closes_at, q.hours) <= $2`;

const REMINDER_SEND_TIME = {
  join: `JOIN tender t ON t.id = a.tender_id
    JOIN unnest($1::int[], $3::text[], $6::timestamptz[]) asked(tender_id, kind, due_at)
      ON asked.tender_id = a.tender_id AND asked.kind = a.kind`,
  sendAt: 'push_send_at(asked.due_at, $2, t.closes_at, s.preferences)',
};

export const INSERT_REMINDERS = insertNoticesStatement(
  `
  SELECT f.user_id, f.subscription_id, f.recipient, asked.tender_id, asked.kind, asked.version, asked.state,
    NULL::text AS nit, 1 AS works, NULL::jsonb AS detail, '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at,
    asked.event_at
  FROM unnest($1::int[], $3::text[], $4::int[], $5::text[], $6::timestamptz[], $7::timestamptz[])
    asked(tender_id, kind, version, state, due_at, event_at)
  JOIN (${FOLLOWERS}) f ON f.tender_id = asked.tender_id
  JOIN tender t ON t.id = asked.tender_id
  WHERE CASE
    WHEN asked.due_at > $2 THEN EXISTS (
      SELECT 1 FROM push_subscription s
      WHERE s.recipient = f.recipient AND (s.preferences->>'isOn')::boolean
        AND ${wantsKindCondition('s', 'asked.kind')}
        AND push_send_at(asked.due_at, $2, t.closes_at, s.preferences) <= $2)
    WHEN asked.kind IN (${kindList(LAST_DAY_KINDS)}) THEN true
    ELSE EXISTS (
      SELECT 1 FROM push_subscription s
      WHERE s.recipient = f.recipient AND ${wantsKindCondition('s', 'asked.kind')}) END`,
  REMINDER_SEND_TIME,
  'n.event_at',
);

/** Maximum new tenders per transaction. */
export const PUBLISHED_BATCH_SIZE = 500;

export const PUBLISHED_CHANGES = `
  SELECT tender_id AS id, change_no::float8, least(at, $3) AS at FROM tender_history
  WHERE kind = 'published' AND change_no > $1 AND change_no <= $2 ORDER BY change_no LIMIT ${PUBLISHED_BATCH_SIZE}`;

/** The user's present plan or trial, and the plans of the user's firms, for all India or for its states. */
export const activePlans = (userId: string, live: string) => `
  SELECT e.plan_id = 'enterprise' AS "isAll", e.states FROM entitlement e
  WHERE e.user_id = ${userId} AND e.kind IN ('plan', 'trial') AND e.revoked_at IS NULL
    AND e.starts_at <= $2 AND e.ends_at > $2 AND NOT (${live}::boolean AND e.is_test)
  UNION ALL
  SELECT true, e.states FROM firm_member m JOIN entitlement e ON e.firm_id = m.firm_id
  WHERE m.user_id = ${userId} AND m.left_at IS NULL AND e.kind = 'plan' AND e.revoked_at IS NULL
    AND e.starts_at <= $2 AND e.ends_at > $2 AND NOT (${live}::boolean AND e.is_test)`;

/**
 * Saved searches under one of the probes $1, of users with a plan or trial. OFFSET 0 forces an index lookup per row.
 * Otherwise the planner would read all searches.
 */
export const FIND_SEARCHES = `
  SELECT q.probe, s.id, s.user_id AS "userId", s.filter, s.created_at AS "createdAt" FROM unnest($1::text[]) q(probe)
  CROSS JOIN LATERAL (SELECT search_id FROM search_probe p WHERE p.probe = q.probe OFFSET 0) p
  CROSS JOIN LATERAL (SELECT * FROM saved_search s WHERE s.id = p.search_id OFFSET 0) s
  CROSS JOIN LATERAL (SELECT deleted_at FROM account a WHERE a.id = s.user_id OFFSET 0) a
  WHERE a.deleted_at IS NULL AND EXISTS (${activePlans('s.user_id', '$3')} OFFSET 0)
  ORDER BY s.search_no`;

/** Stores one notice per user for all works of an NIT. */
export const INSERT_MATCH_NOTICES = insertNoticesStatement(
  `
  SELECT DISTINCT ON (h.user_id, coalesce(t.nit_key, t.id::text)) h.user_id, NULL::uuid AS subscription_id,
    h.user_id AS recipient, h.tender_id, 'match' AS kind, 0 AS version, 'due' AS state, t.nit_key AS nit,
    (count(*) OVER (PARTITION BY h.user_id, coalesce(t.nit_key, t.id::text)))::int AS works, NULL::jsonb AS detail,
    string_to_array(h.search_ids, ',')::uuid[] AS search_ids, h.digest_at
  FROM unnest($1::int[], $3::uuid[], $4::text[], $5::timestamptz[]) h(tender_id, user_id, search_ids, digest_at)
  JOIN tender t ON t.id = h.tender_id
  WHERE EXISTS (SELECT 1 FROM (${activePlans('h.user_id', '$6')}) e WHERE e."isAll" OR t.state = ANY (e.states))
    AND NOT EXISTS (SELECT 1 FROM notice o WHERE o.recipient = h.user_id AND o.kind = 'match' AND o.nit = t.nit_key)
  ORDER BY h.user_id, coalesce(t.nit_key, t.id::text), length(t.source_id), t.source_id`,
  MATCH_SEND_TIME,
);

/** Without tenders that were hidden after they were published. */
export const OPEN_TENDERS = `
  SELECT id, state, district, second_district AS "secondDistrict", department, category, price::float8, emd::float8,
    emd_exemption_allowed AS "emdExemptionAllowed", published_at AS "publishedAt", closes_at AS "closesAt",
    tsvector_to_array(words) AS words, tsvector_to_array(ts_filter(words, '{a,b}')) AS "textWords"
  FROM tender t WHERE id = ANY($1) AND change_no IS NOT NULL AND ${openForBidsCondition('t', '$2')}`;

export const SEARCHES_WITHOUT_PROBES =
  'SELECT id, filter FROM saved_search s WHERE NOT EXISTS (SELECT 1 FROM search_probe p WHERE p.search_id = s.id)';

export const INSERT_SEARCH_PROBES =
  'INSERT INTO search_probe SELECT probe, id FROM unnest($1::text[], $2::uuid[]) f(probe, id) ON CONFLICT DO NOTHING';

export const COMMON_TERMS = `
  SELECT unnest(most_common_elems::text::text[]) AS term, unnest(most_common_elem_freqs) AS share FROM pg_stats
  WHERE schemaname = 'public' AND tablename = 'tender' AND attname = 'words'`;

/** Notifies the account $1 of the answer in $3. A later call for the same message stores nothing. */
export const INSERT_ANSWER_NOTICE = insertNoticesStatement(
  `
  SELECT a.id AS user_id, NULL::uuid AS subscription_id, a.id AS recipient, NULL::int AS tender_id, 'answer' AS kind,
    0 AS version, 'due' AS state, NULL::text AS nit, 1 AS works, $3::jsonb AS detail, '{}'::uuid[] AS search_ids,
    NULL::timestamptz AS digest_at
  FROM account a WHERE a.id = $1 AND a.deleted_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM notice o
    WHERE o.recipient = a.id AND o.kind = 'answer' AND o.detail->>'messageId' = $3::jsonb->>'messageId')`,
  RESULT_SEND_TIME,
);

/** The rows $3 of checklists of the firm $1, for their assignees. $4: the last day on which a push is useful. */
export const INSERT_ASSIGNMENT_NOTICES = insertNoticesStatement(
  `
  SELECT a.id AS user_id, NULL::uuid AS subscription_id, a.id AS recipient, NULL::int AS tender_id, 'assigned' AS kind,
    0 AS version, 'due' AS state, NULL::text AS nit, 1 AS works,
    jsonb_build_object('firmId', f.id, 'firm', f.name, 'rowId', r.id, 'number', r.number,
      'row', coalesce(r.fields->>'text', r.fields->>'kind', ''), 'bidId', r.fields->>'bidId',
      'tenderId', r.fields->>'tenderId', 'title', coalesce(t.title, b.fields->>'title', ''), 'validUntil', $4::text) AS detail,
    '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at
  FROM bid_record r JOIN firm f ON f.id = r.owner_id
  JOIN firm_member m ON m.firm_id = f.id AND m.left_at IS NULL AND m.user_id::text = lower(r.fields->>'assigneeId')
  JOIN account a ON a.id = m.user_id AND a.deleted_at IS NULL
  LEFT JOIN bid_record b ON b.owner_id = f.id AND b.kind = 'bid' AND b.id::text = lower(r.fields->>'bidId')
  LEFT JOIN tender t ON t.id = CASE WHEN r.fields->>'tenderId' ~ '^[0-9]{1,9}$' THEN (r.fields->>'tenderId')::int END
  WHERE r.owner_id = $1 AND r.id = ANY($3::uuid[]) AND NOT EXISTS (
    SELECT 1 FROM notice o WHERE o.recipient = a.id AND o.kind = 'assigned'
      AND o.detail->>'rowId' = r.id::text AND o.detail->>'number' = r.number::text)`,
  RESULT_SEND_TIME,
);

/** $1: last days of validity. $3: for each, the warning in days. */
export const INSERT_EXPIRY_NOTICES = insertNoticesStatement(
  `
  SELECT a.id AS user_id, NULL::uuid AS subscription_id, a.id AS recipient, NULL::int AS tender_id, 'expiry' AS kind,
    d.warning AS version, 'due' AS state, NULL::text AS nit, 1 AS works,
    jsonb_build_object('documentId', r.id, 'documentKind', r.fields->>'kind', 'title', r.fields->>'title',
      'validUntil', d.valid_until) || CASE WHEN m.firm_id IS NULL THEN '{}' ELSE jsonb_build_object('firmId', m.firm_id) END
      AS detail,
    '{}'::uuid[] AS search_ids, NULL::timestamptz AS digest_at,
    (d.valid_until::date - d.warning)::timestamp AT TIME ZONE 'Asia/Kolkata' AS event_at
  FROM unnest($1::text[], $3::int[]) d(valid_until, warning)
  JOIN bid_record r ON r.kind = 'bidDocument' AND NOT r.is_deleted AND r.fields->>'validUntil' = d.valid_until
  -- A document of a firm concerns each of its members.
  LEFT JOIN firm_member m ON m.firm_id = r.owner_id AND m.left_at IS NULL
  JOIN account a ON a.id = coalesce(m.user_id, r.owner_id) AND a.deleted_at IS NULL`,
  RESULT_SEND_TIME,
  'n.event_at',
);
