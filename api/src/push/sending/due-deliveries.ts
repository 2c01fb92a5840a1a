/** Reads the due deliveries of devices. */
import { REMINDER_KINDS } from '@nivida/contract/push/alert-kinds';
import type { AlertPreferences } from '@nivida/contract/push/push';
import type { EntityManager } from 'typeorm';
import { CLOCK_TOLERANCE_SECONDS } from '../../http/injection-tokens.ts';
import { isWantedCondition, kindList } from '../notices/notice-fan-out.sql.ts';
import { latestPauseEnd } from './delivery-outcomes.ts';

/** A device, or the alert mails of an account. */
export interface PushDevice {
  id: string;
  channel: 'push' | 'email';
  userId: string | null;
  recipient: string;
  host: string;
  endpoint: string | null;
  p256dh: string | null;
  auth: string | null;
  vapidKid: string | null;
  preferences: AlertPreferences;
  errors: number;
  errorsSince: Date | null;
  goneSince: Date | null;
  lastOkAt: Date | null;
  /** Null for a deleted account. */
  email: string | null;
  /** Limited messages since midnight of its zone. */
  countedToday: number;
  /** End of the present quiet hours. */
  quietUntil: Date | null;
}

/** One notice for one device, with its tender as it is now. */
export interface NoticeDelivery {
  id: string;
  deviceId: string;
  tries: number;
  /** A `NoticeKind`, or a kind of a newer version of this server. */
  kind: string;
  version: number;
  works: number;
  detail: { fields: string[]; oldClosing: string; newClosing: string } | null;
  searchName: string | null;
  tenderId: number;
  title: string;
  sourceId: string;
  reference: string | null;
  nitKey: string | null;
  district: string | null;
  state: string;
  closesAt: Date;
  closingTimeKnown: boolean;
  /** Cancelled or retendered. */
  isOut: boolean;
  /** The closing was moved after the notice was created. */
  isOutdated: boolean;
  /** The recipient no longer follows the tender. */
  isLetGo: boolean;
  /** By the present preferences of the device. */
  isWanted: boolean;
}

const DUE_DEVICES = `
  SELECT s.id, s.channel, s.user_id AS "userId", s.recipient, s.host, s.endpoint, s.p256dh, s.auth,
    s.vapid_kid AS "vapidKid", s.preferences, s.errors, s.errors_since AS "errorsSince",
    s.gone_since AS "goneSince", s.last_ok_at AS "lastOkAt",
    CASE WHEN a.deleted_at IS NULL THEN a.email END AS email,
    (SELECT count(*)::int FROM push_delivery c WHERE c.subscription_id = s.id AND c.counted
      AND c.sent_at <= $2::timestamptz + interval '${CLOCK_TOLERANCE_SECONDS} seconds' AND c.sent_at >=
      date_trunc('day', $2 AT TIME ZONE z.zone) AT TIME ZONE z.zone) AS "countedToday",
    nullif(after_quiet($2, s.preferences), $2) AS "quietUntil"
  FROM push_subscription s CROSS JOIN LATERAL (SELECT push_zone(s.preferences) AS zone OFFSET 0) z LEFT JOIN account a ON a.id = s.user_id WHERE s.id = ANY($1)`;

const DUE_DELIVERIES = `
  SELECT d.id, d.subscription_id AS "deviceId", d.tries, n.kind, n.version, n.works, n.detail,
    (SELECT name FROM saved_search h WHERE h.id = ANY(n.search_ids) AND NOT s.preferences->'mutedSearches' ? h.id::text
      ORDER BY array_position(n.search_ids, h.id) LIMIT 1) AS "searchName",
    t.id AS "tenderId", t.title, t.source_id AS "sourceId", t.reference, t.nit_key AS "nitKey", t.district, t.state,
    t.closes_at AS "closesAt", t.closing_time_known AS "closingTimeKnown",
    t.stage IN ('cancelled', 'retendered') AS "isOut",
    n.kind IN (${kindList(REMINDER_KINDS)}) AND n.version <> (
      -- closing_version() inlined: the function takes ten times as long.
      SELECT coalesce(max(h.version), 1) FROM tender_history h
      WHERE h.tender_id = t.id AND h.kind = 'changed' AND h.changes @> '[{"field": "closing_date"}]') AS "isOutdated",
    n.kind <> 'match' AND NOT EXISTS (SELECT 1 FROM bookmark b WHERE b.user_id = n.user_id AND b.tender_id = t.id)
      AND NOT EXISTS (
        SELECT 1 FROM push_watch w WHERE w.subscription_id = n.subscription_id AND w.tender_id = t.id) AS "isLetGo",
    ${isWantedCondition('n', 's')} AS "isWanted"
  FROM push_delivery d JOIN push_subscription s ON s.id = d.subscription_id JOIN notice n ON n.id = d.notice_id JOIN tender t ON t.id = n.tender_id
  WHERE d.subscription_id = ANY($1) AND d.state = 'waiting' AND d.send_at <= $2
    -- Checked again with the devices locked: another worker may have set a pause in the meantime.
    AND NOT EXISTS (SELECT 1 FROM push_host h WHERE h.host = d.host AND h.paused_until > $2 AND h.paused_until <= $3)
  ORDER BY t.closes_at, t.id, d.id`;

/** All due deliveries of these devices, by closing. */
export async function readDueDeliveries(
  manager: EntityManager,
  deviceIds: string[],
  now: Date,
): Promise<{ device: PushDevice; deliveries: NoticeDelivery[] }[]> {
  const devices: PushDevice[] = await manager.query(DUE_DEVICES, [deviceIds, now]);
  const deliveries: NoticeDelivery[] = await manager.query(DUE_DELIVERIES, [deviceIds, now, latestPauseEnd(now)]);
  const byDevice = Map.groupBy(deliveries, ({ deviceId }) => deviceId);
  return devices.map((device) => ({ device, deliveries: byDevice.get(device.id) ?? [] }));
}
