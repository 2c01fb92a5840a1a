/** The documents of checklists. In a chunk of its own, because the patterns of the kinds are large. */
import type { Tender } from '@nivida/contract/tenders/tender';
import { countDocuments, documentCountsText } from '../../data/bid-documents/bid-summary.ts';
import { buildChecklist } from '../../data/bid-documents/checklist-rows.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { currentOwner } from '../../data/session.ts';
import type { DocumentState } from '../../features/bids/rules/next-step.ts';
import { readChecks } from '../../features/checklist/checks.ts';

/** The documents of tenders by id, with the current owner's marks and documents. */
export async function readDocumentStates(
  db: DeviceDatabase,
  tenders: ReadonlyMap<string, Tender>,
): Promise<Map<string, DocumentState>> {
  const owner = currentOwner();
  const vault = (await readRecords(db, owner, 'bidDocument')).map(({ id, fields }) => ({ ...fields, id }));
  const states = new Map<string, DocumentState>();
  for (const [id, tender] of tenders) {
    const counts = countDocuments(buildChecklist(tender, await readChecks(db, owner, id), vault));
    states.set(id, { missing: counts.missing, open: counts.open, text: documentCountsText(counts) });
  }
  return states;
}
