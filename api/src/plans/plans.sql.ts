/** Statements of the plans. SQL: conflicts decide which transaction was first, and days are counted in Indian time. */

export const RESTORE_TRIAL_ENDS =
  'UPDATE entitlement SET ends_at = own_end_at, own_end_at = NULL, ended_by = NULL WHERE ended_by = $1';

export const PLACED_PLANS = `
  SELECT id, plan_id AS "planId", starts_at AS "startsAt", ends_at AS "endsAt" FROM entitlement
  WHERE kind = 'plan' AND revoked_at IS NULL AND ends_at > $3 AND starts_at < ends_at AND is_test = $4
    AND CASE WHEN $5::uuid IS NOT NULL THEN firm_id = $5 ELSE
      user_id = $1 OR $1::uuid IS NULL AND user_id IS NULL AND lower(email) = lower($2) AND email <> '' END`;

/** A bought plan `e` of the order `o` whose unused days can be credited: no order has ended it, and its money stays. */
const HAS_CREDIT = "e.kind = 'plan' AND e.revoked_at IS NULL AND e.ended_by IS NULL AND o.status = 'SUCCESS'";

/** The bought plans of account $1 that run or wait at $2, the running one first, with what was paid. $3: test plans. */
export const CREDITABLE_PLANS = `
  SELECT e.id, e.plan_id AS "planId", e.starts_at AS "startsAt", e.ends_at AS "endsAt", p.amount_paise AS "paidPaise"
  FROM entitlement e JOIN orders o ON o.id = e.order_id JOIN payment p ON p.order_id = o.id AND p.kind = 'capture'
  WHERE e.user_id = $1 AND e.ends_at > $2 AND e.is_test = $3 AND ${HAS_CREDIT}
    -- Another payment for a firm may end it.
    AND NOT EXISTS (
      SELECT FROM orders other WHERE other.user_id = $1 AND other.status IN ('CREATED', 'PENDING', 'REVIEW')
        AND other.firm_id <> $4 AND other.credits @> jsonb_build_array(jsonb_build_object('entitlementId', e.id::text)))
  ORDER BY e.starts_at, e.id`;

/** Those of the plans $1 of account $2 whose credit is unused. */
export const LOCK_CREDITED_PLANS = `
  SELECT e.id FROM entitlement e JOIN orders o ON o.id = e.order_id
  WHERE e.id = ANY($1::bigint[]) AND e.user_id = $2 AND ${HAS_CREDIT} FOR UPDATE OF e`;

/** Ends the plans $1 at $2, at the latest at their own end, for the order $3. A refund of the order restores them. */
export const END_CREDITED_PLANS = `
  UPDATE entitlement SET own_end_at = ends_at, ended_by = $3, ends_at = least(ends_at, greatest(starts_at, $2))
  WHERE id = ANY($1::bigint[])`;

/** The order of a firm's plan that the plan of order $1 was credited to. */
export const ORDER_OF_CREDIT = `
  SELECT later.public_id FROM entitlement e JOIN orders later ON later.id = e.ended_by AND later.firm_id IS NOT NULL
  WHERE e.order_id = $1`;

export const INSERT_PLAN_NOTICE =
  'INSERT INTO plan_notice VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING stage';

/** No mail is sent about plans that ended longer ago. */
const MAX_ENDED_DAYS = 7;

/** Indian calendar days before the end of a plan. */
const FIRST_NOTICE_DAYS = 14;

/** $1 now, $2 whether test plans count. A plan followed by another one is left out. */
export const ENDING_PLANS = `
  SELECT e.id, e.plan_id, e.firm_id IS NOT NULL AS is_firm, e.ends_at, coalesce(a.email, e.email) AS email,
    coalesce(a.language, o.language, 'en') AS language, e.ends_at <= $1 AS has_ended,
    (e.ends_at AT TIME ZONE 'Asia/Kolkata')::date - ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date AS days
  FROM entitlement e LEFT JOIN account a ON a.id = coalesce(e.user_id, (
      -- The oldest owner of a firm.
      SELECT m.user_id FROM firm_member m JOIN account x ON x.id = m.user_id AND x.deleted_at IS NULL
      WHERE m.firm_id = e.firm_id AND m.role = 'owner' AND m.left_at IS NULL ORDER BY m.joined_at LIMIT 1))
    LEFT JOIN orders o ON o.id = e.order_id
  WHERE e.kind = 'plan' AND e.revoked_at IS NULL AND e.is_test = $2 AND e.starts_at <= $1
    AND (e.ends_at AT TIME ZONE 'Asia/Kolkata')::date - ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date
      BETWEEN -${MAX_ENDED_DAYS} AND ${FIRST_NOTICE_DAYS}
    AND a.deleted_at IS NULL AND coalesce(a.email, e.email) <> '' AND (NOT e.is_gift OR e.user_id IS NOT NULL OR e.firm_id IS NOT NULL)
    AND NOT EXISTS (
      SELECT 1 FROM entitlement n
      WHERE n.kind = 'plan' AND n.revoked_at IS NULL AND n.is_test = $2 AND n.id <> e.id
        AND n.starts_at <= greatest(e.ends_at, $1) AND n.ends_at > greatest(e.ends_at, $1)
        AND (n.user_id = e.user_id OR n.firm_id = e.firm_id OR n.user_id IS NULL AND e.user_id IS NULL AND e.firm_id IS NULL AND n.firm_id IS NULL AND lower(n.email) = lower(e.email)))
  ORDER BY e.id`;

/** $1 plan, $2 its number of states or null, $3 now, $4 an account or null for all. Chosen states are kept up to the plan's number. */
export const GRANT_FREE_PLANS = `
  INSERT INTO entitlement (kind, user_id, email, plan_id, states, starts_at, ends_at, is_test, created_at)
  SELECT 'plan', a.id, a.email, $1, array_remove(ARRAY[a.state], ''), $3, '9999-01-01', false, $3 FROM account a
  WHERE a.deleted_at IS NULL AND ($4::uuid IS NULL OR a.id = $4)
    AND NOT EXISTS (
      SELECT 1 FROM entitlement e WHERE e.user_id = a.id AND e.kind = 'plan' AND e.order_id IS NULL
        AND NOT e.is_gift AND e.revoked_at IS NULL AND e.plan_id = $1)
  ON CONFLICT (user_id) WHERE kind = 'plan' AND order_id IS NULL AND NOT is_gift DO UPDATE
    SET plan_id = excluded.plan_id, revoked_at = NULL, states = entitlement.states[1:coalesce($2::int, 36)]`;

export const END_FREE_PLANS = `
  UPDATE entitlement SET revoked_at = $1
  WHERE kind = 'plan' AND order_id IS NULL AND NOT is_gift AND revoked_at IS NULL`;

export const DOWNLOADS_OF_MONTH = 'SELECT count(*)::int AS used FROM download WHERE user_id = $1 AND month = $2';

export const INSERT_TAKEN_TRIALS = `
  INSERT INTO trial_taken SELECT key, $2 FROM unnest($1::text[]) key ORDER BY key
  ON CONFLICT DO NOTHING RETURNING key_sha256`;

/** Firms whose plan counts for the user, in a query with the parameter `userId`. */
export const FIRMS_OF_USER = 'SELECT firm_id FROM firm_member WHERE user_id = :userId AND left_at IS NULL';
export const FIRM_NAME = 'SELECT name FROM firm WHERE id = $1';
