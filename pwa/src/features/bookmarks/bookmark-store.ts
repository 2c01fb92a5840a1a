/**
 * The bookmarks as buttons and counts see them, from the first paint on: read from SPEC's `bookmarkedTenders` at once,
 * kept equal to the device's database by `watch.ts` as soon as that is there.
 */
import { create } from 'zustand';
import { browserStorage } from '../../data/device/browser-storage.ts';

const STORAGE_KEY = 'bookmarkedTenders';

interface BookmarkState {
  /** Tender ids that are bookmarked now, whoever is signed in. */
  ids: ReadonlySet<string>;
  /** Changes that the server has not confirmed yet. */
  waiting: number;
  /** Some belong to a session that the server has ended: they wait for its user to sign in again (RESOLUTIONS R34). */
  isEnded: boolean;
  /** Why the server's set could not be received the last time; undefined when it was. */
  error: unknown;
  /** The server's set is on its way. */
  isRefreshing: boolean;
}

/** The ids in browser storage, oldest first; whatever is no list of tender ids counts as none. */
export function readStoredBookmarkIds(): string[] {
  try {
    const list: unknown = JSON.parse(browserStorage()?.getItem(STORAGE_KEY) ?? '[]');
    if (!Array.isArray(list)) return [];
    return [...new Set(list.map(String))].filter((id) => /^\d{1,10}$/.test(id));
  } catch {
    return [];
  }
}

/** Makes browser storage equal to `ids`, oldest first. */
export function writeStoredBookmarkIds(ids: readonly string[]): void {
  const text = JSON.stringify(ids);
  try {
    if (browserStorage()?.getItem(STORAGE_KEY) !== text) browserStorage()?.setItem(STORAGE_KEY, text);
  } catch {
    // full or forbidden: the database is the truth
  }
}

/** What buttons, counts and lists show. */
export const useBookmarkStore = create<BookmarkState>(() => ({
  ids: new Set<string>(),
  waiting: 0,
  isEnded: false,
  error: undefined,
  isRefreshing: false,
}));
// Not an initial state: the first render has no bookmarks, on the server and on the device.
useBookmarkStore.setState({ ids: new Set(readStoredBookmarkIds()) });
