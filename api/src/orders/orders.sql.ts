/** Statements of the orders. SQL: conditional updates claim a row in one step, and conditions join tables without an entity. */

export const CLAIM_ORDERS = 'UPDATE orders SET user_id = $1 WHERE user_id IS NULL AND lower(buyer_email) = lower($2)';

export const ERASE_BUYERS_OF_ORDERS = `
  UPDATE orders SET user_id = NULL, buyer_email = '', buyer_mobile = '', buyer_firm = '', buyer_address = ''
  WHERE user_id = ANY($1)`;

export const ERASE_OWNERS_OF_ENTITLEMENTS = "UPDATE entitlement SET user_id = NULL, email = '' WHERE user_id = ANY($1)";

export const RECLAIM_ATTEMPT = `
  UPDATE attempt SET claimed_at = $2
  WHERE ref = $1 AND url IS NULL AND (claimed_at IS NULL OR claimed_at <= $3 OR claimed_at > $4)
    AND NOT EXISTS (SELECT FROM attempt later WHERE later.order_id = attempt.order_id AND later.created_at > attempt.created_at)`;

export const START_PAYMENT = `
  UPDATE orders SET status = 'PENDING', failure = NULL, expires_at = $2, next_check_at = $3, checks = 0, updated_at = $4
  WHERE id = $1 AND status = ANY ($5)`;

export const PACKAGE_KIND_OF_TENDER = 'SELECT package_kind FROM tender WHERE id = $1';

export const FOUND_ORDER_CONDITION = `(listed.publicId = :find OR lower(listed.buyerEmail) = lower(:find) OR listed.buyerMobile = :mobile
  OR EXISTS (SELECT 1 FROM payment p WHERE p.order_id = listed.id AND lower(p.provider_payment_id) = lower(:find))
  OR EXISTS (SELECT 1 FROM attempt a WHERE a.order_id = listed.id AND a.ref = :find)
  OR EXISTS (SELECT 1 FROM refund r WHERE r.order_id = listed.id AND r.ref = :find)
  OR EXISTS (SELECT 1 FROM invoice i WHERE i.order_id = listed.id AND i.number = upper(:find)))`;

export const INVOICE_NUMBERS_OF_ORDER =
  'SELECT kind, number, issued_at AS "issuedAt" FROM invoice WHERE order_id = $1 ORDER BY issued_at';

export const INVOICE_NUMBERS_OF_ORDERS = `
  SELECT order_id, number, kind = 'credit_note' AS is_credit FROM invoice
  WHERE order_id = ANY($1)`;

export const EXPORTED_PAYMENTS = `
  SELECT o.public_id AS "orderId", p.provider_payment_id AS "paymentId", p.amount_paise AS "amountPaise", p.currency,
    p.method, to_json(p.noticed_at)#>>'{}' AS at
  FROM payment p JOIN orders o ON o.id = p.order_id WHERE o.user_id = $1 ORDER BY p.noticed_at`;

export const EXPORTED_REFUNDS = `
  SELECT o.public_id AS "orderId", r.amount_paise AS "amountPaise", r.reason, r.state, to_json(r.created_at)#>>'{}' AS at
  FROM refund r JOIN orders o ON o.id = r.order_id WHERE o.user_id = $1 ORDER BY r.created_at`;

export const EXPORTED_INVOICES = `
  SELECT o.public_id AS "orderId", i.kind, i.number, to_json(i.issued_at)#>>'{}' AS "issuedAt",
    (i.content->>'totalPaise')::int AS "totalPaise"
  FROM invoice i JOIN orders o ON o.id = i.order_id WHERE o.user_id = $1 ORDER BY i.issued_at`;

export const EARLIER_PURCHASE_BY_EMAIL = `
  SELECT FROM orders o JOIN entitlement e ON e.order_id = o.id
  WHERE lower(o.buyer_email) = lower($1) AND e.kind = 'documents' AND e.nit = $2 AND e.revoked_at IS NULL
    AND e.is_test = $3 LIMIT 1`;

export const RECENT_ORDERS_OF_BUYER = `
  SELECT count(*)::int AS count, min(created_at) AS first FROM orders
  WHERE created_at > $3 AND created_at <= $4 AND (user_id = $1 OR $1::uuid IS NULL AND user_id IS NULL AND lower(buyer_email) = lower($2))`;

export const OWNED_ORDER = `
  SELECT o.public_id FROM entitlement e JOIN orders o ON o.id = e.order_id
  WHERE e.user_id = $1 AND e.kind = 'documents' AND e.nit = $2 AND e.revoked_at IS NULL AND e.is_test = $3
  ORDER BY e.id DESC LIMIT 1`;

