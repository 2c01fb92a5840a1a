/** Changes that a push has brought, laid over what the packs say until they have them too. */
import type { Tender, TenderSummary } from '@nivida/contract/tender';
import type { PatchRow } from '../../../data/db.ts';
import { onDevice } from '../../../data/device.ts';

const movedTo = ({ newClosing }: PatchRow) => ({ closing_date: newClosing, last_corrigendum: 'date' as const });

/** A list with its changed closings; a row that has another closing than the one before the change knows better. */
export async function patchList(tenders: TenderSummary[]): Promise<TenderSummary[]> {
  const patches = await onDevice((db) => db.patches.bulkGet(tenders.map(({ _id }) => _id))).catch(() => []);
  return tenders.map((tender, index) => {
    const patch = patches[index];
    const isBefore = patch && Date.parse(patch.oldClosing) === Date.parse(tender.closing_date);
    return isBefore && patch.oldClosing !== patch.newClosing ? { ...tender, ...movedTo(patch) } : tender;
  });
}

/** A tender with its changed closing; one of the patch's version or a later one stays as it is. */
export async function patchTender(tender: Tender): Promise<Tender> {
  const patch = await onDevice((db) => db.patches.get(tender._id)).catch(() => undefined);
  if (!patch || tender.version >= patch.version) return tender;
  return { ...tender, ...(patch.oldClosing !== patch.newClosing && movedTo(patch)), version: patch.version };
}
