/** Bookmarks that the button of a notification has taken away: the service worker wrote it, the app says so and can undo it. */
import type { BookmarkRow, DeviceDatabase } from '../../data/db.ts';

/** The key in `settings` where the service worker leaves the rows (features/alerts/worker/unbookmark.ts). */
const REMOVED = 'bookmarksRemoved';

/** Takes the rows that went so since the last time, and lets screens hear that they are gone. One transaction. */
export function takeRemoved(db: DeviceDatabase): Promise<BookmarkRow[]> {
  return db.transaction('rw', db.bookmarks, db.settings, async () => {
    const rows = (await db.settings.get(REMOVED))?.value;
    if (!Array.isArray(rows)) return [];
    await db.settings.delete(REMOVED);
    const back = await db.bookmarks.bulkGet(rows.map(({ owner, tenderId }: BookmarkRow) => [owner, tenderId]));
    const gone: BookmarkRow[] = rows.filter((_row, index) => !back[index]);
    await db.bookmarks.bulkDelete(gone.map(({ owner, tenderId }) => [owner, tenderId]));
    return gone;
  });
}
