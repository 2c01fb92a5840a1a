import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { deleteMutation, mutationsOfOtherPages } from '../../data/unsaved-mutations.ts';
import { announceFailure, announceRemovedBookmarks } from './bookmark-actions.ts';
import { useBookmarkStore } from './bookmark-store.ts';
import { type FindTender, saveBookmarkedTenders } from './bookmarked-tenders.ts';
import {
  importStoredIdsOnce,
  mergeBookmarksAtSignIn,
  storeUnsavedMutation,
  TooManyBookmarksError,
} from './bookmarks.ts';
import { refreshBookmarks, sendPendingBookmarks } from './pending-bookmarks.ts';
import { updateBadge, watchBookmarks } from './watch-bookmarks.ts';

/** Stores the mutations of pages that were left before they had stored them. */
async function storeAbandonedMutations(): Promise<void> {
  for (const mutation of mutationsOfOtherPages('bookmark')) {
    try {
      await withDatabase((db) => storeUnsavedMutation(db, mutation, currentOwner(), currentTime().getTime()));
    } catch (error) {
      if (!(error instanceof TooManyBookmarksError)) throw error;
      announceFailure(error);
    }
    deleteMutation(mutation);
  }
}

/** Stores and sends the mutations of pages that were left before they had stored them. */
export const storeAndSendAbandonedMutations = (): Promise<void> => storeAbandonedMutations().then(sendPendingBookmarks);

/** Gives the device's bookmarks to the signed-in user and watches them. Runs at the start and at each sign-in. */
export async function initBookmarks(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await withDatabase((db) => importStoredIdsOnce(db, owner, now));
  await storeAbandonedMutations();
  if (owner !== '') await withDatabase((db) => mergeBookmarksAtSignIn(db, owner, now));
  watchBookmarks();
}

/** Exchanges bookmarks with the server, stores their tenders and updates the badge. Throws a failed exchange at the end. */
export async function syncBookmarks(find?: FindTender): Promise<void> {
  await announceRemovedBookmarks();
  await initBookmarks();
  await refreshBookmarks();
  await saveBookmarkedTenders(find);
  await updateBadge();
  const { error } = useBookmarkStore.getState();
  if (error !== undefined) throw error;
}
