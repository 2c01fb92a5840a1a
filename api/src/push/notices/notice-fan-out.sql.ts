/** Stores notices once and queues their deliveries, in one statement. */
import { ALERT_KINDS, NOTICE_KINDS, type NoticeKind } from '@nivida/contract/push/alert-kinds';

/** Followers of the tenders $1: accounts by bookmarks, signed-out devices by their list. */
export const FOLLOWERS = `
  SELECT b.user_id, NULL::uuid AS subscription_id, b.user_id AS recipient, b.tender_id, b.created_at AS since
  FROM bookmark b JOIN account a ON a.id = b.user_id
  WHERE b.tender_id = ANY($1::int[]) AND a.deleted_at IS NULL
  UNION ALL
  SELECT NULL, w.subscription_id, w.subscription_id, w.tender_id, w.created_at
  FROM push_watch w JOIN push_subscription s ON s.id = w.subscription_id
  WHERE w.tender_id = ANY($1::int[]) AND s.user_id IS NULL`;

/** Kinds as a list of SQL literals. */
export const kindList = (kinds: readonly NoticeKind[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

const DEFAULT_KINDS = kindList(NOTICE_KINDS.filter((kind) => ALERT_KINDS[kind].isOnByDefault));

/** Whether the device `s` wants a kind. If its row is older than the kind, the kind's default applies. */
export const wantsKindCondition = (s: string, kind: string): string =>
  `coalesce((${s}.preferences->'kinds'->>${kind})::boolean, ${kind} IN (${DEFAULT_KINDS}))`;

/** Whether the device `s` wants the notice `n`. It is checked when the notice is created, and again when it is sent. */
export const isWantedCondition = (n: string, s: string): string => `(
  (${s}.preferences->>'isOn')::boolean AND ${wantsKindCondition(s, `${n}.kind`)}
  AND NOT coalesce(${s}.preferences->'mutedTenders' ? ${n}.tender_id::text, false)
  AND (${n}.kind <> 'match' OR EXISTS (
    SELECT 1 FROM saved_search h
    WHERE h.id = ANY(${n}.search_ids) AND NOT ${s}.preferences->'mutedSearches' ? h.id::text)))`;

/** SQL of the send time of notice `a` for device `s`, and the join that it needs. $2: now. */
interface SendTime {
  join: string;
  sendAt: string;
}

/** `event_at` of a notice `n` that is created once, under a lock. */
const NOW = '$2::timestamptz';

/** Matches are sent at once or with the digest, after the quiet hours. */
export const MATCH_SEND_TIME: SendTime = {
  join: '',
  sendAt: `after_quiet(
    CASE WHEN s.preferences->>'matches' = 'digest' THEN greatest(a.digest_at, $2) ELSE $2 END, s.preferences)`,
};

/** Results are sent after the quiet hours. */
export const RESULT_SEND_TIME: SendTime = { join: '', sendAt: 'after_quiet($2, s.preferences)' };

/** Changes are sent after the quiet hours, unless the tender closes before or soon after their end. */
export const CHANGE_SEND_TIME: SendTime = {
  join: 'JOIN tender t ON t.id = a.tender_id',
  sendAt: 'push_send_at($2, $2, t.closes_at, s.preferences)',
};

/**
 * The statement that stores the rows of `news`, a query of notices, and queues the new ones for every device that wants
 * them. $2: now. Returns the number of new notices. Without `eventAt`, the instant in `news` that every process knows, one
 * process at a time may run it for the same notices.
 */
export const insertNoticesStatement = (news: string, { join, sendAt }: SendTime, eventAt: string = NOW): string => `
  WITH news AS MATERIALIZED (${news}), added AS (
    INSERT INTO notice (user_id, subscription_id, recipient, tender_id, kind, version, state, nit, works, detail,
      search_ids, digest_at, created_at, event_at)
    SELECT user_id, subscription_id, recipient, tender_id, kind, version, state, nit, works, detail, search_ids,
      digest_at, ${NOW}, ${eventAt}
    FROM news n WHERE NOT EXISTS (
      SELECT 1 FROM notice o
      WHERE o.recipient = n.recipient AND o.tender_id = n.tender_id AND o.kind = n.kind AND o.version = n.version)
    -- A fixed order of locks avoids deadlocks between processes.
    ORDER BY recipient, tender_id, kind
    ON CONFLICT DO NOTHING
    RETURNING id, recipient, tender_id, kind, state, search_ids, digest_at, event_at
  ), sent AS (
    INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, event_at)
    SELECT a.id, s.id, s.host, ${sendAt}, a.event_at
    FROM added a JOIN push_subscription s ON s.recipient = a.recipient ${join}
    WHERE a.state = 'due' AND ${isWantedCondition('a', 's')}
  )
  SELECT count(*)::int AS count FROM added`;
