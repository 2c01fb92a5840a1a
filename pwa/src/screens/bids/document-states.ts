/** Counts the documents of checklists. In a separate chunk, because the patterns of the kinds are large. */
import { countDocuments, documentCountsText } from '../../data/bid-documents/bid-summary.ts';
import { buildChecklist } from '../../data/bid-documents/checklist-rows.ts';
import { ownEntryTender } from '../../data/bid-documents/own-entry.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { currentRecordOwner } from '../../data/firms/space.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import type { DeskRows } from '../../features/bids/read-desk.ts';
import type { DocumentState } from '../../features/bids/rules/next-step.ts';
import { readChecks } from '../../features/checklist/checks.ts';

/**
 * The documents of bids by the bid's id, with the current owner's marks and documents. A bid whose tender is
 * not on the device is left out.
 */
export async function readDocumentStates(
  db: DeviceDatabase,
  { bids, tenders }: Pick<DeskRows, 'bids' | 'tenders'>,
): Promise<Map<string, DocumentState>> {
  const owner = currentRecordOwner();
  const vault = (await readRecords(db, owner, 'bidDocument')).map(({ id, fields }) => ({ ...fields, id }));
  const states = new Map<string, DocumentState>();
  for (const bid of bids) {
    const tender = bid.tenderId === undefined ? ownEntryTender(bid) : tenders.get(bid.tenderId);
    if (!tender) continue;
    const counts = countDocuments(buildChecklist(tender, await readChecks(db, owner, tender._id), vault));
    states.set(bid.id, { missing: counts.missing, open: counts.open, text: documentCountsText(counts) });
  }
  return states;
}
