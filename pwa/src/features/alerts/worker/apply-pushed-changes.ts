/** Writes the changes of a push into the tenders on this device. */
import type { TenderPatch } from '@nivida/contract/push/push';
import { withStores } from '../../../data/device/worker-database.ts';

/**
 * Writes changes into opened and bookmarked tenders, and into `patches` for the packs, which only the engine can rewrite.
 * A stored tender of the patch's version or a later one stays as it is. One transaction.
 */
export async function applyPushedChanges(changes: readonly TenderPatch[], now: number): Promise<void> {
  if (changes.length === 0) return;
  await withStores(['tenders', 'bookmarks', 'patches'], 'readwrite', async (stores) => {
    const bookmarks = await stores.bookmarks.all();
    for (const change of changes) {
      const { tenderId, version, oldClosing, newClosing } = change;
      const stored = await stores.patches.get(tenderId);
      if (stored && stored.version >= version) continue;
      stores.patches.put({ ...change, at: now });
      const row = await stores.tenders.get(tenderId);
      if (row && row.tender.version < version)
        stores.tenders.put({ ...row, tender: { ...row.tender, ...movedFields(change), version } });
      for (const bookmark of bookmarks) {
        // a summary has no version, so the old closing is compared
        const { summary } = bookmark;
        if (bookmark.tenderId !== tenderId || !summary || !isSameInstant(summary.closing_date, oldClosing)) continue;
        stores.bookmarks.put({
          ...bookmark,
          summary: { ...summary, ...movedFields(change), closing_date: newClosing },
        });
      }
    }
  });
}

const isSameInstant = (one: string, other: string) => Date.parse(one) === Date.parse(other);

const movedFields = ({ oldClosing, newClosing }: TenderPatch) => ({
  closing_date: newClosing,
  last_corrigendum: isSameInstant(oldClosing, newClosing) ? ('other' as const) : ('date' as const),
});
