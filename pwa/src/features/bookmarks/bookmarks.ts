/** Bookmarks and their pending changes on the device, with ownership, sign-in and sign-out (R34). */
import { MAX_BOOKMARKS } from '@nivida/contract/limits';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { BookmarkRow, DeviceDatabase } from '../../data/device/schema.ts';
import { bookmarkChange, pendingChanges, putPendingChange } from '../../data/outbox/pending-changes.ts';
import type { UnsavedMutation } from '../../data/unsaved-mutations.ts';
import { readStoredBookmarkIds } from './bookmark-store.ts';
import { deleteRemovedBookmarksOf } from './removed-bookmarks.ts';

/** The key in `settings` that marks browser storage as imported. */
const STORAGE_READ_KEY = 'bookmarksRead';

/** Thrown when a bookmark would exceed the limit. */
export class TooManyBookmarksError extends Error {
  override name = 'TooManyBookmarksError';
}

/**
 * The bookmarks that the owner sees, newest first, each tender once. Signed out (`owner` '') they include the rows of a
 * session that the server has ended; a sign-out by the user removes its rows.
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

/** What a bookmark button wants. */
export interface WantedBookmark {
  /** The user's id, or '' when signed out. */
  owner: string;
  tenderId: string;
  /** False to remove it. */
  wanted: boolean;
  summary: TenderSummary | null;
}

/** Adds or removes a tender's bookmark; twice changes nothing more. Throws TooManyBookmarksError. One transaction. */
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

/** Undoes a change and queues the opposite one. One transaction. */
export function undoBookmarkChange(
  db: DeviceDatabase,
  { wanted, rows }: BookmarkChangeResult,
  now: number,
): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.outbox, () =>
    wanted ? removeBookmarks(db, rows, now) : addBookmarks(db, rows, now),
  );
}

/**
 * Stores a mutation that another page has recorded. Of a user who is not signed in only the change is queued, which the next
 * sign-in applies. Throws TooManyBookmarksError. One transaction.
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
 * After a sign-in: the user's pending changes apply again and rows without an owner become the user's. Rows of other
 * users, left by ended sessions, are removed; their pending changes stay. One transaction.
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

/** Removes a user's rows and removals after the sign-out. Pending changes stay. One transaction. */
export function deleteBookmarksAtSignOut(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.settings, async () => {
    await db.bookmarks.where('owner').equals(owner).delete();
    await deleteRemovedBookmarksOf(db, owner);
  });
}

/** Imports `bookmarkedTenders` of browser storage once, at the first start. One transaction. */
export function importStoredIdsOnce(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.outbox, db.settings, async () => {
    if (await db.settings.get(STORAGE_READ_KEY)) return;
    await db.settings.put({ key: STORAGE_READ_KEY, value: true });
    const ids = readStoredBookmarkIds().slice(-MAX_BOOKMARKS);
    const existingIds = new Set((await visibleBookmarks(db, owner)).map(({ tenderId }) => tenderId));
    const rows = ids.map((tenderId, index) => ({ owner, tenderId, at: now - ids.length + index, summary: null }));
    await addBookmarks(
      db,
      rows.filter(({ tenderId }) => !existingIds.has(tenderId)),
      now,
    );
  });
}
