/**
 * Fetches the tenders of bids, even after closing, so that the user learns of a moved closing and of a
 * result.
 */
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { downloadUnlessFull, writeInBackground } from '../../data/device/storage-quota.ts';
import { currentRecordOwner } from '../../data/firms/space.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { fetchTenderRow, storeTenderCopy, TENDER_FRESH_FOR_MS, tenderAskedAt } from '../../data/tenders/tender-rows.ts';
import { tendersToFetch } from './rules/tenders-to-fetch.ts';

/** Maximum number of requests in one sync. The next sync continues. */
const MAX_REQUESTS = 20;

/**
 * Refreshes the tenders of the owner's undecided bids, one at a time. Stops at the first error; the next sync
 * continues.
 */
export async function refreshBidTenders(): Promise<void> {
  if (!navigator.onLine) return;
  const ids = await withDatabase(async (db) => {
    const bids = (await readRecords(db, currentRecordOwner(), 'bid')).map(({ id, fields }) => ({ ...fields, id }));
    const tenderIds = bids.flatMap(({ tenderId }) => tenderId ?? []);
    const rows = await db.tenders.bulkGet(tenderIds);
    const askedAt = new Map(tenderIds.map((id, index) => [id, tenderAskedAt(id, rows[index])]));
    return tendersToFetch(bids, askedAt, currentTime());
  });
  await downloadUnlessFull({ download: 'tenders of bids', version: null, waitMs: TENDER_FRESH_FOR_MS }, async () => {
    for (const id of ids.slice(0, MAX_REQUESTS)) {
      // The portal may have withdrawn the tender; the bid has its own facts.
      const row = await fetchTenderRow(id);
      if (row) await storeTenderCopy(row, writeInBackground);
    }
  });
}
