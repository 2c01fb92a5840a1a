/** Sends pending bookmarks and receives the server's set. */
import { MAX_BOOKMARK_CHANGES } from '@nivida/contract/limits';
import { BookmarkSyncResponse } from '@nivida/contract/tenders/bookmark';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase, PendingBookmarkRow } from '../../data/device/schema.ts';
import { createOutboxLoop } from '../../data/outbox/outbox.ts';
import { deleteSentChanges, pendingChanges } from '../../data/outbox/pending-changes.ts';
import { noteNewestCursor } from '../../data/records/newest-cursor.ts';
import { apiOf, errorMessage } from '../../data/server/api.ts';
import { classifySendError } from '../../data/server/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { useBookmarkStore } from './bookmark-store.ts';

/** Replaces the owner's rows by the server's, newest first, except for tenders with a pending change. */
async function replaceBookmarks(db: DeviceDatabase, owner: string, ids: readonly string[], now: number): Promise<void> {
  const pendingIds = new Set((await pendingChanges(db, owner, 'bookmark')).map(({ tenderId }) => tenderId));
  const storedIds = new Set(
    (await db.bookmarks.where('owner').equals(owner).toArray()).map(({ tenderId }) => tenderId),
  );
  const received = new Set(ids);
  const removedIds = [...storedIds].filter((tenderId) => !received.has(tenderId) && !pendingIds.has(tenderId));
  await db.bookmarks.bulkDelete(removedIds.map((tenderId) => [owner, tenderId]));
  await db.bookmarks.bulkAdd(
    ids
      .map((tenderId, index) => ({ owner, tenderId, at: now - index, summary: null }))
      .filter(({ tenderId }) => !storedIds.has(tenderId) && !pendingIds.has(tenderId)),
  );
}

/** Removes the changes that the server has answered, then stores its set. One transaction. */
function storeServerResponse(
  db: DeviceDatabase,
  owner: string,
  sent: readonly PendingBookmarkRow[],
  answer: BookmarkSyncResponse,
): Promise<void> {
  const answered = new Set(answer.results.filter(({ result }) => result !== 'retry').map(({ tenderId }) => tenderId));
  return db.transaction('rw', db.bookmarks, db.outbox, async () => {
    await deleteSentChanges(
      db.outbox,
      sent.filter(({ tenderId }) => answered.has(tenderId)),
    );
    // After a sign-out the set must not come back to the device.
    if (currentOwner() === owner) await replaceBookmarks(db, owner, answer.tenderIds, currentTime().getTime());
  });
}

/** Removes rejected changes and the bookmarks that they made. One transaction. */
function discardRejected(db: DeviceDatabase, sent: readonly PendingBookmarkRow[]): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.outbox, async () => {
    const deleted = await deleteSentChanges(db.outbox, sent);
    await db.bookmarks.bulkDelete(
      deleted.filter(({ wanted }) => wanted).map(({ owner, tenderId }) => [owner, tenderId]),
    );
  });
}

function announceRejected(message: string | undefined, count: number): void {
  if (count === 0) return;
  const what = count === 1 ? 'A bookmark was not saved' : `${count} bookmarks were not saved`;
  showToast({ text: message ? `${what}: ${message}` : `${what}.` });
}

/** Sends one batch. Returns true when the next one can follow. Throws when the batch must be repeated. */
async function exchangeBatch(owner: string, sent: readonly PendingBookmarkRow[]): Promise<boolean> {
  const changes = sent.map(({ tenderId, wanted }) => ({ tenderId, wanted }));
  let response: BookmarkSyncResponse;
  try {
    response = await apiOf(owner).post('api/bookmarks/sync', { json: { changes } }).json(BookmarkSyncResponse);
    await withDatabase((db) => storeServerResponse(db, owner, sent, response));
  } catch (error) {
    if (owner !== currentOwner()) return false;
    useBookmarkStore.setState({ error });
    const failure = classifySendError(error);
    if (failure === 'retry' && sent.length > 0) throw error;
    if (failure === 'rejected') {
      await withDatabase((db) => discardRejected(db, sent));
      announceRejected(errorMessage(error, 'Failed to bookmark tender'), sent.length);
    }
    return false;
  }
  noteNewestCursor(owner, response.recordsCursor);
  const rejected = response.results.filter(({ result }) => result === 'rejected');
  announceRejected(rejected[0]?.message, rejected.length);
  useBookmarkStore.setState({ error: undefined });
  const answeredCount = response.results.filter(({ result }) => result !== 'retry').length;
  if (answeredCount < sent.length) throw new Error('The server could not store every bookmark.');
  return true;
}

let isPullRequested = false;

/** Sends all pending changes of the user in batches. Without any it requests the server's set, when `refreshBookmarks` asked for it. */
async function exchangeAllBatches(): Promise<void> {
  const owner = currentOwner();
  while (owner !== '' && owner === currentOwner()) {
    const changes = await withDatabase((db) => pendingChanges(db, owner, 'bookmark'));
    const sent = changes.slice(0, MAX_BOOKMARK_CHANGES);
    if (sent.length === 0 && !isPullRequested) break;
    isPullRequested = false;
    if (!(await exchangeBatch(owner, sent))) return;
  }
}

const bookmarkLoop = createOutboxLoop('bookmarks', exchangeAllBatches);

/** Sends the pending bookmarks of the signed-in user and repeats what fails. The store has the last error. Never throws. */
export async function sendPendingBookmarks(): Promise<void> {
  if (currentOwner() === '') bookmarkLoop.stop();
  else await bookmarkLoop.run().catch(() => undefined);
}

/** The same, and receives the server's set also when nothing is pending. */
export async function refreshBookmarks(): Promise<void> {
  isPullRequested = currentOwner() !== '';
  useBookmarkStore.setState({ isRefreshing: isPullRequested && navigator.onLine });
  await sendPendingBookmarks();
  useBookmarkStore.setState({ isRefreshing: false });
}
