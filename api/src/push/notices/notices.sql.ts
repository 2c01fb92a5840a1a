/** Statements of the inbox. It has notices about tenders and assignments; a device finds expiring documents and answers itself. SQL: the tables have no entity. */
import type { PushEventRequest } from '@nivida/contract/push/push';

export const NOTICES_PER_PAGE = 100;

/** Both bounds keep the planner from the months before and after. */
const LISTED_CONDITION = `n.recipient = $1 AND n.state = 'due' AND n.event_at > $2 AND n.event_at < $3
    AND (n.tender_id IS NOT NULL OR n.kind = 'assigned')`;

export const NOTICES_PAGE = `
  SELECT n.id, n.kind, n.version, n.works, n.detail, n.search_ids, n.created_at, n.read_at, n.tender_id, t.title,
    t.closes_at, t.closing_time_known
  FROM notice n LEFT JOIN tender t ON t.id = n.tender_id
  WHERE ${LISTED_CONDITION} AND ($4::bigint IS NULL OR n.id < $4)
  ORDER BY n.id DESC LIMIT ${NOTICES_PER_PAGE + 1}`;

export const UNREAD_COUNT = `
  SELECT count(*)::int AS unread FROM notice n WHERE ${LISTED_CONDITION} AND n.read_at IS NULL`;

export const MARK_READ = `
  UPDATE notice SET read_at = $4
  WHERE recipient = $1 AND state = 'due' AND (id = ANY($2) OR id <= $3) AND read_at IS NULL`;

export const RECIPIENT_OF_DEVICE =
  'SELECT recipient FROM push_subscription WHERE secret_sha256 = $1 AND user_id IS NULL';

/** `ev` is safe as a column: the schema allows two values. */
export const countPushEvent = (ev: PushEventRequest['ev']): string => `
  WITH counted AS (UPDATE push_receipt SET ${ev} = true WHERE nid = $1 AND NOT ${ev} RETURNING day, kind)
  UPDATE push_tally t SET ${ev} = t.${ev} + 1 FROM counted c WHERE t.day = c.day AND t.kind = c.kind`;
