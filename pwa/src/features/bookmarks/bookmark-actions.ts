/** Actions of the bookmark button. */
import { TenderSummary } from '@nivida/contract/tenders/tender';
import { parse } from 'valibot';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { writeForUser } from '../../data/device/storage-quota.ts';
import { sendsLaterText } from '../../data/outbox/background-sync.ts';
import { hasConnection } from '../../data/server/reachability.ts';
import { currentOwner, currentSession } from '../../data/session.ts';
import { deleteMutation, recordMutation, type UnsavedMutation } from '../../data/unsaved-mutations.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { type FindTender, saveTenderForOffline } from './bookmarked-tenders.ts';
import { type BookmarkChangeResult, setBookmark, TooManyBookmarksError, undoBookmarkChange } from './bookmarks.ts';
import { sendPendingBookmarks } from './pending-bookmarks.ts';
import { takeRemovedBookmarks } from './removed-bookmarks.ts';

const nowMs = () => currentTime().getTime();

function failureText(error: unknown): string {
  if (error instanceof TooManyBookmarksError) return 'At most 1,000 tenders can be bookmarked. Remove one first.';
  if (error instanceof DatabaseUnavailableError) return `${storageProblem()}, so bookmarks cannot be saved.`;
  return 'Failed to bookmark tender';
}

/** Shows why a bookmark was not stored. */
export const announceFailure = (error: unknown): void => showToast({ text: failureText(error) });

async function undoChange(change: BookmarkChangeResult): Promise<void> {
  const mutations = change.rows.map(({ owner, tenderId }) =>
    recordMutation({ kind: 'bookmark', owner, subject: tenderId, wanted: !change.wanted }),
  );
  try {
    await withDatabase((db) => undoBookmarkChange(db, change, nowMs()));
  } catch (error) {
    announceFailure(error);
    return;
  } finally {
    mutations.forEach(deleteMutation);
  }
  await sendPendingBookmarks();
}

/** Shows that a notification's button removed bookmarks, with "Undo". */
export async function announceRemovedBookmarks(): Promise<void> {
  const owner = currentOwner();
  const rows = await withDatabase((db) => takeRemovedBookmarks(db, owner));
  if (rows.length > 0) announceChange({ wanted: false, rows });
}

function announceChange(change: BookmarkChangeResult): void {
  const isSentLater = currentSession() !== null && !hasConnection();
  const addedText = isSentLater ? `Saved on this phone. ${sendsLaterText()}` : 'Bookmarked.';
  showToast({
    text: change.wanted ? addedText : 'Bookmark removed.',
    action: { label: 'Undo', run: () => void undoChange(change) },
    passing: true,
  });
}

/** Stores a mutation on the device, shows that with "Undo", sends it and stores the tender. False after an error, with a message. */
export async function storeAndSendMutation(
  mutation: UnsavedMutation,
  tender: TenderSummary,
  find?: FindTender,
): Promise<boolean> {
  let change: BookmarkChangeResult;
  try {
    // Removes the fields that a card does not show.
    const summary = parse(TenderSummary, tender);
    const { owner, subject: tenderId, wanted } = mutation;
    const set = (db: DeviceDatabase) => setBookmark(db, { owner, tenderId, wanted, summary }, nowMs());
    change = await withDatabase((db) => writeForUser(db, () => set(db)));
  } catch (error) {
    announceFailure(error);
    return false;
  } finally {
    deleteMutation(mutation);
  }
  announceChange(change);
  if (change.wanted) void requestPersistentStorage();
  await sendPendingBookmarks();
  // The next refresh fetches a tender that failed now.
  if (change.wanted) await saveTenderForOffline(tender._id, writeForUser, find).catch(() => undefined);
  return true;
}

/** Bookmarks a tender, or removes its bookmark, without a message; false when it was not stored, with a message. */
export async function setBookmarkAndSend(tender: TenderSummary, wanted: boolean, find?: FindTender): Promise<boolean> {
  try {
    const bookmark = { owner: currentOwner(), tenderId: tender._id, wanted, summary: parse(TenderSummary, tender) };
    await withDatabase((db) => writeForUser(db, () => setBookmark(db, bookmark, nowMs())));
  } catch (error) {
    announceFailure(error);
    return false;
  }
  await sendPendingBookmarks();
  // The next refresh fetches a tender that failed now.
  if (wanted) await saveTenderForOffline(tender._id, writeForUser, find).catch(() => undefined);
  return true;
}
