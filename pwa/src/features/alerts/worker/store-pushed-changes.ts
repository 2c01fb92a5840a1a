/** Writes the changes of a push into the tenders on this device. */
import type { TenderPatch } from '@nivida/contract/push/push';
import { mergePatches, patchSummary, patchTender } from '../../../data/device/tender-patch.ts';
import { withStores } from '../../../data/device/worker-database.ts';

/**
 * Writes changes into opened and bookmarked tenders. Packs can be rewritten only by the engine, so
 * `pushedChanges` stores the changes for them.
 *
 * A stored tender of the patch's version or later stays as it is. A pack may be older than an earlier change,
 * so an earlier patch is merged with the later one. One transaction.
 */
export async function storePushedChanges(changes: readonly TenderPatch[], now: number): Promise<void> {
  if (changes.length === 0) return;
  await withStores(['tenders', 'bookmarks', 'pushedChanges'], 'readwrite', async (stores) => {
    const bookmarks = await stores.bookmarks.all();
    for (const change of changes) {
      const { tenderId, version } = change;
      const stored = await stores.pushedChanges.get(tenderId);
      if (stored && stored.version >= version) continue;
      const merged = stored ? mergePatches(stored, change) : change;
      stores.pushedChanges.put({ ...merged, at: now });
      const row = await stores.tenders.get(tenderId);
      if (row) {
        const hasEarlier = stored && row.tender.version >= stored.version;
        stores.tenders.put({ ...row, tender: patchTender(row.tender, hasEarlier ? change : merged) });
      }
      for (const bookmark of bookmarks) {
        if (bookmark.tenderId !== tenderId || !bookmark.summary) continue;
        // The later change is applied first: a card that has the earlier change needs no more.
        const summary = patchSummary(patchSummary(bookmark.summary, change), merged);
        stores.bookmarks.put({ ...bookmark, summary });
      }
    }
  });
}
