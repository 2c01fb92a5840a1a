/** Statements about files of backups that are not needed. SQL: conditions over the JSON fields of records. */

/** Parts and bytes of a user in the file store, updated by a trigger. No row when the user has no files. */
export const FILE_USAGE = 'SELECT parts, bytes::int AS bytes FROM file_usage WHERE owner_id = $1';

/** Drops files whose backup was switched off, and files that no document has named for a day. `$1` is now. */
export const DROP_UNUSED_FILES = `
  UPDATE backup_file f SET is_dropped = true
  WHERE NOT is_dropped AND (
    NOT EXISTS (SELECT FROM file_backup b WHERE b.owner_id = f.owner_id)
    OR f.created_at < $1::timestamptz - interval '1 day' AND NOT EXISTS (
      SELECT FROM bid_record r
      WHERE r.owner_id = f.owner_id AND r.kind = 'bidDocument'
        AND (NOT r.is_deleted OR r.updated_at >= $1::timestamptz - interval '1 day')
        AND r.fields->'files' @> jsonb_build_array(jsonb_build_object('hash', f.hash))))`;
