/** Copies each change of the device's bookmarks to the store, browser storage and the badge. */
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { currentTime } from '../../data/clock.ts';
import { observeDevice, withDatabase } from '../../data/device/database.ts';
import type { BookmarkRow, DeviceDatabase, TenderRow } from '../../data/device/schema.ts';
import { pendingChanges } from '../../data/outbox/pending-changes.ts';
import { currentOwner } from '../../data/session.ts';
import { countClosingToday, showAppBadge } from './badge.ts';
import { useBookmarkStore, writeStoredBookmarkIds } from './bookmark-store.ts';
import { visibleBookmarks } from './bookmarks.ts';

/** A bookmark with its tender; null while the device has none. */
export interface BookmarkedTender {
  id: string;
  /** The server has ended the session of its owner: it is sent after the next sign-in. */
  needsSignIn: boolean;
  tender: TenderSummary | null;
}

/** The newer of the bookmark's summary and the stored tender. */
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

/** Counts the bookmarked tenders that close today. Runs after changes and at each sync. */
export async function updateBadge(): Promise<void> {
  const bookmarks = await withDatabase((db) => bookmarkedTenders(db, currentOwner()));
  const tenders = bookmarks.flatMap(({ tender }) => tender ?? []);
  await showAppBadge(countClosingToday(tenders, currentTime()));
}

interface BookmarkSnapshot {
  rows: BookmarkRow[];
  waiting: number;
}

function publishSnapshot(owner: string, { rows, waiting }: BookmarkSnapshot): void {
  // The owner of these rows may have signed out, or the session may have expired.
  if (owner !== currentOwner()) {
    watchBookmarks();
    return;
  }
  const ids = rows.map(({ tenderId }) => tenderId).reverse();
  writeStoredBookmarkIds(ids);
  useBookmarkStore.setState({ ids: new Set(ids), waiting, needsSignIn: rows.some((row) => row.owner !== owner) });
  // The next sync counts again after a failure.
  void updateBadge().catch(() => undefined);
}

let stopWatching: (() => void) | undefined;

/** Watches the bookmarks of the signed-in user, and stops an earlier watch. A lost connection ends it until the next sync. */
export function watchBookmarks(): void {
  stopWatching?.();
  const owner = currentOwner();
  stopWatching = observeDevice(
    async (db) => ({
      rows: await visibleBookmarks(db, owner),
      waiting: (await pendingChanges(db, owner, 'bookmark')).length,
    }),
    (snapshot) => publishSnapshot(owner, snapshot),
  );
}
