/** Bookmarks and their pending changes on the device: ownership, sign-in and sign-out (R34). */
import { MAX_BOOKMARKS } from '@nivida/contract/limits';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { BookmarkRow, DeviceDatabase, PendingBookmarkRow } from '../../data/device/schema.ts';
import { REMOVED_BOOKMARKS_KEY } from '../../data/device/worker-database.ts';
import {
  bookmarkChange,
  deleteSentChanges,
  pendingChanges,
  putPendingChange,
} from '../../data/outbox/pending-changes.ts';
import type { UnsavedMutation } from '../../data/unsaved-mutations.ts';

/** The key in `settings` that marks browser storage as imported. */
const STORAGE_READ_KEY = 'bookmarksRead';

/** Thrown when a bookmark would exceed the limit. */
export class TooManyBookmarksError extends Error {
  override name = 'TooManyBookmarksError';
}

/**
 * The bookmarks that the owner sees, newest first, each tender once. Signed out (`owner` ''), the rows of a
 * user whose session the server has ended are included. A sign-out by the user removes the user's rows.
 */
export async function visibleBookmarks(db: DeviceDatabase, owner: string): Promise<BookmarkRow[]> {
  const rows = await (owner === '' ? db.bookmarks.toArray() : db.bookmarks.where('owner').equals(owner).toArray());
  const newestFirst = rows.sort((a, b) => b.at - a.at);
  return [...new Map(newestFirst.map((row) => [row.tenderId, row])).values()];
}

/** Queues the change of a bookmark for the server. Changes made while signed out are not queued. */
async function queueChange(
  db: DeviceDatabase,
  { owner, tenderId }: BookmarkRow,
  wanted: boolean,
  now: number,
): Promise<void> {
  if (owner !== '') await putPendingChange(db.outbox, bookmarkChange(owner, tenderId, wanted, now));
}

async function addBookmarks(db: DeviceDatabase, rows: readonly BookmarkRow[], now: number): Promise<void> {
  for (const row of rows) {
    await db.bookmarks.put(row);
    await queueChange(db, row, true, now);
  }
}

async function removeBookmarks(db: DeviceDatabase, rows: readonly BookmarkRow[], now: number): Promise<void> {
  for (const row of rows) {
    await db.bookmarks.delete([row.owner, row.tenderId]);
    await queueChange(db, row, false, now);
  }
}

/** A change by the bookmark button: the added or removed rows. */
export interface BookmarkChangeResult {
  wanted: boolean;
  rows: BookmarkRow[];
}

/** The state that a bookmark button asks for. */
export interface WantedBookmark {
  /** The user's id, or '' when signed out. */
  owner: string;
  tenderId: string;
  /** False to remove it. */
  wanted: boolean;
  summary: TenderSummary | null;
}

/**
 * Adds or removes a tender's bookmark. Calling it twice changes nothing more. Throws TooManyBookmarksError.
 * One transaction.
 */
export function setBookmark(
  db: DeviceDatabase,
  { owner, tenderId, wanted, summary }: WantedBookmark,
  now: number,
): Promise<BookmarkChangeResult> {
  return db.transaction('rw', db.bookmarks, db.outbox, async () => {
    const visible = await visibleBookmarks(db, owner);
    const existing = visible.find((row) => row.tenderId === tenderId);
    if (!wanted) {
      const same = await db.bookmarks.where('tenderId').equals(tenderId).toArray();
      const rows = same.filter((row) => owner === '' || row.owner === owner);
      await removeBookmarks(db, rows, now);
      return { wanted: false, rows };
    }
    if (existing) {
      if (summary) await db.bookmarks.put({ ...existing, summary });
      return { wanted: true, rows: [existing] };
    }
    if (visible.length >= MAX_BOOKMARKS) throw new TooManyBookmarksError();
    const rows = [{ owner, tenderId, at: now, summary }];
    await addBookmarks(db, rows, now);
    return { wanted: true, rows };
  });
}

