/** Statements of mailings. SQL: whole sets of accounts in one statement, and batches that two workers share. */

/** Accounts $1, or all when it is null, without erased ones and without those that have mailing $2 already. */
const NEW_RECIPIENTS = `
  FROM account a WHERE ($1::uuid[] IS NULL OR a.id = ANY($1)) AND a.mobile_no <> 'erased-' || a.id::text
    AND NOT EXISTS (SELECT FROM mailing_recipient r WHERE r.mailing = $2 AND r.user_id = a.id)`;

export const COUNT_RECIPIENTS = `
  SELECT a.language, count(*)::int AS count ${NEW_RECIPIENTS} GROUP BY a.language ORDER BY a.language`;

/** A mailing with the same texts goes on; one with others is left alone, and no row is returned. */
export const BEGIN_MAILING = `
  INSERT INTO mailing AS present (name, texts, started_at) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET stopped_at = NULL WHERE present.texts = excluded.texts RETURNING name`;

export const MAILING_TEXTS = 'SELECT texts = $2::jsonb AS "isSame" FROM mailing WHERE name = $1';

export const ADD_RECIPIENTS = `
  INSERT INTO mailing_recipient (mailing, user_id) SELECT $2, a.id ${NEW_RECIPIENTS} ON CONFLICT DO NOTHING`;

export const STOP_MAILING = 'UPDATE mailing SET stopped_at = $2 WHERE name = $1 AND stopped_at IS NULL RETURNING name';

export const LIST_MAILINGS = `
  SELECT m.name, m.started_at AS "startedAt", m.stopped_at AS "stoppedAt", count(r.user_id)::int AS recipients,
    count(r.queued_at)::int AS queued, max(r.queued_at) AS "lastAt"
  FROM mailing m LEFT JOIN mailing_recipient r ON r.mailing = m.name GROUP BY m.name ORDER BY m.started_at DESC`;

/** Mails of mailings that wait for the mail server; no other mail has a negative priority. */
export const WAITING_MAILS = `
  SELECT count(*)::int AS count FROM pgboss.job
  WHERE name = 'mail' AND state IN ('created', 'retry', 'active') AND priority < 0`;

/** The next $1 recipients, the oldest mailing first. */
export const NEXT_RECIPIENTS = `
  SELECT r.mailing, r.user_id AS "userId", a.email, a.language, a.mobile_no = 'erased-' || a.id::text AS "isErased", m.texts
  FROM mailing m JOIN mailing_recipient r ON r.mailing = m.name AND r.queued_at IS NULL JOIN account a ON a.id = r.user_id
  WHERE m.stopped_at IS NULL ORDER BY m.started_at, r.user_id LIMIT $1 FOR UPDATE OF r SKIP LOCKED`;

export const MARK_QUEUED = `
  UPDATE mailing_recipient r SET queued_at = $3 FROM unnest($1::text[], $2::uuid[]) done(mailing, user_id)
  WHERE r.mailing = done.mailing AND r.user_id = done.user_id`;
