import { type Observe, useObserved } from '../../data/observed.ts';
import type { BookmarkedTender } from './watch.ts';

/** The list as a screen shows it: neither while it is read, `error` when the device's database failed. */
export interface ShownBookmarks {
  bookmarks?: readonly BookmarkedTender[] | undefined;
  error?: unknown;
}

const observe: Observe<readonly BookmarkedTender[]> = async (tell, fail) =>
  (await import('./watch.ts')).observeBookmarks(tell, fail);

/** The present user's bookmarks with what the device knows of each, newest first, new after each change. */
export function useBookmarkedTenders(): ShownBookmarks {
  const { rows: bookmarks, error } = useObserved(observe);
  return { bookmarks, error };
}
