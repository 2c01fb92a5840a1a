/** Statements of files that were sent. SQL: they decide by one statement which of several processes acts. */
import { BATCH_ROWS } from '../../database/delete-in-batches.sql.ts';

/** Takes a file for a run; none when it does not wait, or when a run of a dead worker does not repeat it. */
export const BEGIN_SENT_FILE = `
  UPDATE sent_file SET status = 'running', read_rows = NULL, all_rows = NULL
  WHERE id = $1 AND status IN ('waiting', 'running') RETURNING id`;

/** The last file of a portal that was or will be stored. */
export const LAST_OF_PORTAL = `
  SELECT id FROM sent_file
  WHERE portal IS NOT DISTINCT FROM $1 AND NOT is_dry_run AND status IN ('waiting', 'running', 'done')
  ORDER BY sent_at DESC LIMIT 1`;

/** Files whose bytes are not needed any more: those a day old. */
export const OLD_SENT_FILES = `
  SELECT id, file_keys AS "fileKeys", rejects_key AS "rejectsKey" FROM sent_file
  WHERE sent_at < $1::timestamptz - interval '1 day' AND status <> 'running'
    AND (file_keys <> '{}' OR rejects_key IS NOT NULL OR status IN ('staged', 'waiting'))
  LIMIT ${BATCH_ROWS}`;

/** Files that were never imported go, the others stay as a record. */
export const FORGET_SENT_FILE = `
  WITH gone AS (DELETE FROM sent_file WHERE id = $1 AND status IN ('staged', 'waiting'))
  UPDATE sent_file SET file_keys = '{}', rejects_key = NULL, tenders = NULL WHERE id = $1`;

/** Adds a part to a staged file whose earlier parts are here. */
export const ADD_FILE_PART = `
  UPDATE sent_file SET file_keys = file_keys || $3::text, bytes = bytes + $4
  WHERE id = $1 AND status = 'staged' AND cardinality(file_keys) = $2 AND bytes + $4 <= $5
  RETURNING cardinality(file_keys) AS parts`;
