/**
 * Applies changes that arrived by push to tenders from packs, until the packs contain them. Writes nothing.
 */
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { withDatabase } from '../../data/device/database.ts';
import { patchSummary, patchTender } from '../../data/device/tender-patch.ts';

/** Tenders from a pack, with the changes that arrived by push. */
export async function listWithPushedChanges<Listed extends TenderSummary>(tenders: Listed[]): Promise<Listed[]> {
  const changes = await withDatabase((db) => db.pushedChanges.bulkGet(tenders.map(({ _id }) => _id))).catch(() => []);
  return tenders.map((tender, index) => {
    const change = changes[index];
    return change ? patchSummary(tender, change) : tender;
  });
}

/** A tender from a pack, with the changes that arrived by push. */
export async function tenderWithPushedChange(tender: Tender): Promise<Tender> {
  const change = await withDatabase((db) => db.pushedChanges.get(tender._id)).catch(() => undefined);
  return change ? patchTender(tender, change) : tender;
}
