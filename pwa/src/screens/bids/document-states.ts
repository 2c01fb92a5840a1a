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
  const listed = bids.flatMap((bid) => {
    const tender = bid.tenderId === undefined ? ownEntryTender(bid) : tenders.get(bid.tenderId);
    return tender ? [{ bid, tender }] : [];
  });
  // At once: a live query loses track of what nested functions read one after the other.
  const [documents, ...checks] = await Promise.all([
    readRecords(db, owner, 'bidDocument'),
    ...listed.map(({ tender }) => readChecks(db, owner, tender._id)),
  ]);
  const vault = documents.map(({ id, fields }) => ({ ...fields, id }));
  return new Map(
    listed.map(({ bid, tender }, at) => {
      const counts = countDocuments(buildChecklist(tender, checks[at] ?? [], vault));
      return [bid.id, { missing: counts.missing, open: counts.open, text: documentCountsText(counts) }];
    }),
  );
}
