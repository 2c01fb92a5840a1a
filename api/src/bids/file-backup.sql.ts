/** Files of backups that nothing needs. SQL: conditions over the fields of records. */

/** The parts and bytes of a user in the file store, kept by a trigger; no row for none. */
export const FILE_USAGE = 'SELECT parts, bytes::int AS bytes FROM file_usage WHERE user_id = $1';

/** Drops the files of backups without a key, and those that no document has had for a day. `$1` is now. */
export const DROP_UNUSED_FILES = `
  UPDATE backup_file f SET is_dropped = true
  WHERE NOT is_dropped AND (
    NOT EXISTS (SELECT FROM file_backup b WHERE b.user_id = f.user_id)
    OR f.created_at < $1::timestamptz - interval '1 day' AND NOT EXISTS (
      SELECT FROM bid_record r
      WHERE r.user_id = f.user_id AND r.kind = 'bidDocument'
        AND (NOT r.is_deleted OR r.updated_at >= $1::timestamptz - interval '1 day')
        AND r.fields->'files' @> jsonb_build_array(jsonb_build_object('hash', f.hash))))`;
