/** Carries every change of the device's saved searches, by this or another tab, to the screens. */
import { liveQuery } from 'dexie';
import { withDatabase } from '../../data/device/database.ts';
import type { SavedSearchRow } from '../../data/device/schema.ts';
import { currentOwner } from '../../data/session.ts';
import { visibleSearches } from './searches.ts';

/** Calls `then` with the present user's searches, newest first, now and after each change, until stopped. */
export async function subscribeSearches(
  onSearches: (searches: SavedSearchRow[]) => void,
  onError: (error: unknown) => void,
): Promise<() => void> {
  const db = await withDatabase(async (opened) => opened);
  const owner = currentOwner();
  const subscription = liveQuery(() => visibleSearches(db, owner)).subscribe({ next: onSearches, error: onError });
  return () => subscription.unsubscribe();
}
