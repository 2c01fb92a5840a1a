/**
 * Bookmarks in the app: the button's actions, the exchange with the server, and the data that screens show.
 */
import { plural, t } from '@lingui/core/macro';
import { TenderSummary } from '@nivida/contract/tenders/tender';
import { parse } from 'valibot';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, observeDevice, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { BookmarkRow, PendingBookmarkRow } from '../../data/device/schema.ts';
import { writeForUser } from '../../data/device/storage-quota.ts';
import { firmOwner, readFirms } from '../../data/firms/firm-list.ts';
import { sendsLaterText } from '../../data/outbox/background-sync.ts';
import { exchangeChanges, registerChanges } from '../../data/outbox/outbox.ts';
import { pendingChanges } from '../../data/outbox/pending-changes.ts';
import { noteNewestCursor } from '../../data/records/newest-cursor.ts';
import { hasConnection } from '../../data/server/reachability.ts';
import { currentOwner, currentSession } from '../../data/session.ts';
import { countClosingToday, showAppBadge } from '../../data/tenders/app-badge.ts';
import {
  deleteMutation,
  mutationsOfOtherPages,
  recordMutation,
  type UnsavedMutation,
} from '../../data/unsaved-mutations.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { readStoredBookmarkIds, useBookmarkStore, writeStoredBookmarkIds } from './bookmark-store.ts';
import {
  bookmarkedTenders,
  type FindTender,
  saveBookmarkedTenders,
  saveTenderForOffline,
} from './bookmarked-tenders.ts';
import {
  addAllBookmarks,
  type BookmarkChangeResult,
  discardRefused,
  importStoredIdsOnce,
  mergeBookmarksAtSignIn,
  replaceBookmarks,
  setBookmark,
  storeUnsavedMutation,
  TooManyBookmarksError,
  takeRemovedBookmarks,
  undoBookmarkChange,
  visibleBookmarks,
  type WantedBookmark,
} from './bookmarks.ts';

const nowMs = () => currentTime().getTime();

function announceRefused(message: string, count: number): void {
  const text =
    message === ''
      ? plural(count, { one: 'A bookmark was not saved.', other: '# bookmarks were not saved.' })
      : plural(count, { one: `A bookmark was not saved: ${message}`, other: `# bookmarks were not saved: ${message}` });
  showToast({ text });
}

registerChanges('bookmark', {
  async refused(db, refused) {
    await discardRefused(
      db,
      refused.map(({ change }) => change as PendingBookmarkRow),
    );
    announceRefused(refused[0]?.refusal.message ?? '', refused.length);
  },
  async receive(db, owner, { tenderIds, recordsCursor, firms }) {
    noteNewestCursor(owner, recordsCursor);
    for (const firm of firms ?? []) noteNewestCursor(firmOwner(owner, firm.id), firm.recordsCursor);
    await db.transaction('rw', db.bookmarks, db.outbox, async () => {
      if (currentOwner() === owner) await replaceBookmarks(db, owner, tenderIds, nowMs());
    });
    if (firms === undefined && (await readFirms(db, owner)).length === 0) return;
    const { receiveFirms } = await import('../../data/firms/sync-firms.ts');
    await receiveFirms(db, owner, firms);
  },
});

/**
 * Sends the pending bookmarks of the signed-in user, receives the server's, and retries what fails. The store
 * has the last error. Never throws.
 */
export async function sendPendingBookmarks(): Promise<void> {
  const owner = currentOwner();
  try {
    await exchangeChanges();
    useBookmarkStore.setState({ error: undefined });
  } catch (error) {
    if (owner === currentOwner()) useBookmarkStore.setState({ error });
  }
}

/** Exchanges the bookmarks, and shows that those of the server are requested. Never throws. */
export async function refreshBookmarks(): Promise<void> {
  useBookmarkStore.setState({ isRefreshing: currentOwner() !== '' && navigator.onLine });
  await sendPendingBookmarks();
  useBookmarkStore.setState({ isRefreshing: false });
}

function failureText(error: unknown): string {
  if (error instanceof TooManyBookmarksError) return t`At most 1,000 tenders can be bookmarked. Remove one first.`;
  if (error instanceof DatabaseUnavailableError)
    return t`${{ problem: storageProblem() }}, so bookmarks cannot be saved.`;
  return t`Failed to bookmark tender`;
}

/** Shows why a bookmark was not stored. */
const announceFailure = (error: unknown): void => showToast({ text: failureText(error) });

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

/** Tells the user that a notification's button has removed bookmarks, with "Undo". */
export async function announceRemovedBookmarks(): Promise<void> {
  const owner = currentOwner();
  const rows = await withDatabase((db) => takeRemovedBookmarks(db, owner));
  if (rows.length > 0) announceChange({ wanted: false, rows });
}

function addedText(count: number): string {
  const isSentLater = currentSession() !== null && !hasConnection();
  if (isSentLater) return t`Saved on this phone. ${{ later: sendsLaterText() }}`;
  return count === 1 ? t`Bookmarked.` : plural(count, { one: '# tender bookmarked.', other: '# tenders bookmarked.' });
}

function announceChange(change: BookmarkChangeResult): void {
  showToast({
    text: change.wanted ? addedText(change.rows.length) : t`Bookmark removed.`,
    action: { label: t`Undo`, run: () => void undoChange(change) },
    passing: true,
  });
}

