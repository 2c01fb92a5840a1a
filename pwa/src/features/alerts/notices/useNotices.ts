import { useLiveRows } from '../../../data/device/live-query.ts';
import type { NoticeRow } from '../../../data/device/schema.ts';

/** Without `notices` and `error` the device is being read. `error` is set when its database failed. */
interface NoticesState {
  notices?: readonly NoticeRow[];
  /** The server has older notices. */
  hasOlder?: boolean;
  error?: unknown;
}

const loadQuery = async () => (await import('./notices.ts')).readNoticeList;

/** The user's notices, newest first. */
export function useNotices(): NoticesState {
  const { rows, error } = useLiveRows(loadQuery);
  return { ...rows, error };
}
