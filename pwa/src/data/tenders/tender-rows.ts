/** Tenders on this device: fetching, storing, and comparing the age of two. */
import { type Tender, TenderResponse } from '@nivida/contract/tenders/tender';
import { HOUR_MS } from '@nivida/contract/time';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { TenderRow } from '../device/schema.ts';
import type { DeviceWriter } from '../device/storage-quota.ts';
import { api, isNotFoundError } from '../server/api.ts';

/** After this time a stored tender is fetched again, because its closing and its result may have changed. */
export const TENDER_FRESH_FOR_MS = 6 * HOUR_MS;

/**
 * The row with the higher version of a tender. With equal versions, the row that was saved later. With equal
 * rows, `one`.
 */
export function newerTender(one: TenderRow, other: TenderRow): TenderRow {
  const difference = other.tender.version - one.tender.version || other.savedAt - one.savedAt;
  return difference > 0 ? other : one;
}

/**
 * True when a stored row is newer than an answer that the server sent at `receivedAt`. The row must have a
 * later version and must not have been saved before the answer. An answer that was sent later always counts
 * as newer: a server restored from a backup has earlier versions.
 */
export function isNewerRow(row: TenderRow, answer: Tender, receivedAt: number): boolean {
  return row.tender.version > answer.version && row.savedAt >= receivedAt;
}

/**
 * When the server answered that it has no tender of this id, in milliseconds. Remembered until the app is
 * closed.
 */
const missingSince = new Map<string, number>();

/** When the server was last asked for a tender (milliseconds since 1970); 0 when never. */
export const tenderAskedAt = (id: string, stored: TenderRow | undefined): number =>
  Math.max(stored?.savedAt ?? 0, missingSince.get(id) ?? 0);

/** Fetches a tender; undefined when the portal has withdrawn it. Throws the other errors of the request. */
export async function fetchTenderRow(id: string): Promise<TenderRow | undefined> {
  // The time before the request: anything stored while the request runs is newer.
  const savedAt = currentTime().getTime();
  try {
    const { tender } = await api.get(`api/tenders/${id}`).json(TenderResponse);
    missingSince.delete(id);
    return { id, tender, savedAt };
  } catch (error) {
    if (!isNotFoundError(error)) throw error;
    missingSince.set(id, savedAt);
    return undefined;
  }
}

/**
 * Stores a copy of a tender for offline use, unless a newer copy was stored since. Throws the error of a full
 * device.
 */
export async function storeTenderCopy(row: TenderRow, write: DeviceWriter): Promise<void> {
  await withDatabase((db) =>
    write(db, () =>
      db.transaction('rw', db.tenders, async () => {
        const stored = await db.tenders.get(row.id);
        if (!stored || !isNewerRow(stored, row.tender, row.savedAt)) await db.tenders.put(row);
      }),
    ),
  );
}
