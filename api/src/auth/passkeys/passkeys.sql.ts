/** Statements of passkeys. SQL: one conditional statement consumes a challenge, a try, a code or a step of the counter. */
import { batchedDelete } from '../../database/delete-in-batches.sql.ts';

export const STORE_CHALLENGE = `
  INSERT INTO passkey_challenge (digest, purpose, user_id, session_id, expires_at) VALUES ($1, $2, $3, $4, $5)`;

/** An end far in the future was written by a wrong clock and counts as passed. */
export const CONSUME_CHALLENGE = `
  DELETE FROM passkey_challenge WHERE digest = $1 AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3::uuid
    AND session_id IS NOT DISTINCT FROM $4::uuid AND expires_at > $5 AND expires_at <= $6
  RETURNING purpose`;

/** Stores a use. No row when the counter went back or stood still: another device may have a copy of the key. */
export const NOTE_PASSKEY_USE = `
  UPDATE passkey SET counter = $2, backed_up = $3, device_type = $4, last_used_at = $5
  WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`;

/** Ends what a removed passkey has opened. */
export const FORGET_SHOWN_PASSKEY = `
  UPDATE session SET passkey_at = NULL, passkey_id = NULL, is_passkey_here = false WHERE passkey_id = $1`;

/** State of the second factor of an account, and of the session that asks. */
export const PASSKEY_STATE = `
  SELECT a.second_factor AS "secondFactor", a.password_hash IS NOT NULL AS "hasPassword",
    EXISTS (SELECT FROM staff t WHERE t.user_id = a.id) AS "isStaff",
    (SELECT count(*)::int FROM passkey p WHERE p.user_id = a.id) AS passkeys,
    (SELECT count(*)::int FROM recovery_code r WHERE r.user_id = a.id AND r.used_at IS NULL) AS "codesLeft",
    s.created_at AS "signedInAt", s.passkey_at AS "passkeyAt", s.password_at AS "passwordAt",
    s.passkey_id AS "passkeyId", s.is_passkey_here AS "isPasskeyHere"
  FROM account a LEFT JOIN session s ON s.user_id = a.id AND s.id = $2
  WHERE a.id = $1`;

export const STORE_PENDING_SIGN_IN = `
  INSERT INTO pending_sign_in (token_hash, user_id, way, remembered, google_subject, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

/** A sign-in that waits. An end far in the future was written by a wrong clock and counts as passed. */
const PENDING = 'token_hash = $1 AND expires_at > $2 AND expires_at <= $3';
export const MAX_CODE_TRIES = 5;

export const PENDING_SIGN_IN = `
  SELECT user_id AS "userId", way, remembered, google_subject AS "googleSubject" FROM pending_sign_in WHERE ${PENDING}`;

/** Counts a recovery code before it is verified, so that parallel tries count too. */
export const CONSUME_CODE_TRY = `
  UPDATE pending_sign_in SET tries = tries + 1 WHERE ${PENDING} AND tries < ${MAX_CODE_TRIES} RETURNING token_hash`;

export const CONSUME_PENDING_SIGN_IN = `DELETE FROM pending_sign_in WHERE ${PENDING} RETURNING token_hash`;

/** Uses a code, unless another sign-in has used it in the meantime or the set was made anew. */
export const USE_RECOVERY_CODE = `
  UPDATE recovery_code SET used_at = $4 WHERE user_id = $1 AND number = $2 AND code_hash = $3 AND used_at IS NULL
  RETURNING number`;

export const DELETE_EXPIRED_CHALLENGES = batchedDelete(
  'passkey_challenge',
  "t.expires_at <= $1 OR t.expires_at > $1::timestamptz + interval '1 day'",
);

export const DELETE_EXPIRED_PENDING_SIGN_INS = batchedDelete(
  'pending_sign_in',
  "t.expires_at <= $1 OR t.expires_at > $1::timestamptz + interval '1 day'",
);