/**
 * Bookmarks those of the tenders that are not bookmarked, in their order. Throws TooManyBookmarksError and then adds none. One
 * transaction.
 */
export function addAllBookmarks(
  db: DeviceDatabase,
  owner: string,
  tenders: readonly TenderSummary[],
  now: number,
): Promise<BookmarkChangeResult> {
  return db.transaction('rw', db.bookmarks, db.outbox, async () => {
    const existing = new Set((await visibleBookmarks(db, owner)).map(({ tenderId }) => tenderId));
    const rows = tenders
      .filter(({ _id }) => !existing.has(_id))
      .map((summary, index) => ({ owner, tenderId: summary._id, at: now - index, summary }));
    if (existing.size + rows.length > MAX_BOOKMARKS) throw new TooManyBookmarksError();
    await addBookmarks(db, rows, now);
    return { wanted: true, rows };
  });
}

/** Undoes a change and queues the opposite one. One transaction. */
export function undoBookmarkChange(
  db: DeviceDatabase,
  { wanted, rows }: BookmarkChangeResult,
  now: number,
): Promise<void> {
  // Dexie sees the awaits of an async function only. Another one would end the transaction after the first row.
  return db.transaction('rw', db.bookmarks, db.outbox, async () => {
    if (wanted) await removeBookmarks(db, rows, now);
    else await addBookmarks(db, rows, now);
  });
}

/**
 * Stores a mutation that another page has recorded. If its user is not signed in, the change is only queued
 * and is applied at the next sign-in. Throws TooManyBookmarksError. One transaction.
 */
export async function storeUnsavedMutation(
  db: DeviceDatabase,
  { owner, subject: tenderId, wanted }: UnsavedMutation,
  currentOwner: string,
  now: number,
): Promise<void> {
  if (owner === '' || owner === currentOwner) await setBookmark(db, { owner, tenderId, wanted, summary: null }, now);
  else
    await db.transaction('rw', db.outbox, () =>
      putPendingChange(db.outbox, bookmarkChange(owner, tenderId, wanted, now)),
    );
}

/**
 * Called after a sign-in: the user's pending changes are applied again, and rows without an owner become the
 * user's. Rows of other users, which ended sessions have left, are removed; their pending changes stay. One
 * transaction.
 */
export function mergeBookmarksAtSignIn(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.outbox, async () => {
    for (const { tenderId, wanted, at } of await pendingChanges(db, owner, 'bookmark')) {
      const row = await db.bookmarks.get([owner, tenderId]);
      if (wanted && !row) await db.bookmarks.put({ owner, tenderId, at, summary: null });
      if (!wanted) await db.bookmarks.delete([owner, tenderId]);
    }
    const unowned = await db.bookmarks.where('owner').equals('').toArray();
    await addBookmarks(
      db,
      unowned.map((row) => ({ ...row, owner })),
      now,
    );
    await db.bookmarks.where('owner').notEqual(owner).delete();
  });
}

/**
 * Called after a sign-out: removes the user's bookmarks, and the list of those that a notification's button has
 * removed. Pending changes stay. One transaction.
 */
export function deleteBookmarksAtSignOut(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.settings, async () => {
    await db.bookmarks.where('owner').equals(owner).delete();
    await deleteRemovedBookmarksOf(db, owner);
  });
}

/** Imports the ids of browser storage, oldest first, once, at the first start. One transaction. */
export function importStoredIdsOnce(
  db: DeviceDatabase,
  owner: string,
  storedIds: readonly string[],
  now: number,
): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.outbox, db.settings, async () => {
    if (await db.settings.get(STORAGE_READ_KEY)) return;
    await db.settings.put({ key: STORAGE_READ_KEY, value: true });
    const ids = storedIds.slice(-MAX_BOOKMARKS);
    const existingIds = new Set((await visibleBookmarks(db, owner)).map(({ tenderId }) => tenderId));
    const rows = ids.map((tenderId, index) => ({ owner, tenderId, at: now - ids.length + index, summary: null }));
    await addBookmarks(
      db,
      rows.filter(({ tenderId }) => !existingIds.has(tenderId)),
      now,
    );
  });
}

