/** Writes the changes of a push into the tenders on this device. */
import type { TenderPatch } from '@nivida/contract/push/push';
import { patchSummary, patchTender } from '../../../data/device/tender-patch.ts';
import { withStores } from '../../../data/device/worker-database.ts';

/**
 * Writes changes into opened and bookmarked tenders, and into `patches` for the packs, which only the engine can rewrite.
 * A stored tender of the patch's version or a later one stays as it is. One transaction.
 */
export async function storePushedChanges(changes: readonly TenderPatch[], now: number): Promise<void> {
  if (changes.length === 0) return;
  await withStores(['tenders', 'bookmarks', 'patches'], 'readwrite', async (stores) => {
    const bookmarks = await stores.bookmarks.all();
    for (const change of changes) {
      const { tenderId, version } = change;
      const stored = await stores.patches.get(tenderId);
      if (stored && stored.version >= version) continue;
      stores.patches.put({ ...change, at: now });
      const row = await stores.tenders.get(tenderId);
      if (row) stores.tenders.put({ ...row, tender: patchTender(row.tender, change) });
      for (const bookmark of bookmarks) {
        if (bookmark.tenderId !== tenderId || !bookmark.summary) continue;
        stores.bookmarks.put({ ...bookmark, summary: patchSummary(bookmark.summary, change) });
      }
    }
  });
}
