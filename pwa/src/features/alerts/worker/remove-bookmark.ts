/**
 * The button "Remove bookmark" of a notification. The device changes at once, and the app offers to undo it.
 */

import type { BookmarkRow } from '../../../data/device/schema.ts';
import { REMOVED_BOOKMARKS_KEY, withStores } from '../../../data/device/worker-database.ts';
import { bookmarkChange, putPendingChange } from '../../../data/outbox/pending-changes.ts';

/** Removes an owner's bookmarks of a tender and queues the change; `now` is in milliseconds. One transaction. */
export async function removeBookmark(owner: string, tenderId: string, now: number): Promise<void> {
  await withStores(['bookmarks', 'outbox', 'settings'], 'readwrite', async ({ bookmarks, outbox, settings }) => {
    const isShown = (row: BookmarkRow) => row.tenderId === tenderId && (owner === '' || row.owner === owner);
    const removed = (await bookmarks.all()).filter(isShown);
    for (const row of removed) {
      bookmarks.delete([row.owner, tenderId]);
      if (row.owner !== '') await putPendingChange(outbox, bookmarkChange(row.owner, tenderId, false, now));
    }
    const earlier = (await settings.get(REMOVED_BOOKMARKS_KEY))?.value;
    const rows = removed.map((row) => ({ ...row, removedBy: owner }));
    settings.put({ key: REMOVED_BOOKMARKS_KEY, value: [...(Array.isArray(earlier) ? earlier : []), ...rows] });
  });
}

/** Ids of the bookmarked tenders of a signed-out device. */
export async function bookmarkedIds(): Promise<string[]> {
  const rows = await withStores(['bookmarks'], 'readonly', ({ bookmarks }) => bookmarks.all());
  return [...new Set(rows.map(({ tenderId }) => tenderId))];
}
