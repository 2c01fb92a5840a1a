/** Applies changes that arrived by push to tenders from packs, until the packs contain them too. */
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { withDatabase } from '../../../data/device/database.ts';
import type { PushedChangeRow } from '../../../data/device/schema.ts';

const movedClosingFields = ({ newClosing }: PushedChangeRow) => ({
  closing_date: newClosing,
  last_corrigendum: 'date' as const,
});

/** Applies changed closings to a list. A row whose closing is not the change's old one is newer and stays. */
export async function applyPushedChangesToList<Listed extends TenderSummary>(tenders: Listed[]): Promise<Listed[]> {
  const changes = await withDatabase((db) => db.patches.bulkGet(tenders.map(({ _id }) => _id))).catch(() => []);
  return tenders.map((tender, index) => {
    const change = changes[index];
    const isBefore = change && Date.parse(change.oldClosing) === Date.parse(tender.closing_date);
    return isBefore && change.oldClosing !== change.newClosing ? { ...tender, ...movedClosingFields(change) } : tender;
  });
}

/** Applies a changed closing to a tender. A tender of the change's version or a later one stays as it is. */
export async function applyPushedChangesToTender(tender: Tender): Promise<Tender> {
  const change = await withDatabase((db) => db.patches.get(tender._id)).catch(() => undefined);
  if (!change || tender.version >= change.version) return tender;
  return {
    ...tender,
    ...(change.oldClosing !== change.newClosing && movedClosingFields(change)),
    version: change.version,
  };
}
