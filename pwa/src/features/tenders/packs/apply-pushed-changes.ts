/** Changes that a push has brought, laid over what the packs say until they have them too. */
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { withDatabase } from '../../../data/device/database.ts';
import type { PushedChangeRow } from '../../../data/device/schema.ts';

const movedClosingFields = ({ newClosing }: PushedChangeRow) => ({
  closing_date: newClosing,
  last_corrigendum: 'date' as const,
});

/** A list with its changed closings; a row that has another closing than the one before the change knows better. */
export async function applyPushedChangesToList(tenders: TenderSummary[]): Promise<TenderSummary[]> {
  const changes = await withDatabase((db) => db.patches.bulkGet(tenders.map(({ _id }) => _id))).catch(() => []);
  return tenders.map((tender, index) => {
    const change = changes[index];
    const isBefore = change && Date.parse(change.oldClosing) === Date.parse(tender.closing_date);
    return isBefore && change.oldClosing !== change.newClosing ? { ...tender, ...movedClosingFields(change) } : tender;
  });
}

/** A tender with its changed closing; one of the patch's version or a later one stays as it is. */
export async function applyPushedChangesToTender(tender: Tender): Promise<Tender> {
  const change = await withDatabase((db) => db.patches.get(tender._id)).catch(() => undefined);
  if (!change || tender.version >= change.version) return tender;
  return {
    ...tender,
    ...(change.oldClosing !== change.newClosing && movedClosingFields(change)),
    version: change.version,
  };
}
