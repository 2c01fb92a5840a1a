/** Statements of the send tokens. SQL: a token is deleted and checked in one step, and the table has no entity. */

export const LOCK_SESSION = 'SELECT 1 FROM session WHERE id = $1 FOR UPDATE';
export const DELETE_TOKENS = 'DELETE FROM send_token WHERE session_id = $1';
export const INSERT_TOKENS = 'INSERT INTO send_token (digest, session_id) SELECT unnest($2::text[]), $1';

const IS_VALID = `t.digest = $1 AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > $2
    AND a.id = s.user_id AND a.deleted_at IS NULL`;
const USER = 'a.id, s.id AS "sessionId", s.created_at AS "signedInAt"';

export const CONSUME_TOKEN = `DELETE FROM send_token t USING session s, account a WHERE ${IS_VALID} RETURNING ${USER}`;
export const FIND_TOKEN = `SELECT ${USER} FROM send_token t, session s, account a WHERE ${IS_VALID}`;
