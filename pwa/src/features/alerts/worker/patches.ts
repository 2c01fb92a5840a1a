/** Changes of tenders that a push brings, written into this device's copies without asking the server. */
import type { TenderPatch } from '@nivida/contract/push';
import { onStores } from '../../../data/stores.ts';

/**
 * Writes what changed into opened and bookmarked tenders, and beside the packs, which only the engine can rewrite. A copy
 * of the patch's version or a later one stays as it is. One transaction.
 */
export async function applyPatches(patches: readonly TenderPatch[], now: number): Promise<void> {
  if (patches.length === 0) return;
  await onStores(['tenders', 'bookmarks', 'patches'], 'readwrite', async (stores) => {
    const bookmarks = await stores.bookmarks.all();
    for (const patch of patches) {
      const { tenderId, version, oldClosing, newClosing } = patch;
      const held = await stores.patches.get(tenderId);
      if (held && held.version >= version) continue;
      stores.patches.put({ ...patch, at: now });
      const row = await stores.tenders.get(tenderId);
      if (row && row.tender.version < version)
        stores.tenders.put({ ...row, tender: { ...row.tender, ...moved(patch), version } });
      for (const bookmark of bookmarks) {
        // a card has no version: its closing tells whether it is the one before
        const { summary } = bookmark;
        if (bookmark.tenderId !== tenderId || !summary || !isSame(summary.closing_date, oldClosing)) continue;
        stores.bookmarks.put({ ...bookmark, summary: { ...summary, ...moved(patch), closing_date: newClosing } });
      }
    }
  });
}

const isSame = (one: string, other: string) => Date.parse(one) === Date.parse(other);

const moved = ({ oldClosing, newClosing }: TenderPatch) => ({
  closing_date: newClosing,
  last_corrigendum: isSame(oldClosing, newClosing) ? ('other' as const) : ('date' as const),
});
