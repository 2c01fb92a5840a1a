/** Bookmarks that the button of a notification has removed: the service worker lists them, the app offers to undo it. */
import type { BookmarkRow, DeviceDatabase } from '../../data/db.ts';

/** The key in `settings` where the service worker leaves the rows (features/alerts/worker/unbookmark.ts). */
const REMOVED = 'bookmarksRemoved';

/** A removed row. */
interface RemovedRow extends BookmarkRow {
  /** The user whose alerts were on, or '' for a signed-out device. Earlier versions did not write it. */
  removedBy?: string;
}

async function readRemoved(db: DeviceDatabase): Promise<RemovedRow[]> {
  const rows = (await db.settings.get(REMOVED))?.value;
  return Array.isArray(rows) ? rows : [];
}

async function writeRemoved(db: DeviceDatabase, rows: readonly RemovedRow[]): Promise<void> {
  if (rows.length > 0) await db.settings.put({ key: REMOVED, value: rows });
  else await db.settings.delete(REMOVED);
}

const isRemovedBy = (owner: string, { removedBy, ...row }: RemovedRow) => (removedBy ?? row.owner) === owner;

/**
 * Takes what `owner` ('' for a signed-out device) has removed since the last time; the rows of others stay for them.
 * Screens notice that the bookmarks are gone. One transaction.
 */
export function takeRemoved(db: DeviceDatabase, owner: string): Promise<BookmarkRow[]> {
  return db.transaction('rw', db.bookmarks, db.settings, async () => {
    const rows = await readRemoved(db);
    if (rows.length === 0) return [];
    const back = await db.bookmarks.bulkGet(rows.map((row) => [row.owner, row.tenderId]));
    const gone = rows.filter((_row, index) => !back[index]);
    await db.bookmarks.bulkDelete(gone.map((row) => [row.owner, row.tenderId]));
    await writeRemoved(
      db,
      gone.filter((row) => !isRemovedBy(owner, row)),
    );
    return gone.filter((row) => isRemovedBy(owner, row)).map(({ removedBy: _removedBy, ...row }) => row);
  });
}

/** Forgets the rows of a user who has signed out. */
export async function forgetRemoved(db: DeviceDatabase, owner: string): Promise<void> {
  const rows = await readRemoved(db);
  if (rows.length === 0) return;
  await writeRemoved(
    db,
    rows.filter((row) => row.owner !== owner && !isRemovedBy(owner, row)),
  );
}
