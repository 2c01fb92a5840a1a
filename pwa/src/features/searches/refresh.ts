/** The saved searches' part of the app's sync. */
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { refreshSearches } from './exchange-searches.ts';
import { mergeSearchesAtSignIn } from './searches.ts';

/** Makes the device's searches those of whoever is signed in now, sends wishes and receives the server's list. */
export async function syncSearches(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  await withDatabase((db) => mergeSearchesAtSignIn(db, owner, currentTime().getTime()));
  await refreshSearches();
}
