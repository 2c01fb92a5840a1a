/** Bookmarks and wishes in the device's database: who owns them, and what signing in and out does to them (R34). */
import { MAX_BOOKMARKS } from '@nivida/contract/bookmark';
import type { TenderSummary } from '@nivida/contract/tender';
import type { BookmarkRow, DeviceDatabase } from '../../data/db.ts';
import { forgetRemoved } from './removed.ts';
import { readStoredIds } from './saved.ts';

/** The key in `settings` of "browser storage has been read". */
const READ = 'bookmarksRead';

/** Thrown when another bookmark would be one too many. */
export class TooManyBookmarks extends Error {
  override name = 'TooManyBookmarks';
}

/**
 * Rows that the present user sees, newest first, each tender once. Signed out (`owner` '') these are also the rows of
 * a session that the server has ended: a sign-out by hand would have removed them.
 */
export async function visibleBookmarks(db: DeviceDatabase, owner: string): Promise<BookmarkRow[]> {
  const rows = await (owner === '' ? db.bookmarks.toArray() : db.bookmarks.where('owner').equals(owner).toArray());
  const newestFirst = rows.sort((a, b) => b.at - a.at);
  return [...new Map(newestFirst.map((row) => [row.tenderId, row])).values()];
}

/** Remembers what an owner wants; a wish is always younger than the one it replaces, also within a millisecond. */
async function wish(db: DeviceDatabase, owner: string, tenderId: string, wanted: boolean, now: number): Promise<void> {
  if (owner === '') return;
  const before = await db.wishes.get([owner, tenderId]);
  await db.wishes.put({ owner, tenderId, wanted, at: Math.max(now, (before?.at ?? 0) + 1) });
}

async function keep(db: DeviceDatabase, rows: readonly BookmarkRow[], now: number): Promise<void> {
  for (const row of rows) {
    await db.bookmarks.put(row);
    await wish(db, row.owner, row.tenderId, true, now);
  }
}

async function remove(db: DeviceDatabase, rows: readonly BookmarkRow[], now: number): Promise<void> {
  for (const { owner, tenderId } of rows) {
    await db.bookmarks.delete([owner, tenderId]);
    await wish(db, owner, tenderId, false, now);
  }
}

/** What a press of the button did: the rows it made, or those it removed. */
export interface Change {
  wanted: boolean;
  rows: BookmarkRow[];
}

/** Turns one tender's bookmark round; `now` is in milliseconds. Throws TooManyBookmarks. One transaction. */
export function toggleBookmark(
  db: DeviceDatabase,
  owner: string,
  tenderId: string,
  summary: TenderSummary | null,
  now: number,
): Promise<Change> {
  return db.transaction('rw', db.bookmarks, db.wishes, async () => {
    const visible = await visibleBookmarks(db, owner);
    if (visible.some((row) => row.tenderId === tenderId)) {
      const same = await db.bookmarks.where('tenderId').equals(tenderId).toArray();
      const rows = same.filter((row) => owner === '' || row.owner === owner);
      await remove(db, rows, now);
      return { wanted: false, rows };
    }
    if (visible.length >= MAX_BOOKMARKS) throw new TooManyBookmarks();
    const rows = [{ owner, tenderId, at: now, summary }];
    await keep(db, rows, now);
    return { wanted: true, rows };
  });
}

/** Takes a change back: the rows are as they were, and the wishes say so. One transaction. */
export function undoChange(db: DeviceDatabase, { wanted, rows }: Change, now: number): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.wishes, () => (wanted ? remove(db, rows, now) : keep(db, rows, now)));
}

/**
 * A user has signed in: rows without an owner become the user's and are wished for, unsent wishes show as they were
 * wished. Rows of others, left by sessions that the server ended, go: their users' own sets come with their sign-in,
 * and their unsent wishes stay. One transaction.
 */
export function mergeAtSignIn(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.wishes, async () => {
    for (const { tenderId, wanted, at } of await db.wishes.where('owner').equals(owner).toArray()) {
      const row = await db.bookmarks.get([owner, tenderId]);
      if (wanted && !row) await db.bookmarks.put({ owner, tenderId, at, summary: null });
      if (!wanted) await db.bookmarks.delete([owner, tenderId]);
    }
    const unowned = await db.bookmarks.where('owner').equals('').toArray();
    await keep(
      db,
      unowned.map((row) => ({ ...row, owner })),
      now,
    );
    await db.bookmarks.where('owner').notEqual(owner).delete();
  });
}

/** The user has signed out: the user's rows and removals go, unsent changes stay. One transaction. */
export function clearAtSignOut(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.settings, async () => {
    await db.bookmarks.where('owner').equals(owner).delete();
    await forgetRemoved(db, owner);
  });
}

/** Takes over browser storage's `bookmarkedTenders` on the first start, and never again. One transaction. */
export function readStorageOnce(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.wishes, db.settings, async () => {
    if (await db.settings.get(READ)) return;
    await db.settings.put({ key: READ, value: true });
    const ids = readStoredIds().slice(-MAX_BOOKMARKS);
    const held = new Set((await visibleBookmarks(db, owner)).map(({ tenderId }) => tenderId));
    const rows = ids.map((tenderId, index) => ({ owner, tenderId, at: now - ids.length + index, summary: null }));
    await keep(
      db,
      rows.filter(({ tenderId }) => !held.has(tenderId)),
      now,
    );
  });
}
