/** Fetches the readings of bookmarks and bids before they are opened, so that they can be read offline. */
import { HOUR_MS } from '@nivida/contract/time';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import { downloadUnlessFull, writeInBackground } from '../device/storage-quota.ts';
import { isNotFoundError } from '../server/api.ts';
import { currentOwner } from '../session.ts';
import { deleteOldReadings, readingsToFetch } from './reading-rows.ts';
import { fetchReading } from './readings.ts';

/** Maximum number of requests in one sync. The next sync continues. */
const MAX_REQUESTS = 20;
const WAIT_MS = 6 * HOUR_MS;

/** Removes old readings and fetches missing ones, one at a time. Stops at the first error. */
export async function saveReadings(): Promise<void> {
  const [owner, now] = [currentOwner(), currentTime().getTime()];
  await withDatabase((db) => deleteOldReadings(db, now));
  if (!navigator.onLine) return;
  const ids = await withDatabase((db) => readingsToFetch(db, owner, now));
  await downloadUnlessFull({ download: 'readings of documents', version: null, waitMs: WAIT_MS }, async () => {
    for (const id of ids.slice(0, MAX_REQUESTS)) {
      await fetchReading(owner, id, writeInBackground).catch((error: unknown) => {
        // The portal may have withdrawn the tender.
        if (!isNotFoundError(error)) throw error;
      });
    }
  });
}
