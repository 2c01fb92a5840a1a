import type { SavedSearchRow } from '../../data/device/schema.ts';
import { type SubscribeRows, useLiveRows } from '../../data/device/useLiveRows.ts';

/** The list as a screen shows it: neither while it is read, `error` when the device's database failed. */
export interface SavedSearchesState {
  searches?: readonly SavedSearchRow[] | undefined;
  error?: unknown;
}

const subscribeRows: SubscribeRows<readonly SavedSearchRow[]> = async (onRows, onError) =>
  (await import('./watch-searches.ts')).subscribeSearches(onRows, onError);

/** The present user's saved searches, newest first, new after each change. */
export function useSavedSearches(): SavedSearchesState {
  const { rows: searches, error } = useLiveRows(subscribeRows);
  return { searches, error };
}
