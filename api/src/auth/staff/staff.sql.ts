/** Statements of the desk's sessions. SQL: every call of the desk runs them, and one conditional statement notes its use. */

/** Role and times of a session, if its account is staff. */
export const STAFF_SESSION = `
  SELECT t.role, a.username, s.passkey_at AS "passkeyAt", s.desk_used_at AS "deskUsedAt"
  FROM staff t JOIN account a ON a.id = t.user_id JOIN session s ON s.user_id = t.user_id
  WHERE t.user_id = $1 AND s.id = $2 AND a.deleted_at IS NULL`;

export const NOTE_DESK_USE = `
  UPDATE session SET desk_used_at = $2
  WHERE id = $1 AND (desk_used_at IS NULL OR desk_used_at < $2::timestamptz - interval '1 minute' OR desk_used_at > $2)`;
