import { databaseWanted } from '../../data/device/database.ts';
import { useLiveRows } from '../../data/device/live-query.ts';
import type { SavedSearchRow } from '../../data/device/schema.ts';

/** Neither list nor error while the device is read; `error` when its database failed. */
export interface SavedSearchesState {
  searches?: readonly SavedSearchRow[] | undefined;
  error?: unknown;
}

const loadQuery = async () => (await import('./searches.ts')).visibleSearches;

const loadQueryOnceUsed = () => databaseWanted().then(loadQuery);

/** The same for other screens, which do not open the database of a new device before it is used. */
export function useSavedSearchesOnceUsed(): SavedSearchesState {
  const { rows: searches, error } = useLiveRows(loadQueryOnceUsed);
  return { searches, error };
}

/** The user's saved searches, newest first. */
export function useSavedSearches(): SavedSearchesState {
  const { rows: searches, error } = useLiveRows(loadQuery);
  return { searches, error };
}
