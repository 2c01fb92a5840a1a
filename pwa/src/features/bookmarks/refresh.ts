/** The bookmarks' part of the app's sync. */
import { currentTime } from '../../data/clock.ts';
import { onDevice } from '../../data/device.ts';
import { currentOwner } from '../../data/session.ts';
import { mergeAtSignIn, readStorageOnce } from './bookmarks.ts';
import { type FindTender, keepBookmarkedTenders } from './kept-tenders.ts';
import { tellRemoved } from './toggle.ts';
import { updateBadge, watchBookmarks } from './watch.ts';
import { refreshBookmarks } from './wishes.ts';

/** Makes the device's bookmarks those of whoever is signed in now, and watches them. At start and at each sign-in. */
export async function openBookmarks(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await onDevice((db) => readStorageOnce(db, owner, now));
  if (owner !== '') await onDevice((db) => mergeAtSignIn(db, owner, now));
  await watchBookmarks();
}

/** Sends wishes, receives the server's set, keeps the tenders of it and counts the badge. A failure waits for the next. */
export async function syncBookmarks(find?: FindTender): Promise<void> {
  await tellRemoved();
  await openBookmarks();
  await refreshBookmarks();
  await keepBookmarkedTenders(find);
  await updateBadge();
}
