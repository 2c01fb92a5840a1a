import { useLiveRows } from '../../data/device/live-query.ts';
import type { BookmarkedTender } from './bookmarked-tenders.ts';

/** Without list and `error` the device is being read. `error` is set when its database failed. */
export interface BookmarkedTendersState {
  bookmarks?: readonly BookmarkedTender[] | undefined;
  error?: unknown;
}

const loadQuery = async () => (await import('./bookmarked-tenders.ts')).bookmarkedTenders;

/** The user's bookmarks, newest first, each with its tender if the device has it. */
export function useBookmarkedTenders(): BookmarkedTendersState {
  const { rows: bookmarks, error } = useLiveRows(loadQuery);
  return { bookmarks, error };
}
