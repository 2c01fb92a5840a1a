/** Statements of the sign-in. SQL: one conditional statement changes a counter or renews a session; some tables have no entity. */
import { batchedDelete } from '../database/delete-in-batches.sql.ts';

export const DELETE_ENDED_RATE_LIMITS = batchedDelete(
  'rate_limit',
  "t.ends_at <= $1 OR t.ends_at > $1::timestamptz + t.per_seconds * interval '1 second' + interval '1 hour'",
);

export const DELETE_OLD_SIGN_IN_FAILURES = batchedDelete(
  'sign_in_failure',
  `t.last_at <= $1::timestamptz - interval '30 days' AND (t.locked_until <= $1
    OR NOT EXISTS (SELECT 1 FROM account WHERE encode(sha256(mobile_no::bytea), 'hex') = t.mobile_hash))`,
);

/** Uses a nonce. No row when it was used before. */
export const USE_NONCE = `
  INSERT INTO used_nonce (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING digest`;

export const DELETE_OLD_NONCES = batchedDelete(
  'used_nonce',
  "t.expires_at <= $1 OR t.expires_at > $1::timestamptz + interval '1 day'",
);

export const DELETE_EXPIRED_BROWSERS = batchedDelete('known_device', 't.expires_at <= $1');

export const DELETE_OLD_SESSIONS = batchedDelete(
  'session',
  "least(t.expires_at, coalesce(t.revoked_at, t.expires_at)) <= $1::timestamptz - interval '30 days'",
);

export const DELETE_OLD_WEBHOOK_EVENTS = batchedDelete(
  'webhook_event',
  "t.received_at <= $1::timestamptz - interval '400 days'",
);

export const DELETE_REPLACED_LINKS = batchedDelete(
  'download_link',
  `t.created_at <= $1::timestamptz - interval '400 days' AND EXISTS (
    SELECT 1 FROM download_link n WHERE n.entitlement_id = t.entitlement_id AND n.nit = t.nit
      AND n.created_at > t.created_at AND (n.fetches > 0 OR t.fetches = 0))`,
);

export const LANGUAGE_OF_EMAIL = 'SELECT language FROM account WHERE lower(email) = lower($1)';
export const MAX_TRIES = 5;

export const CONSUME_TRY = `
  UPDATE email_proof SET tries = tries + 1
  WHERE context = $1 AND email = $2 AND tries < ${MAX_TRIES} AND verified_at IS NULL AND expires_at > $3
    AND created_at <= $4
  RETURNING id, code_hash, tries`;

export const DELETE_PROOFS = 'DELETE FROM email_proof WHERE user_id = $1 OR email = lower($2)';
export const LOCK_ACCOUNT = 'SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE';

export const REVOKE_SURPLUS_SESSIONS = `
  UPDATE session SET revoked_at = $2 WHERE id IN (
    SELECT id FROM session WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2
    ORDER BY id = $3 DESC, created_at DESC OFFSET $4)`;

export const RENEW_SESSION = `
  UPDATE session SET previous_token_id = token_id, token_id = $2, renewed_at = $3, last_used_at = $3,
    expires_at = CASE WHEN remembered THEN least($4::timestamptz, created_at + $5 * interval '1 millisecond')
      ELSE expires_at END
  WHERE id = $1 AND revoked_at IS NULL AND expires_at > $3
    AND (renewed_at IS NULL OR renewed_at <= $3::timestamptz - interval '60 seconds')`;

export const RENEWED_SESSION = `
  SELECT a.username, s.token_id, s.expires_at FROM session s JOIN account a ON a.id = s.user_id
  WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND a.deleted_at IS NULL`;

export const VALID_SESSION = `
  SELECT s.created_at, s.last_used_at, a.language FROM session s JOIN account a ON a.id = s.user_id
  WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $4 AND a.deleted_at IS NULL
    AND s.created_at <= $5 AND s.expires_at <= $5::timestamptz + interval '30 days'
    AND (s.token_id = $3 OR s.previous_token_id = $3 AND s.renewed_at > $4::timestamptz - interval '60 seconds'
    AND s.renewed_at <= $5)`;

