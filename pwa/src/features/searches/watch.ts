/** Carries every change of the device's saved searches, by this or another tab, to the screens. */
import { liveQuery } from 'dexie';
import type { SearchRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { currentOwner } from '../../data/session.ts';
import { visibleSearches } from './searches.ts';

/** Calls `then` with the present user's searches, newest first, now and after each change, until stopped. */
export async function observeSearches(
  then: (searches: SearchRow[]) => void,
  failed: (error: unknown) => void,
): Promise<() => void> {
  const db = await onDevice(async (opened) => opened);
  const owner = currentOwner();
  const watch = liveQuery(() => visibleSearches(db, owner)).subscribe({ next: then, error: failed });
  return () => watch.unsubscribe();
}
