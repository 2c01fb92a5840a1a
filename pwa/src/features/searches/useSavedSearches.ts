import { whenDatabaseIsWanted } from '../../data/device/database.ts';
import { useLiveRows } from '../../data/device/live-query.ts';
import type { SavedSearchRow } from '../../data/device/schema.ts';

/** Without list and `error` the device is being read. `error` is set when its database failed. */
export interface SavedSearchesState {
  searches?: readonly SavedSearchRow[] | undefined;
  error?: unknown;
}

// A new device has no searches.
const loadQuery = async () => {
  await whenDatabaseIsWanted();
  return (await import('./searches.ts')).visibleSearches;
};

/** The user's saved searches, newest first. */
export function useSavedSearches(): SavedSearchesState {
  const { rows: searches, error } = useLiveRows(loadQuery);
  return { searches, error };
}
