import type { SearchRow } from '../../data/db.ts';
import { type Observe, useObserved } from '../../data/observed.ts';

/** The list as a screen shows it: neither while it is read, `error` when the device's database failed. */
export interface ShownSearches {
  searches?: readonly SearchRow[] | undefined;
  error?: unknown;
}

const observe: Observe<readonly SearchRow[]> = async (tell, fail) =>
  (await import('./watch.ts')).observeSearches(tell, fail);

/** The present user's saved searches, newest first, new after each change. */
export function useSavedSearches(): ShownSearches {
  const { rows: searches, error } = useObserved(observe);
  return { searches, error };
}