/** A mutation is that of a button: it is announced with "Undo", and its record is deleted. */
async function storeAndSend(
  { owner, wanted }: Pick<WantedBookmark, 'owner' | 'wanted'>,
  tender: TenderSummary,
  find?: FindTender,
  mutation?: UnsavedMutation,
): Promise<boolean> {
  try {
    // Removes the fields that a card does not show.
    const bookmark = { owner, tenderId: tender._id, wanted, summary: parse(TenderSummary, tender) };
    const change = await withDatabase((db) => writeForUser(db, () => setBookmark(db, bookmark, nowMs())));
    if (mutation) announceChange(change);
  } catch (error) {
    announceFailure(error);
    return false;
  } finally {
    if (mutation) deleteMutation(mutation);
  }
  if (mutation && wanted) void requestPersistentStorage();
  await sendPendingBookmarks();
  // If this fails, the next refresh fetches the tender.
  if (wanted) await saveTenderForOffline(tender._id, writeForUser, find).catch(() => undefined);
  return true;
}

/**
 * Stores a mutation on the device, shows a message with "Undo", sends the mutation and stores the tender.
 * False after an error, with a message.
 */
export const storeAndSendMutation = (
  mutation: UnsavedMutation,
  tender: TenderSummary,
  find?: FindTender,
): Promise<boolean> => storeAndSend(mutation, tender, find, mutation);

/** Adds or removes a tender's bookmark without a message. False when it was not stored, with a message. */
export const setBookmarkAndSend = (tender: TenderSummary, wanted: boolean, find?: FindTender): Promise<boolean> =>
  storeAndSend({ owner: currentOwner(), wanted }, tender, find);

/**
 * Bookmarks all these tenders with one message and one "Undo", sends them and stores them. False when none was stored, with a
 * message.
 */
export async function bookmarkAll(tenders: readonly TenderSummary[], find?: FindTender): Promise<boolean> {
  const owner = currentOwner();
  try {
    // Removes the fields that a card does not show.
    const summaries = tenders.map((tender) => parse(TenderSummary, tender));
    announceChange(await withDatabase((db) => writeForUser(db, () => addAllBookmarks(db, owner, summaries, nowMs()))));
  } catch (error) {
    announceFailure(error);
    return false;
  }
  void requestPersistentStorage();
  await sendPendingBookmarks();
  // If this fails, the next refresh fetches the tenders.
  await saveBookmarkedTenders(find).catch(() => undefined);
  return true;
}

/**
 * Counts the bookmarked tenders that close today and shows the number. Runs after changes and at each sync.
 */
async function updateBadge(): Promise<void> {
  const bookmarks = await withDatabase((db) => bookmarkedTenders(db, currentOwner()));
  const tenders = bookmarks.flatMap(({ tender }) => tender ?? []);
  await showAppBadge(countClosingToday(tenders, currentTime()));
}

interface BookmarkSnapshot {
  rows: BookmarkRow[];
  waiting: number;
}

function publishSnapshot(owner: string, { rows, waiting }: BookmarkSnapshot): void {
  // The owner of these rows may have signed out, or the session may have expired.
  if (owner !== currentOwner()) {
    watchBookmarks();
    return;
  }
  const ids = rows.map(({ tenderId }) => tenderId).reverse();
  writeStoredBookmarkIds(ids);
  useBookmarkStore.setState({ ids: new Set(ids), waiting, needsSignIn: rows.some((row) => row.owner !== owner) });
  // The next sync counts again after a failure.
  void updateBadge().catch(() => undefined);
}

let stopWatching: (() => void) | undefined;

/**
 * Watches the bookmarks of the signed-in user. Ends an earlier watch. If the connection to the database is
 * lost, the watch ends until the next sync.
 */
function watchBookmarks(): void {
  stopWatching?.();
  const owner = currentOwner();
  stopWatching = observeDevice(
    async (db) => ({
      rows: await visibleBookmarks(db, owner),
      waiting: (await pendingChanges(db, owner, 'bookmark')).length,
    }),
    (snapshot) => publishSnapshot(owner, snapshot),
  );
}

/** Stores the mutations of pages that the user left before they were stored. */
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

/** Stores and sends the mutations of pages that the user left before they were stored. */
export const storeAndSendAbandonedMutations = (): Promise<void> => storeAbandonedMutations().then(sendPendingBookmarks);

/**
 * Gives the device's bookmarks to the signed-in user and watches them. Called at the start and at each
 * sign-in.
 */
export async function initBookmarks(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await withDatabase((db) => importStoredIdsOnce(db, owner, readStoredBookmarkIds(), now));
  await storeAbandonedMutations();
  if (owner !== '') await withDatabase((db) => mergeBookmarksAtSignIn(db, owner, now));
  watchBookmarks();
}

/**
 * Exchanges bookmarks with the server, stores their tenders and updates the badge. If the exchange failed,
 * throws at the end.
 */
export async function syncBookmarks(find?: FindTender): Promise<void> {
  await announceRemovedBookmarks();
  await initBookmarks();
  await refreshBookmarks();
  await saveBookmarkedTenders(find);
  await updateBadge();
  const { error } = useBookmarkStore.getState();
  if (error !== undefined) throw error;
}
