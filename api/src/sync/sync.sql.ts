/** Statements of epochs, manifests and segments. SQL: upserts in one step and reads for every request. */

export const MANIFEST =
  'SELECT scope, epoch, cursor::float8, segments, checked, built_at AS "builtAt" FROM sync_manifest WHERE scope = $1 AND epoch = $2';

export const LOCK_SCOPE = 'SELECT pg_advisory_lock($1, $2)';
export const UNLOCK_SCOPE = 'SELECT pg_advisory_unlock($1, $2)';
export const MARK_MANIFEST_CURRENT = 'UPDATE sync_manifest SET cursor = $2, checked = $3 WHERE scope = $1';

export const INSERT_SEGMENT = `
  INSERT INTO sync_segment (hash, body, created_at) VALUES ($1, $2, $3)
  ON CONFLICT (hash) DO UPDATE SET left_at = NULL`;

/** Size of a stored file. If it exists, a file with the same rows is not compressed again. */
export const STORED_SEGMENT_BYTES = 'SELECT octet_length(body) AS bytes FROM sync_segment WHERE hash = $1';

/** Marks segments as used by a manifest and counts them. Another process may have deleted one in the meantime. */
export const LIST_SEGMENTS_AGAIN = `
  WITH named AS (SELECT hash, left_at FROM sync_segment WHERE hash = ANY ($1) FOR UPDATE),
    listed AS (UPDATE sync_segment s SET left_at = NULL FROM named n WHERE s.hash = n.hash AND n.left_at IS NOT NULL)
  SELECT count(*)::int AS count FROM named`;

export const UPSERT_MANIFEST = `
  INSERT INTO sync_manifest (scope, epoch, cursor, segments, checked, built_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (scope) DO UPDATE SET epoch = excluded.epoch, cursor = excluded.cursor, segments = excluded.segments,
    checked = excluded.checked, built_at = excluded.built_at`;

const NAMED_SEGMENTS = `SELECT jsonb_path_query(segments, '$[*].*.hash') #>> '{}' FROM sync_manifest`;

export const MARK_UNUSED_SEGMENTS = `
  UPDATE sync_segment SET left_at = $1 WHERE left_at IS NULL AND hash NOT IN (${NAMED_SEGMENTS})`;

const SEGMENT_RETENTION_DAYS = 2;

export const DELETE_UNUSED_SEGMENTS = `
  DELETE FROM sync_segment
  WHERE left_at < $1::timestamptz - interval '${SEGMENT_RETENTION_DAYS} days' AND hash NOT IN (${NAMED_SEGMENTS})`;

const SETTING_KEY = 'sync';

export const EPOCH_STATE = `SELECT
  greatest((SELECT max(change_no) FROM tender), (SELECT max(change_no) FROM tender_history), 0)::float8 AS head,
  (SELECT value FROM setting WHERE key = '${SETTING_KEY}') AS sync,
  concat_ws('-', (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode('tender')) AS place`;

export const STORE_EPOCH = `
  INSERT INTO setting AS s VALUES ('${SETTING_KEY}', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value
  WHERE s.value->>'place' <> excluded.value->>'place'`;

const TOMBSTONE_RETENTION_DAYS = 90;

export const PRUNE_TOMBSTONES = `
  WITH gone AS (
    DELETE FROM tender_history WHERE kind = 'removed' AND at < $1::timestamptz - interval '${TOMBSTONE_RETENTION_DAYS} days'
      AND change_no <= (SELECT min(cursor) FROM sync_manifest) RETURNING change_no)
  UPDATE setting SET value = jsonb_set(value, '{floor}',
    to_jsonb(greatest((value->>'floor')::bigint, (SELECT max(change_no) FROM gone))))
  WHERE key = '${SETTING_KEY}' AND EXISTS (SELECT FROM gone)`;

export const SEGMENT_BODY = 'SELECT body FROM sync_segment WHERE hash = $1';