/** Replaces the owner's rows by the server's, newest first, except for tenders with a pending change. For a transaction. */
export async function replaceBookmarks(
  db: DeviceDatabase,
  owner: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  const pendingIds = new Set((await pendingChanges(db, owner, 'bookmark')).map(({ tenderId }) => tenderId));
  const rows = await db.bookmarks.where('owner').equals(owner).toArray();
  const storedIds = new Set(rows.map(({ tenderId }) => tenderId));
  const received = new Set(ids);
  const removedIds = [...storedIds].filter((tenderId) => !received.has(tenderId) && !pendingIds.has(tenderId));
  await db.bookmarks.bulkDelete(removedIds.map((tenderId) => [owner, tenderId]));
  await db.bookmarks.bulkAdd(
    ids
      .map((tenderId, index) => ({ owner, tenderId, at: now - index, summary: null }))
      .filter(({ tenderId }) => !storedIds.has(tenderId) && !pendingIds.has(tenderId)),
  );
}

/** Removes changes that the server has refused, and the bookmarks that they made. One transaction. */
export function discardRefused(db: DeviceDatabase, refused: readonly PendingBookmarkRow[]): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.outbox, async () => {
    const deleted = await deleteSentChanges(db.outbox, refused);
    await db.bookmarks.bulkDelete(
      deleted.filter(({ wanted }) => wanted).map(({ owner, tenderId }) => [owner, tenderId]),
    );
  });
}

/** A bookmark that a notification's button has removed. The service worker lists them and the app offers to undo it. */
interface RemovedBookmarkRow extends BookmarkRow {
  /** The user whose alerts were on, or '' for a signed-out device. */
  removedBy: string;
}

async function readRemovedBookmarks(db: DeviceDatabase): Promise<RemovedBookmarkRow[]> {
  const rows = (await db.settings.get(REMOVED_BOOKMARKS_KEY))?.value;
  return Array.isArray(rows) ? rows : [];
}

async function writeRemovedBookmarks(db: DeviceDatabase, rows: readonly RemovedBookmarkRow[]): Promise<void> {
  if (rows.length > 0) await db.settings.put({ key: REMOVED_BOOKMARKS_KEY, value: rows });
  else await db.settings.delete(REMOVED_BOOKMARKS_KEY);
}

const isRemovedBy = (owner: string, { removedBy }: RemovedBookmarkRow) => removedBy === owner;

/**
 * Returns the rows that `owner` ('' for the signed-out device) has removed, and removes them from the list.
 * Rows of other owners stay. Deletes the bookmarks again, because live queries do not see the service
 * worker's writes. One transaction.
 */
export function takeRemovedBookmarks(db: DeviceDatabase, owner: string): Promise<BookmarkRow[]> {
  return db.transaction('rw', db.bookmarks, db.settings, async () => {
    const rows = await readRemovedBookmarks(db);
    if (rows.length === 0) return [];
    const back = await db.bookmarks.bulkGet(rows.map((row) => [row.owner, row.tenderId]));
    const removedRows = rows.filter((_row, index) => !back[index]);
    await db.bookmarks.bulkDelete(removedRows.map((row) => [row.owner, row.tenderId]));
    await writeRemovedBookmarks(
      db,
      removedRows.filter((row) => !isRemovedBy(owner, row)),
    );
    return removedRows.filter((row) => isRemovedBy(owner, row)).map(({ removedBy: _removedBy, ...row }) => row);
  });
}

/** Removes the list of a user who has signed out. */
async function deleteRemovedBookmarksOf(db: DeviceDatabase, owner: string): Promise<void> {
  const rows = await readRemovedBookmarks(db);
  if (rows.length === 0) return;
  await writeRemovedBookmarks(
    db,
    rows.filter((row) => row.owner !== owner && !isRemovedBy(owner, row)),
  );
}
