/** Stores bookmarked tenders with all their fields, readable offline also after they close. */

import { BookmarkListResponse } from '@nivida/contract/tenders/bookmark';
import { TenderResponse, type TenderSummary } from '@nivida/contract/tenders/tender';
import { HOUR_MS } from '@nivida/contract/time';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { BookmarkRow, TenderRow } from '../../data/device/schema.ts';
import { writeWithEviction } from '../../data/device/storage-quota.ts';
import { api, apiOf, isNotFoundError } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';
import { visibleBookmarks } from './bookmarks.ts';

/** An older stored tender is fetched again while it is open, since closing dates change. */
const FRESH_FOR_MS = 6 * HOUR_MS;

/** Finds a tender in a pack on the device. */
export type FindTender = (id: string) => Promise<TenderRow | undefined>;

async function fetchTender(id: string): Promise<TenderRow | undefined> {
  try {
    const { tender } = await api.get(`api/tenders/${id}`).json(TenderResponse);
    return { id, tender, savedAt: currentTime().getTime() };
  } catch (error) {
    // The portal has withdrawn it. The other tenders are still fetched.
    if (isNotFoundError(error)) return undefined;
    throw error;
  }
}

function isTenderFresh(stored: TenderRow | undefined, now: number): boolean {
  return (
    stored !== undefined &&
    (now - stored.savedAt < FRESH_FOR_MS || Date.parse(stored.tender.closing_date) <= stored.savedAt)
  );
}

/** Stores one tender, from a pack if that has it, else from the server. Throws the errors of the request. */
export async function saveTenderForOffline(id: string, find?: FindTender): Promise<void> {
  const stored = await withDatabase((db) => db.tenders.get(id));
  if (isTenderFresh(stored, currentTime().getTime())) return;
  const found = await find?.(id);
  const newer = found && found.savedAt > (stored?.savedAt ?? 0) ? found : undefined;
  const row = newer ?? (navigator.onLine ? await fetchTender(id) : undefined);
  if (row) await withDatabase((db) => writeWithEviction(db, null, () => db.tenders.put(row)));
}

/** Fetches the cards of bookmarks that came from another device as ids, in one request. */
async function fillSummaries(rows: readonly BookmarkRow[]): Promise<void> {
  const owner = currentOwner();
  const storedTenders = await withDatabase((db) => db.tenders.bulkGet(rows.map(({ tenderId }) => tenderId)));
  const isBare = rows.some(({ summary }, index) => summary === null && !storedTenders[index]);
  if (!isBare || owner === '') return;
  const { tenders } = await apiOf(owner).get('api/tenders/bookmarked').json(BookmarkListResponse);
  const byId = new Map<string, TenderSummary>(tenders.map((tender) => [tender._id, tender]));
  await withDatabase((db) =>
    db.bookmarks
      .where('owner')
      .equals(owner)
      .modify((row) => {
        row.summary ??= byId.get(row.tenderId) ?? null;
      }),
  );
}

let runningSave: Promise<void> | undefined;

async function saveAllBookmarked(find?: FindTender): Promise<void> {
  const rows = await withDatabase((db) => visibleBookmarks(db, currentOwner()));
  if (navigator.onLine) await fillSummaries(rows);
  // One at a time, so that requests of the user are not delayed.
  for (const { tenderId } of rows) await saveTenderForOffline(tenderId, find);
}

/** Stores all bookmarked tenders and refreshes old ones that are open. Stops at the first error. A second call joins the first. */
export function saveBookmarkedTenders(find?: FindTender): Promise<void> {
  runningSave ??= saveAllBookmarked(find).finally(() => {
    runningSave = undefined;
  });
  return runningSave;
}
