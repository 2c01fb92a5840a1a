/** Statements of the push sender. SQL: devices are locked, and each statement writes a whole batch. */

import { REMINDER_KINDS } from '@nivida/contract/push/alert-kinds';
import { CLOCK_TOLERANCE_SECONDS } from '../../base/injection-tokens.ts';
import { isWantedCondition, kindList } from '../notices/notice-fan-out.sql.ts';

/** Repeated, it counts nothing twice: its answer may be lost. */
export const RECORD_ACCEPTED_PUSHES = `
  WITH marked AS (
    UPDATE push_delivery d SET state = 'sent', send_at = $3, sent_at = $3, counted = m.counted
    FROM unnest($1::bigint[], $2::bool[]) m(id, counted) WHERE d.id = m.id
  ), receipts AS (
    INSERT INTO push_receipt (nid, day, kind) SELECT nid, $4, kind FROM unnest($5::text[], $6::text[]) r(nid, kind)
    ON CONFLICT DO NOTHING RETURNING kind
  )
  INSERT INTO push_tally AS stored (day, kind, sent, accepted)
  SELECT $4, kind, count(*), count(*) FROM receipts GROUP BY kind ORDER BY kind
  ON CONFLICT (day, kind) DO UPDATE SET sent = stored.sent + excluded.sent, accepted = stored.accepted + excluded.accepted`;

export const UPDATE_DELIVERIES = `
  UPDATE push_delivery d SET state = m.state, send_at = m.send_at, tries = m.tries
  FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::int[]) m(id, state, send_at, tries)
  WHERE d.id = m.id`;

/** Whether the stored window still runs. One that begins in the future was written by a wrong clock and is ignored. */
const IN_WINDOW_CONDITION = '(stored.since > $6 AND stored.since <= $7)';

export const COUNT_HOST_OUTCOMES = `
  INSERT INTO push_host AS stored (host, since, sent, refused, gone, pauses) VALUES ($1, $2, $3, $4, $5, 0)
  ON CONFLICT (host) DO UPDATE SET
    since = CASE WHEN ${IN_WINDOW_CONDITION} THEN stored.since ELSE excluded.since END,
    sent = CASE WHEN ${IN_WINDOW_CONDITION} THEN stored.sent ELSE 0 END + excluded.sent,
    refused = CASE WHEN ${IN_WINDOW_CONDITION} THEN stored.refused ELSE 0 END + excluded.refused,
    gone = CASE WHEN ${IN_WINDOW_CONDITION} THEN stored.gone ELSE 0 END + excluded.gone
  RETURNING sent, refused, gone, pauses, coalesce(paused_until > $2 AND paused_until <= $8, false) AS is_paused`;

export const PAUSE_HOST = `
  UPDATE push_host SET paused_until = greatest(CASE WHEN paused_until <= $5 THEN paused_until END, $2),
    pauses = CASE WHEN $4 THEN pauses WHEN $3 THEN pauses + 1 ELSE 0 END WHERE host = $1`;

export const DELETE_GONE_DEVICES = `
  DELETE FROM push_subscription s USING unnest($1::uuid[], $2::text[]) g(id, endpoint)
  WHERE s.id = g.id AND s.endpoint = g.endpoint`;

export const MARK_DEVICES_OK =
  'UPDATE push_subscription SET last_ok_at = $2, errors = 0, errors_since = NULL, gone_since = NULL WHERE id = ANY($1)';

export const COUNT_DEVICE_ERRORS = `
  UPDATE push_subscription SET errors = errors + 1, errors_since = coalesce(errors_since, $2), last_error_at = $2
  WHERE id = ANY($1)`;

const MAX_ERRORS = 5;

export const DELETE_FAILING_DEVICES = `
  DELETE FROM push_subscription s WHERE s.id = ANY($1) AND s.errors >= ${MAX_ERRORS}
    AND s.errors_since <= $2::timestamptz - interval '24 hours' AND EXISTS (
      SELECT 1 FROM push_subscription o WHERE o.host = $3 AND o.id <> s.id AND o.last_ok_at >= s.errors_since)`;

export const DELETE_LONG_GONE_DEVICES = `
  DELETE FROM push_subscription s WHERE s.id = ANY($1) AND s.gone_since <= $2 AND EXISTS (
    SELECT 1 FROM push_subscription o
    WHERE o.host = $3 AND o.vapid_kid = s.vapid_kid AND o.id <> s.id AND o.last_ok_at >= s.gone_since)`;

export const MARK_DEVICES_GONE =
  'UPDATE push_subscription SET gone_since = coalesce(gone_since, $2) WHERE id = ANY($1)';

export const COUNT_UNACCEPTED_PUSHES = `
  INSERT INTO push_tally AS stored (day, kind, sent)
  SELECT $1, kind, count(*) FROM unnest($2::text[]) kind GROUP BY kind ORDER BY kind
  ON CONFLICT (day, kind) DO UPDATE SET sent = stored.sent + excluded.sent`;

