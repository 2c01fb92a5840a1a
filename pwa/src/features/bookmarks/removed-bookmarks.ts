/** Bookmarks that a notification's button has removed. The service worker lists them and the app offers to undo it. */
import type { BookmarkRow, DeviceDatabase } from '../../data/device/schema.ts';
import { REMOVED_BOOKMARKS_KEY } from '../../data/device/worker-database.ts';

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
 * Returns and forgets the rows that `owner` ('' for the signed-out device) has removed; those of others stay. It deletes
 * the bookmarks again, since live queries do not see the service worker's writes. One transaction.
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
export async function deleteRemovedBookmarksOf(db: DeviceDatabase, owner: string): Promise<void> {
  const rows = await readRemovedBookmarks(db);
  if (rows.length === 0) return;
  await writeRemovedBookmarks(
    db,
    rows.filter((row) => row.owner !== owner && !isRemovedBy(owner, row)),
  );
}
