import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { announceFailure, announceRemovedBookmarks } from './bookmark-actions.ts';
import { type FindTender, saveBookmarkedTenders } from './bookmarked-tenders.ts';
import { importStoredIdsOnce, mergeBookmarksAtSignIn, storeNotedPress, TooManyBookmarksError } from './bookmarks.ts';
import { forgetPress, isPressKey, pressesOfOtherPages } from './noted-presses.ts';
import { refreshBookmarks, sendPendingBookmarks } from './pending-bookmarks.ts';
import { updateBadge, watchBookmarks } from './watch-bookmarks.ts';

/** A press that is still noted after this time is not being stored by its page. */
const ABANDONED_AFTER_MS = 1_000;

/** Stores the presses of pages that were left before they had stored them. */
async function storeAbandonedPresses(): Promise<void> {
  for (const press of pressesOfOtherPages()) {
    try {
      await withDatabase((db) => storeNotedPress(db, press, currentOwner(), currentTime().getTime()));
    } catch (error) {
      if (!(error instanceof TooManyBookmarksError)) throw error;
      announceFailure(error);
    }
    forgetPress(press);
  }
}

/** Stores the presses of tabs that are closed while this one is open. */
export function watchAbandonedPresses(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (newValue === null || !isPressKey(key)) return;
    // the next sync repeats what fails
    const store = () =>
      storeAbandonedPresses()
        .then(sendPendingBookmarks)
        .catch(() => undefined);
    setTimeout(() => void store(), ABANDONED_AFTER_MS);
  });
}

/** Gives the device's bookmarks to the signed-in user and watches them. Runs at the start and at each sign-in. */
export async function initBookmarks(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await withDatabase((db) => importStoredIdsOnce(db, owner, now));
  await storeAbandonedPresses();
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
