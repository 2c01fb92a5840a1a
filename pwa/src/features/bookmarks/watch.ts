/** Carries every change of the device's bookmarks, by this or another tab, to buttons, counts, storage and badge. */
import type { TenderSummary } from '@nivida/contract/tender';
import { liveQuery, type Subscription } from 'dexie';
import { currentTime } from '../../data/clock.ts';
import type { BookmarkRow, DeviceDatabase, TenderRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { currentOwner } from '../../data/session.ts';
import { closingToday, showBadge } from './badge.ts';
import { visibleBookmarks } from './bookmarks.ts';
import { useSaved, writeStoredIds } from './saved.ts';

/** A bookmark with what the device knows of its tender: all of it, a card's worth, or nothing yet. */
export interface BookmarkedTender {
  id: string;
  /** It belongs to a session that the server has ended. */
  isEnded: boolean;
  tender: TenderSummary | null;
}

/** What the device knows of one bookmark's tender, the younger of its two copies. */
function known({ summary }: BookmarkRow, kept: TenderRow | undefined): TenderSummary | null {
  if (!kept || !summary) return kept?.tender ?? summary;
  return Date.parse(summary.fetched_at) > Date.parse(kept.tender.fetched_at) ? summary : kept.tender;
}

/** The present user's bookmarks with their tenders, newest first. */
export async function bookmarkedTenders(db: DeviceDatabase, owner: string): Promise<BookmarkedTender[]> {
  const rows = await visibleBookmarks(db, owner);
  const kept = await db.tenders.bulkGet(rows.map(({ tenderId }) => tenderId));
  return rows.map((row, index) => ({
    id: row.tenderId,
    isEnded: row.owner !== owner,
    tender: known(row, kept[index]),
  }));
}

/** Calls `then` with the present user's bookmarks now and after each change of them or their tenders, until stopped. */
export async function observeBookmarks(
  then: (bookmarks: BookmarkedTender[]) => void,
  failed: (error: unknown) => void,
): Promise<() => void> {
  const db = await onDevice(async (opened) => opened);
  const owner = currentOwner();
  const watch = liveQuery(() => bookmarkedTenders(db, owner)).subscribe({ next: then, error: failed });
  return () => watch.unsubscribe();
}

/** Counts what closes today anew: after changes, and when the app comes back on another day. */
export async function updateBadge(): Promise<void> {
  const bookmarks = await onDevice((db) => bookmarkedTenders(db, currentOwner()));
  const tenders = bookmarks.flatMap(({ tender }) => tender ?? []);
  await showBadge(closingToday(tenders, currentTime()));
}

interface Snapshot {
  rows: BookmarkRow[];
  waiting: number;
}

function show(owner: string, { rows, waiting }: Snapshot): void {
  if (owner !== currentOwner()) {
    // whose rows these are has signed out, or the session has expired
    void watchBookmarks().catch(() => undefined);
    return;
  }
  const ids = rows.map(({ tenderId }) => tenderId).reverse();
  writeStoredIds(ids);
  useSaved.setState({ ids: new Set(ids), waiting, isEnded: rows.some((row) => row.owner !== owner) });
  // a count that fails now is made again by the next sync
  void updateBadge().catch(() => undefined);
}

let watching: Subscription | undefined;

/** Starts watching the rows of whoever is signed in now, in place of a watch that was there before. */
export async function watchBookmarks(): Promise<void> {
  const db = await onDevice(async (opened) => opened);
  watching?.unsubscribe();
  const owner = currentOwner();
  const query = liveQuery(async () => ({
    rows: await visibleBookmarks(db, owner),
    waiting: await db.wishes.where('owner').equals(owner).count(),
  }));
  // a lost connection ends the watch; the next start, or return to the app, begins another
  watching = query.subscribe({ next: (snapshot) => show(owner, snapshot), error: () => watching?.unsubscribe() });
}
