/** Fetches the readings of bookmarks and bids before they are opened, so that they can be read offline. */
import { ReadingVersions } from '@nivida/contract/documents/tender-reading';
import { MAX_LISTED_IDS } from '@nivida/contract/limits';
import { HOUR_MS } from '@nivida/contract/time';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import { downloadUnlessFull, writeInBackground } from '../device/storage-quota.ts';
import { api, isNotFoundError } from '../server/api.ts';
import { currentOwner } from '../session.ts';
import { deleteOldReadings, readingsToFetch, tendersToRead } from './reading-rows.ts';
import { fetchReading } from './readings.ts';

/** Maximum number of requests in one sync. The next sync continues. */
const MAX_REQUESTS = 20;
const WAIT_MS = 6 * HOUR_MS;

/** The server's versions of readings, by the id of the tender. */
async function fetchVersions(ids: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (let at = 0; at < ids.length; at += MAX_LISTED_IDS) {
    const searchParams = { ids: ids.slice(at, at + MAX_LISTED_IDS).join(',') };
    Object.assign(found, (await api.get('api/tenders/readings', { searchParams }).json(ReadingVersions)).versions);
  }
  return found;
}

/** Removes old readings and fetches missing ones, one at a time. Stops at the first error. */
export async function saveReadings(): Promise<void> {
  const [owner, now] = [currentOwner(), currentTime().getTime()];
  await withDatabase((db) => deleteOldReadings(db, now));
  if (!navigator.onLine) return;
  const saved = await withDatabase(tendersToRead);
  if (saved.length === 0) return;
  await downloadUnlessFull({ download: 'readings of documents', version: null, waitMs: WAIT_MS }, async () => {
    const versions = await fetchVersions(saved);
    const ids = await withDatabase((db) => readingsToFetch(db, owner, saved, versions, now));
    for (const id of ids.slice(0, MAX_REQUESTS)) {
      await fetchReading(owner, id, writeInBackground).catch((error: unknown) => {
        // The portal may have withdrawn the tender.
        if (!isNotFoundError(error)) throw error;
      });
    }
  });
}