/**
 * $1 account, or null to compare the e-mail $2 of orders that no account has claimed; $3 NIT; $4 whether it is a test;
 * $5 only orders that were paid after this instant, or null.
 */
export const PAID_ORDER_OF_DOCUMENTS = `
  SELECT o.public_id FROM entitlement e JOIN orders o ON o.id = e.order_id
  WHERE (e.user_id = $1 OR $1::uuid IS NULL AND e.user_id IS NULL AND lower(e.email) = lower($2))
    AND e.kind = 'documents' AND e.nit = $3 AND e.revoked_at IS NULL AND e.is_test = $4
    AND o.status = 'SUCCESS' AND ($5::timestamptz IS NULL OR o.paid_at > $5)
  ORDER BY e.id LIMIT 1`;

export const SAME_AUDIT_EVENT = 'SELECT 1 FROM audit WHERE subject = $1 AND action = $2 AND detail = $3';

/** Condition for orders of a configured provider, with `PaymentGateways.parameters`; `order` is the alias. */
export const configuredOrderCondition = (order: string): string => isConfigured(`${order}.provider`, `${order}.live`);

/** Condition for refunds at a configured provider. */
export const CONFIGURED_REFUND_CONDITION = `
  EXISTS (SELECT FROM orders o WHERE o.id = refund.orderId AND ${isConfigured('refund.provider', 'o.live')})`;

function isConfigured(provider: string, live: string): string {
  return `(${provider}, ${live}) IN (SELECT * FROM unnest(CAST(:providers AS text[]), CAST(:liveFlags AS boolean[])))`;
}

export const DUE_CHECK_CONDITION =
  '(waiting.nextCheckAt <= :now OR waiting.id IN (SELECT order_id FROM refund WHERE next_check_at <= :now))';

/**
 * $1: the order. $2: a day ago. `unpaid`: number of the buyer's other orders that ended unpaid since $2. `is_known`: the
 * buyer has paid for the same documents or plan, has an open order for them, or got a mail about an earlier attempt.
 */
export const OTHER_ORDERS_OF_BUYER = `
  SELECT count(*) FILTER (WHERE other.status IN ('FAILED', 'EXPIRED') AND other.updated_at > $2)::int AS unpaid,
    coalesce(bool_or((other.nit, other.plan_id, other.live) IS NOT DISTINCT FROM (ended.nit, ended.plan_id, ended.live)
      AND (other.status IN ('PENDING', 'REVIEW')
        OR other.status = 'SUCCESS' AND (ended.nit IS NOT NULL OR other.paid_at > ended.created_at)
        OR other.status IN ('FAILED', 'EXPIRED') AND other.updated_at > $2 AND other.updated_at <= ended.created_at)), false) AS is_known
  FROM orders ended JOIN orders other ON other.id <> ended.id
    AND (lower(other.buyer_email) = lower(ended.buyer_email) OR other.user_id = ended.user_id)
  WHERE ended.id = $1`;

export const ACTIVE_ACCOUNT_BY_EMAIL = 'SELECT id FROM account WHERE lower(email) = lower($1) AND deleted_at IS NULL';
export const CREDIT_NOTE_NUMBER = "SELECT number FROM invoice WHERE order_id = $1 AND kind = 'credit_note'";

export const CLAIM_CHECK = `
  UPDATE orders SET last_checked_at = $2
  WHERE id = $1 AND status IN ('CREATED', 'PENDING') AND (last_checked_at IS NULL OR last_checked_at <= $3 OR last_checked_at > $4)`;

/** $4 our reference of the attempt, or null; $7 the provider's of one that is paid, or null: an attempt may fail first. */
export const INSERT_WEBHOOK_EVENT = `
  INSERT INTO webhook_event (provider, event_id, body_sha256, attempt_ref, refund_ref, received_at)
  VALUES ($1, $2, $3, coalesce($4, (SELECT ref FROM attempt WHERE provider_ref = $7 AND provider = $1 LIMIT 1)), $5, $6)
  ON CONFLICT DO NOTHING RETURNING event_id`;

export const IS_SAME_WEBHOOK_BODY =
  'SELECT body_sha256 = $3 AS same FROM webhook_event WHERE provider = $1 AND event_id = $2';

/** $1 our reference of the attempt, or null; $2 now; $3 provider; $4 the provider's reference, or null. */
export const MAKE_ORDER_DUE = `
  UPDATE orders SET next_check_at = $2
  WHERE id IN (SELECT order_id FROM attempt WHERE (ref = $1 OR provider_ref = $4) AND provider = $3) RETURNING id`;

export const FIRST_WEBHOOK_OF_ATTEMPT = 'SELECT min(received_at) AS at FROM webhook_event WHERE attempt_ref = $1';
