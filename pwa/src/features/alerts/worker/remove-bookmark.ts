/** The button of a notification removes a bookmark on the device first, as in the app, which offers to undo it. */

import { withRawStores } from '../../../data/device/raw-database.ts';
import type { BookmarkRow } from '../../../data/device/schema.ts';

/** The key in `settings` of the rows that went so; the app reads and empties it (features/bookmarks/removed.ts). */
const REMOVED_BOOKMARKS_KEY = 'bookmarksRemoved';

/** Removes the bookmarks of an owner on a tender and wishes so; `now` is in milliseconds. One transaction. */
export async function removeBookmark(owner: string, tenderId: string, now: number): Promise<void> {
  await withRawStores(['bookmarks', 'wishes', 'settings'], 'readwrite', async ({ bookmarks, wishes, settings }) => {
    const isShown = (row: BookmarkRow) => row.tenderId === tenderId && (owner === '' || row.owner === owner);
    const removed = (await bookmarks.all()).filter(isShown);
    for (const row of removed) {
      bookmarks.delete([row.owner, tenderId]);
      if (row.owner === '') continue;
      const before = await wishes.get([row.owner, tenderId]);
      wishes.put({ owner: row.owner, tenderId, wanted: false, at: Math.max(now, (before?.at ?? 0) + 1) });
    }
    const earlier = (await settings.get(REMOVED_BOOKMARKS_KEY))?.value;
    const rows = removed.map((row) => ({ ...row, removedBy: owner }));
    settings.put({ key: REMOVED_BOOKMARKS_KEY, value: [...(Array.isArray(earlier) ? earlier : []), ...rows] });
  });
}

/** Ids of the tenders that are bookmarked on a device that nobody is signed in to. */
export async function bookmarkedIds(): Promise<string[]> {
  const rows = await withRawStores(['bookmarks'], 'readonly', ({ bookmarks }) => bookmarks.all());
  return [...new Set(rows.map(({ tenderId }) => tenderId))];
}
