import { useLiveRows } from '../../data/device/live-query.ts';
import type { BookmarkedTender } from './bookmarked-tenders.ts';

/** Neither list nor error while the device is read; `error` when its database failed. */
export interface BookmarkedTendersState {
  bookmarks?: readonly BookmarkedTender[] | undefined;
  error?: unknown;
}

const loadQuery = async () => (await import('./bookmarked-tenders.ts')).bookmarkedTenders;

/** The user's bookmarks, newest first, each with the tender as far as the device has it. */
export function useBookmarkedTenders(): BookmarkedTendersState {
  const { rows: bookmarks, error } = useLiveRows(loadQuery);
  return { bookmarks, error };
}
