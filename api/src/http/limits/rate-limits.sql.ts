/** Statements of the rate limits. SQL: one upsert counts a call in a window. */
import { CLOCK_TOLERANCE_SECONDS } from '../../base/injection-tokens.ts';

/** True for a window that has ended. A window that begins in the future was written by a wrong clock and counts as ended. */
const WINDOW_ENDED_CONDITION = `(previous.ends_at <= $4
  OR previous.ends_at > $4::timestamptz + (previous.per_seconds + ${CLOCK_TOLERANCE_SECONDS}) * interval '1 second')`;

export const COUNT_CALL = `
  INSERT INTO rate_limit AS previous (name, key, per_seconds, ends_at, count)
  VALUES ($1, $2, $3, $4::timestamptz + $3::int * interval '1 second', 1)
  ON CONFLICT (name, key, per_seconds) DO UPDATE SET
    count = CASE WHEN ${WINDOW_ENDED_CONDITION} THEN 1 ELSE previous.count + 1 END,
    ends_at = CASE WHEN ${WINDOW_ENDED_CONDITION} THEN excluded.ends_at ELSE previous.ends_at END
  RETURNING count, ceil(extract(epoch FROM ends_at - $4::timestamptz))::int AS wait`;

export const RELEASE_CALL = `
  UPDATE rate_limit r SET count = r.count - 1
  FROM (SELECT per_seconds FROM rate_limit WHERE name = $1 AND key = $2 ORDER BY per_seconds FOR UPDATE) previous
  WHERE r.name = $1 AND r.key = $2 AND r.per_seconds = previous.per_seconds AND r.ends_at > $3 AND r.count > 0`;

export const READ_COUNTS = `
  SELECT key, per_seconds AS "perSeconds", count, ends_at AS "endsAt" FROM rate_limit
  WHERE name = $1 AND key = ANY($2) AND ends_at > $3 ORDER BY per_seconds`;
