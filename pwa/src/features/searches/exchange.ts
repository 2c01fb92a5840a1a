/** The device's saved searches on their way to the server, and the server's list on its way back. */
import { MAX_SEARCHES, SavedSearch, SearchList } from '@nivida/contract/saved-search';
import { isHTTPError } from 'ky';
import { api, isNotFound, messageOf } from '../../data/api.ts';
import { askForBackgroundSync } from '../../data/background-sync.ts';
import { currentTime } from '../../data/clock.ts';
import type { DeviceDatabase, SearchRow, SearchWishRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { keepTrying } from '../../data/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/toast.ts';
import { keyOf, toWire } from './filter.ts';
import { deleteSearch, markOpened } from './searches.ts';

const tables = (db: DeviceDatabase) => [db.searches, db.searchWishes] as const;

/** On the server it is gone, which for whoever deletes or only opens it is as good. */
function letPassGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/**
 * Makes the server's search what is wished. To save again what is there changes nothing, so a search that another device
 * has deleted comes back when it is renamed here: the last to reach the server wins.
 */
async function tellServer({ id, wanted, search }: SearchWishRow): Promise<void> {
  const { name, filter, openedUpTo } = search;
  const path = `api/searches/${id}`;
  if (wanted === 'deleted') {
    await api.delete(path).catch(letPassGone);
  } else if (wanted === 'opened') {
    await api.patch(path, { json: { openedUpTo } }).catch(letPassGone);
  } else {
    const json = { id, name, filter: toWire(filter), openedUpTo };
    const stored = await api.post('api/searches', { json }).json(SavedSearch);
    const isEqual = stored.name === name && stored.openedUpTo >= openedUpTo;
    if (!isEqual) await api.patch(path, { json: { name, openedUpTo } });
  }
}

/** Removes a sent wish, unless the user has wished otherwise while it was on its way. */
function settle(db: DeviceDatabase, { owner, id, at }: SearchWishRow): Promise<void> {
  return db.transaction('rw', db.searchWishes, async () => {
    const present = await db.searchWishes.get([owner, id]);
    if (present?.at === at) await db.searchWishes.delete([owner, id]);
  });
}

/** Sends one wish. There may be no room for it: it then stays, with the reason at its search. Throws what is to be tried again. */
async function send(db: DeviceDatabase, wish: SearchWishRow): Promise<void> {
  try {
    await tellServer(wish);
  } catch (error) {
    if (outcomeOf(error) !== 'rejected') throw error;
    const refusal = messageOf(error, 'Failed to save the search');
    if (isHTTPError(error) && error.response.status === 409) {
      await db.searches.update([wish.owner, wish.id], { refusal });
      return;
    }
    showToast({ text: `A saved search was not kept: ${refusal}` });
  }
  await settle(db, wish);
}

/** What is to be sent next: deletions first, they make room; then the oldest, so that the newest is the server's newest. */
async function nextWish(db: DeviceDatabase, owner: string): Promise<SearchWishRow | undefined> {
  const rows = await db.searches.where('owner').equals(owner).toArray();
  const refused = new Set(rows.filter(({ refusal }) => refusal !== null).map(({ id }) => id));
  const wishes = await db.searchWishes.where('owner').equals(owner).toArray();
  const rank = ({ wanted, search }: SearchWishRow) => (wanted === 'deleted' ? -1 : search.savedAt);
  const isSent = ({ id, wanted }: SearchWishRow) => wanted === 'deleted' || !refused.has(id);
  return wishes.filter(isSent).sort((one, other) => rank(one) - rank(other))[0];
}

/** Of searches with the same filter, saved on two devices, the oldest stays; all devices choose the same one. */
async function dropTwins(db: DeviceDatabase, rows: readonly SearchRow[], now: number): Promise<boolean> {
  const kept = new Map<string, SearchRow>();
  for (const row of rows.toReversed()) {
    const twin = kept.get(keyOf(row.filter));
    if (!twin) {
      kept.set(keyOf(row.filter), row);
      continue;
    }
    await deleteSearch(db, row, now);
    await markOpened(db, twin, row.openedUpTo, now);
  }
  return kept.size < rows.length;
}

/** Sends what was refused again, now that the server has room for it; true when there is such. */
async function retryRefused(db: DeviceDatabase, owner: string): Promise<boolean> {
  const mine = db.searches.where('owner').equals(owner);
  return (await mine.and(({ refusal }) => refusal !== null).modify({ refusal: null })) > 0;
}

/**
 * Makes the owner's searches those of the server, newest first, except where a wish is still to be sent; true when that
 * leaves something to send. One transaction.
 */
function receive(db: DeviceDatabase, owner: string, list: readonly SavedSearch[]): Promise<boolean> {
  return db.transaction('rw', tables(db), async () => {
    // whoever has signed out meanwhile must not find the list back on the device
    if (currentOwner() !== owner) return false;
    const wishes = await db.searchWishes.where('owner').equals(owner).toArray();
    const pending = new Set(wishes.map(({ id }) => id));
    const listed = new Set(list.map(({ id }) => id));
    const mine = db.searches.where('owner').equals(owner);
    await mine.and(({ id }) => !listed.has(id) && !pending.has(id)).delete();
    const rows = list
      .filter(({ id }) => !pending.has(id))
      .map(({ createdAt, ...search }) => ({ ...search, owner, savedAt: Date.parse(createdAt), refusal: null }));
    await db.searches.bulkPut(rows);
    const hasTwins = await dropTwins(db, rows, currentTime().getTime());
    const hasRoom = list.length < MAX_SEARCHES;
    return (hasRoom && (await retryRefused(db, owner))) || hasTwins;
  });
}

async function exchangeOnce(db: DeviceDatabase, owner: string): Promise<boolean> {
  for (;;) {
    const wish = await nextWish(db, owner);
    if (currentOwner() !== owner) return false;
    if (!wish) break;
    await send(db, wish);
  }
  const { searches } = await api.get('api/searches').json(SearchList);
  return receive(db, owner, searches);
}

/**
 * Sends what `owner` wants and receives the server's list; again when the list gave something to send. Throws when it
 * could not be finished: what is left is sent with the next attempt.
 */
export async function exchangeSearches(db: DeviceDatabase, owner: string): Promise<void> {
  if (await exchangeOnce(db, owner)) await exchangeOnce(db, owner);
}

async function exchangeMine(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  const work = () => onDevice((db) => exchangeSearches(db, owner));
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  await (locks ? locks.request('searches', work) : work());
}

const exchanging = keepTrying(exchangeMine);

/** Calls off the next attempt. */
export const stopSearches = exchanging.stop;

/** The same for the present user, one tab at a time. What fails is tried again by itself; signed out nothing is done. */
export async function refreshSearches(): Promise<void> {
  if (currentOwner() === '') return stopSearches();
  if (globalThis.navigator?.onLine === false) void askForBackgroundSync();
  try {
    await exchanging.run();
  } catch (error) {
    void askForBackgroundSync();
    throw error;
  }
}
