/** The bookmarks' part of the app's sync. */
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { announceRemovedBookmarks } from './bookmark-actions.ts';
import { type FindTender, saveBookmarkedTenders } from './bookmarked-tenders.ts';
import { importStoredIdsOnce, mergeBookmarksAtSignIn } from './bookmarks.ts';
import { refreshBookmarks } from './pending-bookmarks.ts';
import { updateBadge, watchBookmarks } from './watch-bookmarks.ts';

/** Makes the device's bookmarks those of whoever is signed in now, and watches them. At start and at each sign-in. */
export async function initBookmarks(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await withDatabase((db) => importStoredIdsOnce(db, owner, now));
  if (owner !== '') await withDatabase((db) => mergeBookmarksAtSignIn(db, owner, now));
  watchBookmarks();
}

/** Sends wishes, receives the server's set, keeps the tenders of it and counts the badge. A failure waits for the next. */
export async function syncBookmarks(find?: FindTender): Promise<void> {
  await announceRemovedBookmarks();
  await initBookmarks();
  await refreshBookmarks();
  await saveBookmarkedTenders(find);
  await updateBadge();
}
