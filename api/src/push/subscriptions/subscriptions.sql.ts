/** Statements of the devices. SQL: notices and watches move in one step, and their tables have no entity. */

export const DELETE_OTHER_WATCHES = 'DELETE FROM push_watch WHERE subscription_id = $1 AND tender_id <> ALL($2)';

export const INSERT_WATCHES = `
  INSERT INTO push_watch SELECT $1, id, $3 FROM tender WHERE id = ANY($2) AND published_at <= $3
  ON CONFLICT DO NOTHING`;

export const DELETE_DELIVERIES = 'DELETE FROM push_delivery WHERE subscription_id = $1';
export const DELETE_WATCHES = 'DELETE FROM push_watch WHERE subscription_id = $1';
export const KNOWN_TIME_ZONES = 'SELECT name FROM pg_timezone_names WHERE name = ANY($1)';

export const SURPLUS_DEVICES = `
  SELECT id FROM push_subscription WHERE user_id = $1 AND channel = 'push'
  ORDER BY id = $3 DESC, coalesce(last_ok_at, created_at) DESC, created_at DESC OFFSET $2`;

export const MOVE_NOTICES_TO_USER = `
  UPDATE notice n SET user_id = $2, subscription_id = NULL, recipient = $2 WHERE subscription_id = $1 AND NOT EXISTS (
    SELECT 1 FROM notice o WHERE o.recipient = $2 AND o.tender_id = n.tender_id AND o.kind = n.kind AND o.version = n.version)`;

export const DELETE_NOTICES_OF_DEVICE = 'DELETE FROM notice WHERE subscription_id = $1';

export const COPY_NOTICES_TO_DEVICE = `
  INSERT INTO notice (subscription_id, recipient, tender_id, kind, version, state, works, detail, created_at,
    event_at)
  SELECT $1, $1, n.tender_id, n.kind, n.version, 'skipped', n.works, n.detail, n.created_at, n.event_at
  FROM notice n JOIN tender t ON t.id = n.tender_id
  WHERE n.recipient = $2 AND n.kind NOT IN ('match', 'office') AND t.closes_at > $3 AND NOT EXISTS (
    SELECT 1 FROM push_delivery d
    WHERE d.notice_id = n.id AND d.event_at = n.event_at AND d.subscription_id = $1 AND d.state = 'waiting')
  ON CONFLICT DO NOTHING`;
