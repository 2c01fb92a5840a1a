/**
 * The tenders of bookmarks, stored with all their fields for offline use. They stay readable after they
 * close.
 */

import { BookmarkListResponse } from '@nivida/contract/tenders/bookmark';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { DAY_MS } from '@nivida/contract/time';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { BookmarkRow, DeviceDatabase, TenderRow } from '../../data/device/schema.ts';
import { type DeviceWriter, downloadUnlessFull, writeInBackground } from '../../data/device/storage-quota.ts';
import { apiOf } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';
import {
  fetchTenderRow,
  newerTender,
  storeTenderCopy,
  TENDER_FRESH_FOR_MS,
  tenderAskedAt,
} from '../../data/tenders/tender-rows.ts';
import { visibleBookmarks } from './bookmarks.ts';

/**
 * The closing of a closed tender may still be moved. So it is fetched again, often at first, then daily, then
 * never.
 */
const CLOSED_FRESH_FOR_MS = DAY_MS;
const RECENTLY_CLOSED_MS = 7 * DAY_MS;
const FINAL_AFTER_MS = 60 * DAY_MS;

/** Maximum number of requests for closed tenders in one sync. The next sync continues. */
const MAX_CLOSED_REQUESTS = 20;

/** Finds a tender in a pack on the device. */
export type FindTender = (id: string) => Promise<TenderRow | undefined>;

/** How long a stored tender counts as fresh, in milliseconds. */
function freshForMs({ tender, savedAt }: TenderRow, now: number): number {
  const closing = Date.parse(tender.closing_date);
  if (now - closing > FINAL_AFTER_MS && savedAt >= closing) return Number.POSITIVE_INFINITY;
  return now - closing > RECENTLY_CLOSED_MS ? CLOSED_FRESH_FOR_MS : TENDER_FRESH_FOR_MS;
}

function isTenderFresh(id: string, stored: TenderRow | undefined, now: number): boolean {
  return now - tenderAskedAt(id, stored) < (stored ? freshForMs(stored, now) : TENDER_FRESH_FOR_MS);
}

/**
 * Stores one tender: from a pack if the pack has a newer one, otherwise from the server. Throws the errors of
 * the request.
 */
export async function saveTenderForOffline(id: string, write: DeviceWriter, find?: FindTender): Promise<void> {
  const stored = await withDatabase((db) => db.tenders.get(id));
  if (isTenderFresh(id, stored, currentTime().getTime())) return;
  const found = await find?.(id);
  const isNewer = found && (!stored || newerTender(stored, found) === found);
  const row = isNewer ? found : navigator.onLine ? await fetchTenderRow(id) : undefined;
  if (row) await storeTenderCopy(row, write);
}

/**
 * Fetches the cards of bookmarks that another device has made, in one request. The server sends only their
 * ids.
 */
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

/**
 * The tenders to fetch: open and missing ones, then some closed ones; the one that has waited longest is
 * first.
 */
async function tendersToSave(rows: readonly BookmarkRow[]): Promise<string[]> {
  const now = currentTime().getTime();
  const ids = rows.map(({ tenderId }) => tenderId);
  const stored = await withDatabase((db) => db.tenders.bulkGet(ids));
  const due = ids
    .map((id, index) => ({ id, row: stored[index] }))
    .filter(({ id, row }) => !isTenderFresh(id, row, now));
  const isClosed = ({ row }: (typeof due)[number]) => row !== undefined && Date.parse(row.tender.closing_date) <= now;
  const closed = due
    .filter(isClosed)
    .sort((one, other) => tenderAskedAt(one.id, one.row) - tenderAskedAt(other.id, other.row))
    .slice(0, MAX_CLOSED_REQUESTS);
  return [...due.filter((each) => !isClosed(each)), ...closed].map(({ id }) => id);
}

let runningSave: Promise<void> | undefined;

async function saveAllBookmarked(find?: FindTender): Promise<void> {
  const rows = await withDatabase((db) => visibleBookmarks(db, currentOwner()));
  if (navigator.onLine) await fillSummaries(rows);
  const download = { download: 'bookmarked tenders', version: null, waitMs: TENDER_FRESH_FOR_MS };
  await downloadUnlessFull(download, async () => {
    // One at a time, so that requests of the user are not delayed.
    for (const id of await tendersToSave(rows)) await saveTenderForOffline(id, writeInBackground, find);
  });
}

/**
 * Stores all bookmarked tenders and refreshes old ones. Stops at the first error. A second call joins the
 * running one.
 */
export function saveBookmarkedTenders(find?: FindTender): Promise<void> {
  runningSave ??= saveAllBookmarked(find).finally(() => {
    runningSave = undefined;
  });
  return runningSave;
}

/** A bookmark with its tender; null while the device does not have it. */
export interface BookmarkedTender {
  id: string;
  /** The server has ended the session of the bookmark's owner. It is sent after the next sign-in. */
  needsSignIn: boolean;
  tender: TenderSummary | null;
}

/** The newer one of the bookmark's summary and the stored tender. */
function knownSummary({ summary }: BookmarkRow, stored: TenderRow | undefined): TenderSummary | null {
  if (!stored || !summary) return stored?.tender ?? summary;
  return Date.parse(summary.fetched_at) > Date.parse(stored.tender.fetched_at) ? summary : stored.tender;
}

/** An owner's visible bookmarks with their tenders, newest first. */
export async function bookmarkedTenders(db: DeviceDatabase, owner: string): Promise<BookmarkedTender[]> {
  const rows = await visibleBookmarks(db, owner);
  const storedTenders = await db.tenders.bulkGet(rows.map(({ tenderId }) => tenderId));
  return rows.map((row, index) => ({
    id: row.tenderId,
    needsSignIn: row.owner !== owner,
    tender: knownSummary(row, storedTenders[index]),
  }));
}
