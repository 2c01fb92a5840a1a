import { type SubscribeRows, useLiveRows } from '../../data/device/useLiveRows.ts';
import type { BookmarkedTender } from './watch-bookmarks.ts';

/** The list as a screen shows it: neither while it is read, `error` when the device's database failed. */
export interface BookmarkedTendersState {
  bookmarks?: readonly BookmarkedTender[] | undefined;
  error?: unknown;
}

const subscribeRows: SubscribeRows<readonly BookmarkedTender[]> = async (onRows, onError) =>
  (await import('./watch-bookmarks.ts')).subscribeBookmarks(onRows, onError);

/** The present user's bookmarks with what the device knows of each, newest first, new after each change. */
export function useBookmarkedTenders(): BookmarkedTendersState {
  const { rows: bookmarks, error } = useLiveRows(subscribeRows);
  return { bookmarks, error };
}
