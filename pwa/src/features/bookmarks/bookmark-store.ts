/**
 * Bookmark ids for buttons and counts, before Dexie is loaded. They come from `bookmarkedTenders` in browser
 * storage (SPEC). Later `bookmark-sync.ts` copies each change of the device's database.
 */
import { create } from 'zustand';
import { browserStorage } from '../../data/device/browser-storage.ts';
import { useLiveRows } from '../../data/device/live-query.ts';
import { currentOwner } from '../../data/session.ts';
import { mutationsOfOtherPages } from '../../data/unsaved-mutations.ts';
import type { BookmarkedTender } from './bookmarked-tenders.ts';

const STORAGE_KEY = 'bookmarkedTenders';

interface BookmarkState {
  /** Tender ids of the visible bookmarks. */
  ids: ReadonlySet<string>;
  /** Number of changes that the server has not confirmed yet. */
  waiting: number;
  /**
   * Some changes belong to a session that the server has ended. They are sent after the next sign-in (R34).
   */
  needsSignIn: boolean;
  /** The error of the last exchange with the server; undefined after a success. */
  error: unknown;
  /** The server's bookmarks are being requested. */
  isRefreshing: boolean;
}

/** The ids in browser storage, oldest first. Empty when the content is not a list of tender ids. */
export function readStoredBookmarkIds(): string[] {
  try {
    const list: unknown = JSON.parse(browserStorage()?.getItem(STORAGE_KEY) ?? '[]');
    if (!Array.isArray(list)) return [];
    return [...new Set(list.map(String))].filter((id) => /^\d{1,10}$/.test(id));
  } catch {
    return [];
  }
}

/** False on a new device. Each sync stores the ids, even an empty list. */
export const hasSynced = (): boolean => (browserStorage()?.getItem(STORAGE_KEY) ?? null) !== null;

/** Stores `ids`, oldest first, in browser storage. */
export function writeStoredBookmarkIds(ids: readonly string[]): void {
  const text = JSON.stringify(ids);
  try {
    if (browserStorage()?.getItem(STORAGE_KEY) !== text) browserStorage()?.setItem(STORAGE_KEY, text);
  } catch {
    // Browser storage is full or forbidden. The database has the bookmarks.
  }
}

export const useBookmarkStore = create<BookmarkState>(() => ({
  ids: new Set<string>(),
  waiting: 0,
  needsSignIn: false,
  error: undefined,
  isRefreshing: false,
}));

/** The ids in browser storage for the signed-in user, with the mutations that other pages have recorded. */
function idsAtStart(): Set<string> {
  const ids = new Set(readStoredBookmarkIds());
  for (const { owner, subject: tenderId, wanted } of mutationsOfOtherPages('bookmark')) {
    if (owner !== currentOwner()) continue;
    if (wanted) ids.add(tenderId);
    else ids.delete(tenderId);
  }
  return ids;
}

/** Shows the bookmarks of browser storage, until the database is read. */
export const showStoredIds = (): void => useBookmarkStore.setState({ ids: idsAtStart() });
// Not an initial state, because the first render has no bookmarks, on the server and on the device.
showStoredIds();

/** Without list and `error` the device is being read. `error` is set when its database failed. */
export interface BookmarkedTendersState {
  bookmarks?: readonly BookmarkedTender[] | undefined;
  error?: unknown;
}

const loadQuery = async () => (await import('./bookmarked-tenders.ts')).bookmarkedTenders;

/** The user's bookmarks, newest first, each with its tender if the device has it. */
export function useBookmarkedTenders(): BookmarkedTendersState {
  const { rows: bookmarks, error } = useLiveRows(loadQuery);
  return { bookmarks, error };
}
