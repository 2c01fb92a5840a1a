/** Fetches the tenders of bids after closing too, so that a moved closing and a result are noticed. */
import { TenderResponse } from '@nivida/contract/tenders/tender';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { writeWithEviction } from '../../data/device/storage-quota.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { api, isNotFoundError } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';
import { tendersToFetch } from './rules/tenders-to-fetch.ts';

/** Requests of one sync; the next one goes on. */
const MAX_REQUESTS = 20;

/** When the server had no tender of an id, in milliseconds. Until the app is closed. */
const missingSince = new Map<string, number>();

async function fetchTender(id: string): Promise<void> {
  try {
    const { tender } = await api.get(`api/tenders/${id}`).json(TenderResponse);
    const row = { id, tender, savedAt: currentTime().getTime() };
    await withDatabase((db) => writeWithEviction(db, null, () => db.tenders.put(row)));
  } catch (error) {
    // The portal has withdrawn it; the bid has its own facts.
    if (!isNotFoundError(error)) throw error;
    missingSince.set(id, currentTime().getTime());
  }
}

/** Refreshes the tenders of the owner's undecided bids, one at a time. Stops at the first error; the next sync goes on. */
export async function refreshBidTenders(): Promise<void> {
  if (!navigator.onLine) return;
  const ids = await withDatabase(async (db) => {
    const bids = (await readRecords(db, currentOwner(), 'bid')).map(({ id, fields }) => ({ ...fields, id }));
    const rows = await db.tenders.bulkGet(bids.flatMap(({ tenderId }) => tenderId ?? []));
    const savedAt = new Map(rows.flatMap((row) => (row ? [[row.id, row.savedAt] as const] : [])));
    return tendersToFetch(bids, new Map([...missingSince, ...savedAt]), currentTime());
  });
  for (const id of ids.slice(0, MAX_REQUESTS)) await fetchTender(id);
}
