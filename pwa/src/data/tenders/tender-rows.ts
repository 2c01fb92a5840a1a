/** Tenders on this device: fetching one, storing it, and which of two is newer. */
import { type Tender, TenderResponse } from '@nivida/contract/tenders/tender';
import { HOUR_MS } from '@nivida/contract/time';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { TenderRow } from '../device/schema.ts';
import type { DeviceWriter } from '../device/storage-quota.ts';
import { api, isNotFoundError } from '../server/api.ts';

/** A stored tender is fetched again after this time, since its closing and its result may change. */
export const TENDER_FRESH_FOR_MS = 6 * HOUR_MS;

/** The row with the higher version of a tender; of one version the later saved row; of equal rows `one`. */
export function newerTender(one: TenderRow, other: TenderRow): TenderRow {
  const difference = other.tender.version - one.tender.version || other.savedAt - one.savedAt;
  return difference > 0 ? other : one;
}

/**
 * True when a row has a later version than an answer that the server sent at `receivedAt` or earlier than the row, such as
 * that of a stored page. A later answer always counts: a server restored from a backup counts from an earlier version.
 */
export function isNewerRow(row: TenderRow, answer: Tender, receivedAt: number): boolean {
  return row.tender.version > answer.version && row.savedAt >= receivedAt;
}

/** When the server had no tender of an id, in milliseconds. Until the app is closed. */
const missingSince = new Map<string, number>();

/** When the server was last asked for a tender (milliseconds since 1970); 0 for never. */
export const tenderAskedAt = (id: string, stored: TenderRow | undefined): number =>
  Math.max(stored?.savedAt ?? 0, missingSince.get(id) ?? 0);

/** Fetches a tender; undefined when the portal has withdrawn it. Throws the other errors of the request. */
export async function fetchTenderRow(id: string): Promise<TenderRow | undefined> {
  // The time before the request: what is stored while it runs is newer.
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

/** Stores a copy of a tender for reading offline, unless a newer one was stored since. Throws the error of a full device. */
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