export const KNOWN_BROWSER = `
  SELECT 1 FROM known_device d JOIN account a ON a.id = d.user_id
  WHERE d.token_hash = $1 AND a.mobile_no = $2 AND d.expires_at > $3
    AND d.expires_at <= $3::timestamptz + $4 * interval '1 second'`;

export const UPSERT_KNOWN_BROWSER = `
  INSERT INTO known_device (token_hash, user_id, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (token_hash, user_id) DO UPDATE SET expires_at = excluded.expires_at`;

/**
 * Counts a failure and locks the next attempt. The lock lasts:
 * - 1, 2, 4, 8 and 16 seconds after the 5th to the 9th failure within 15 minutes,
 * - 15 minutes after the 10th,
 * - a day after the 20th of a day,
 * - until the password is reset after the 100th in a row.
 * During a lock nothing is counted and no row is returned. A window or lock that begins in the future was written by a
 * wrong clock; it counts as ended.
 */
export const COUNT_FAILURE = `
  INSERT INTO sign_in_failure AS previous
    (mobile_hash, counter, lately, lately_since, daily, daily_since, in_a_row, last_at, locked_until)
  VALUES ($1, $2, 1, $3::timestamptz, 1, $3, 1, $3, $3)
  ON CONFLICT (mobile_hash, counter) DO UPDATE SET
    (lately, lately_since, daily, daily_since, in_a_row, last_at, locked_until) = (
      SELECT lately, CASE WHEN lately = 1 THEN $3 ELSE previous.lately_since END,
        daily, CASE WHEN daily = 1 THEN $3 ELSE previous.daily_since END,
        previous.in_a_row + 1, $3,
        CASE
          WHEN previous.in_a_row + 1 >= 100 THEN 'infinity'
          WHEN daily >= 20 THEN $3 + interval '24 hours'
          WHEN lately >= 10 THEN $3 + interval '15 minutes'
          WHEN lately >= 5 THEN $3 + interval '1 second' * 2 ^ (lately - 5)
          ELSE $3
        END
      FROM (SELECT
        CASE WHEN previous.lately_since <= $3::timestamptz - interval '15 minutes' OR previous.lately_since > $4 THEN 1 ELSE previous.lately + 1 END AS lately,
        CASE WHEN previous.daily_since <= $3::timestamptz - interval '24 hours' OR previous.daily_since > $4 THEN 1 ELSE previous.daily + 1 END AS daily
      ) AS counted
    )
  WHERE previous.locked_until <= $3 OR (previous.last_at > $4 AND previous.locked_until < 'infinity')
  RETURNING greatest(0, ceil(extract(epoch FROM
    least(locked_until, $3::timestamptz + interval '24 hours') - $3::timestamptz)))::int AS seconds`;

export const REMAINING_WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM
    least(locked_until, $3::timestamptz + interval '24 hours') - $3::timestamptz)))::int AS seconds,
    locked_until = 'infinity' AS "isFinal"
  FROM sign_in_failure WHERE mobile_hash = $1 AND counter = $2`;

/** Returns a row during a lock, when COUNT_FAILURE counts nothing. */
export const CURRENT_WAIT = `${REMAINING_WAIT} AND locked_until > $3 AND (last_at <= $4 OR locked_until = 'infinity')`;

export const DELETE_FAILURE_COUNTER = 'DELETE FROM sign_in_failure WHERE mobile_hash = $1 AND counter = $2';
export const DELETE_FAILURE_COUNTERS = 'DELETE FROM sign_in_failure WHERE mobile_hash = $1';

/** The counters of a number; $2 now, $3 the latest plausible instant. A lock of a wrong clock counts as ended. */
export const FAILURE_COUNTERS = `
  SELECT counter, in_a_row AS "failuresInARow", last_at AS "lastAt", locked_until = 'infinity' AS "isFinal",
    CASE WHEN locked_until > $2 AND locked_until < 'infinity' AND last_at <= $3 THEN locked_until END AS "lockedUntil"
  FROM sign_in_failure WHERE mobile_hash = $1 ORDER BY last_at DESC`;
