/** Statements of support. SQL: a sequence, sums, a percentile and files of removed rows. */

export const NEXT_THREAD_NUMBER = "SELECT nextval('thread_number')::text AS number";

/** The newest change of a user's threads and their count, which the cursor of a device names. */
export const THREADS_OF_USER = `
  SELECT coalesce(max(number), 0)::float8 AS number, count(*)::int AS count,
    coalesce(array_agg(id::text ORDER BY number), '{}') AS ids FROM thread WHERE user_id = $1`;

/** Bytes of all attachments that a user has sent or uploaded. Files of answers do not count. */
export const ATTACHMENT_BYTES = `
  SELECT coalesce(sum(a.bytes), 0)::int AS bytes FROM attachment a LEFT JOIN message m ON m.id = a.message_id
  WHERE a.user_id = $1 AND coalesce(m.sender, 'user') = 'user'`;

/** Marks the answers of thread $1 up to message $2 as read. Returns their ids. */
export const MARK_MESSAGES_READ = `
  UPDATE message m SET read_at = $3
  FROM message upto WHERE upto.id = $2 AND upto.thread_id = $1
    AND m.thread_id = $1 AND m.position <= upto.position AND m.sender <> 'user' AND m.read_at IS NULL
  RETURNING m.id`;

/**
 * Median seconds from the first message to the first answer, and the number of threads that were first answered since $1.
 * Not those that began with their answer, to a report of a mistake.
 */
export const ANSWER_TIME = `
  SELECT count(*)::int AS count,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM first_answered_at - created_at))::float8 AS seconds
  FROM thread WHERE first_answered_at > $1 AND first_answered_at <= $2 AND NOT answers_report`;

export const DROPPED_FILES = 'SELECT file_key AS key FROM dropped_file LIMIT 1000';

export const FORGET_DROPPED_FILE = 'DELETE FROM dropped_file WHERE file_key = $1';
