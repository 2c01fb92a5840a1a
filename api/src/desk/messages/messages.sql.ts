/** Statements of the desk's messages. SQL: one statement each for a list over threads, accounts and messages, and a conditional lease. */

import { PLAN_IDS, PLANS } from '@nivida/contract/orders/plans';

/** The smallest plan with the feature, and the larger ones, which include it. */
const WITH_PRIORITY = PLAN_IDS.slice(PLAN_IDS.findIndex((plan) => PLANS[plan].features.includes('prioritySupport')))
  .map((plan) => `'${plan}'`)
  .join(', ');

/** A thread with its account as the list shows it. */
const LISTED_THREAD = `
  SELECT t.id, t.subject, t.state, coalesce(nullif(t.name, ''), a.username, '') AS name, t.user_id IS NULL AS "isVisitor",
    t.waiting_since AS "waitingSince", t.updated_at AS "updatedAt", t.order_id AS "orderId",
    t.tender_id::text AS "tenderId",
    t.state = 'waiting' AND EXISTS (SELECT FROM entitlement e WHERE e.user_id = t.user_id AND e.kind = 'plan'
      AND e.plan_id IN (${WITH_PRIORITY}) AND e.revoked_at IS NULL AND e.starts_at <= $1 AND e.ends_at > $1) AS "hasPriority",
    (SELECT left(m.text, 200) FROM message m WHERE m.thread_id = t.id ORDER BY m.position DESC LIMIT 1) AS excerpt,
    CASE WHEN t.answering_until > $1 THEN (SELECT username FROM account w WHERE w.id = t.answering_by) END AS "answeringBy"
  FROM thread t LEFT JOIN account a ON a.id = t.user_id`;

/** A page: $2 state or null, $3 search or '', $4 its LIKE pattern, $5 its mobile number, $6 limit, $7 offset. */
export const LISTED_THREADS = `${LISTED_THREAD}
  WHERE ($2::text IS NULL OR t.state = $2) AND ($3 = '' OR t.subject ILIKE $4 OR t.name ILIKE $4 OR a.username ILIKE $4
    OR t.order_id = $3 OR t.user_id::text = lower($3) OR lower(t.email) = lower($3) OR lower(a.email) = lower($3)
    OR t.phone = $5 OR a.mobile_no = '+91' || $5
    OR EXISTS (SELECT FROM message m WHERE m.thread_id = t.id AND m.text ILIKE $4))
  ORDER BY "hasPriority" DESC, t.waiting_since, t.updated_at DESC, t.id LIMIT $6 OFFSET $7`;

export const LISTED_THREAD_BY_ID = `${LISTED_THREAD} WHERE t.id = $2`;

export const THREAD_COUNTS = `
  SELECT count(*) FILTER (WHERE state = 'waiting')::int AS waiting, count(*) FILTER (WHERE state = 'answered')::int AS answered,
    count(*) FILTER (WHERE state = 'closed')::int AS closed FROM thread`;

export const WAITING_THREADS = `
  SELECT count(*)::int AS count, min(waiting_since) AS oldest FROM thread WHERE state = 'waiting'`;

export const STAFF_OF_MESSAGES = `
  SELECT m.id, a.username AS name FROM message m JOIN account a ON a.id = m.staff_id WHERE m.thread_id = $1`;

/** Takes or renews the lease of member $2 until $3, unless another one has it at $4. */
export const TAKE_LEASE = `
  UPDATE thread SET answering_by = $2, answering_until = $3
  WHERE id = $1 AND (answering_by IS NULL OR answering_by = $2 OR answering_until <= $4)`;

export const END_LEASE =
  'UPDATE thread SET answering_by = NULL, answering_until = NULL WHERE id = $1 AND answering_by = $2';

export const LEASE_OWNER = `
  SELECT a.username AS name FROM thread t JOIN account a ON a.id = t.answering_by
  WHERE t.id = $1 AND t.answering_by <> $2 AND t.answering_until > $3`;
