import { useLiveRows } from '../../../data/device/live-query.ts';
import type { NoticeRow } from '../../../data/device/schema.ts';

/** Neither notices nor error while the device is read; `error` when its database failed. */
export interface NoticesState {
  notices?: readonly NoticeRow[];
  /** The server has older ones. */
  hasOlder?: boolean;
  error?: unknown;
}

const loadQuery = async () => (await import('./notices.ts')).readNoticeList;

/** The user's notices, newest first. */
export function useNotices(): NoticesState {
  const { rows, error } = useLiveRows(loadQuery);
  return { ...rows, error };
}