export const DUE_DEVICES = `
  SELECT s.id, s.channel, s.user_id AS "userId", s.recipient, s.host, s.endpoint, s.p256dh, s.auth,
    s.vapid_kid AS "vapidKid", s.preferences, s.errors, s.errors_since AS "errorsSince",
    s.gone_since AS "goneSince", s.last_ok_at AS "lastOkAt",
    CASE WHEN a.deleted_at IS NULL THEN a.email END AS email,
    (SELECT count(*)::int FROM push_delivery c WHERE c.subscription_id = s.id AND c.counted
      AND c.sent_at <= $2::timestamptz + interval '${CLOCK_TOLERANCE_SECONDS} seconds' AND c.sent_at >=
      date_trunc('day', $2 AT TIME ZONE z.zone) AT TIME ZONE z.zone) AS "countedToday",
    nullif(after_quiet($2, s.preferences), $2) AS "quietUntil"
  FROM push_subscription s CROSS JOIN LATERAL (SELECT push_zone(s.preferences) AS zone OFFSET 0) z
    LEFT JOIN account a ON a.id = s.user_id
  WHERE s.id = ANY($1)`;

export const DUE_DELIVERIES = `
  SELECT d.id, d.subscription_id AS "deviceId", d.tries,
    CASE d.tries WHEN 0 THEN d.send_at ELSE n.created_at END AS "dueAt", n.kind, n.version, n.works, n.detail,
    (SELECT name FROM saved_search h WHERE h.id = ANY(n.search_ids) AND NOT s.preferences->'mutedSearches' ? h.id::text
      ORDER BY array_position(n.search_ids, h.id) LIMIT 1) AS "searchName",
    t.id AS "tenderId", t.title, t.source_id AS "sourceId", t.reference, t.nit_key AS "nitKey", t.district,
    t.second_district AS "secondDistrict", t.state,
    t.closes_at AS "closesAt", t.closing_time_known AS "closingTimeKnown",
    coalesce(t.stage IN ('cancelled', 'retendered') OR t.published_at > $2, false) AS "isWithdrawn",
    n.kind IN (${kindList(REMINDER_KINDS)}) AND n.version <> (
      -- closing_version() inlined, because the function takes ten times as long.
      SELECT coalesce(max(h.version), 1) FROM tender_history h
      WHERE h.tender_id = t.id AND h.kind = 'changed' AND h.changes @> '[{"field": "closing_date"}]') AS "isOutdated",
    CASE n.kind WHEN 'match' THEN false
      WHEN 'office' THEN NOT EXISTS (
        SELECT 1 FROM followed_office f WHERE f.user_id = n.user_id AND f.office_id = n.detail->>'officeId')
      WHEN 'expiry' THEN NOT EXISTS (
        SELECT 1 FROM bid_record r WHERE r.owner_id = coalesce((n.detail->>'firmId')::uuid, n.user_id)
          AND r.id::text = n.detail->>'documentId'
          AND NOT r.is_deleted AND r.fields->>'validUntil' = n.detail->>'validUntil')
      WHEN 'answer' THEN NOT EXISTS (
        SELECT 1 FROM message m WHERE m.id::text = n.detail->>'messageId' AND m.read_at IS NULL)
      WHEN 'assigned' THEN NOT EXISTS (
        SELECT 1 FROM bid_record r JOIN firm_member m ON m.firm_id = r.owner_id AND m.left_at IS NULL
        WHERE r.owner_id::text = n.detail->>'firmId' AND r.id::text = n.detail->>'rowId' AND NOT r.is_deleted
          AND m.user_id = n.user_id AND lower(r.fields->>'assigneeId') = n.user_id::text)
      ELSE NOT EXISTS (SELECT 1 FROM bookmark b WHERE b.user_id = n.user_id AND b.tender_id = t.id)
        AND NOT EXISTS (
          SELECT 1 FROM push_watch w WHERE w.subscription_id = n.subscription_id AND w.tender_id = t.id) END AS "isUnfollowed",
    ${isWantedCondition('n', 's')} AS "isWanted"
  FROM push_delivery d JOIN push_subscription s ON s.id = d.subscription_id
    JOIN notice n ON n.id = d.notice_id AND n.event_at = d.event_at LEFT JOIN tender t ON t.id = n.tender_id
  WHERE d.subscription_id = ANY($1) AND d.state = 'waiting' AND d.send_at <= $2
    -- Checked again with the devices locked: another worker may have set a pause in the meantime.
    AND NOT EXISTS (SELECT 1 FROM push_host h WHERE h.host = d.host AND h.paused_until > $2 AND h.paused_until <= $3)
  ORDER BY t.closes_at, t.id, d.id`;

export const HOSTS_WITH_DUE = `
  SELECT host FROM push_delivery d WHERE state = 'waiting' AND send_at <= $1
    AND NOT EXISTS (SELECT 1 FROM push_host h WHERE h.host = d.host AND h.paused_until > $1 AND h.paused_until <= $2)
  GROUP BY host ORDER BY min(send_at), host`;

export const DUE_DEVICES_OF_HOST = `
  SELECT d.subscription_id AS id FROM push_delivery d WHERE d.host = $1 AND d.state = 'waiting' AND d.send_at <= $2
    AND NOT EXISTS (SELECT 1 FROM push_host h WHERE h.host = $1 AND h.paused_until > $2 AND h.paused_until <= $4)
  ORDER BY d.send_at, d.id LIMIT $3`;

/**
 * Devices that a worker claims together. A batch ends with its slowest answer, so it must be many times as large as the
 * number of pushes in flight. Each device is a lock in the server's memory, which has 64 for each allowed connection: those
 * of a process, at most 1,800, fit into the share of its 30 connections.
 */
export const DEVICE_BATCH_SIZE = 300;

export const TRY_LOCK_DEVICES = `
  SELECT id FROM unnest($1::uuid[]) id
  WHERE pg_try_advisory_xact_lock(hashtextextended('push ' || id, 0)) LIMIT ${DEVICE_BATCH_SIZE}`;
