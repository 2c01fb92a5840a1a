import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { announceRemovedBookmarks } from './bookmark-actions.ts';
import { type FindTender, saveBookmarkedTenders } from './bookmarked-tenders.ts';
import { importStoredIdsOnce, mergeBookmarksAtSignIn } from './bookmarks.ts';
import { refreshBookmarks } from './pending-bookmarks.ts';
import { updateBadge, watchBookmarks } from './watch-bookmarks.ts';

/** Gives the device's bookmarks to the signed-in user and watches them. Runs at the start and at each sign-in. */
export async function initBookmarks(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await withDatabase((db) => importStoredIdsOnce(db, owner, now));
  if (owner !== '') await withDatabase((db) => mergeBookmarksAtSignIn(db, owner, now));
  watchBookmarks();
}

/** Exchanges bookmarks with the server, stores their tenders and updates the badge. */
export async function syncBookmarks(find?: FindTender): Promise<void> {
  await announceRemovedBookmarks();
  await initBookmarks();
  await refreshBookmarks();
  await saveBookmarkedTenders(find);
  await updateBadge();
}
