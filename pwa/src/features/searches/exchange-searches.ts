/** The device's saved searches on their way to the server, and the server's list on its way back. */
import { MAX_SEARCHES, SavedSearch, SavedSearchListResponse } from '@nivida/contract/search/saved-search';
import { isHTTPError } from 'ky';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase, PendingSearchRow, SavedSearchRow } from '../../data/device/schema.ts';
import { createOutboxLoop } from '../../data/outbox/outbox.ts';
import { deleteSentChanges, pendingChanges } from '../../data/outbox/pending-changes.ts';
import { api, errorMessage, isNotFoundError } from '../../data/server/api.ts';
import { classifySendError } from '../../data/server/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { filterKey, filterToWire } from './search-filter.ts';
import { deleteSearch, markOpened, mergeSearchesAtSignIn } from './searches.ts';

/** On the server it is gone, which for whoever deletes or only opens it is as good. */
function ignoreNotFound(error: unknown): void {
  if (!isNotFoundError(error)) throw error;
}

/**
 * Makes the server's search what is wished. To save again what is there changes nothing, so a search that another device
 * has deleted comes back when it is renamed here: the last to reach the server wins.
 */
async function sendPendingSearch({ wanted, search }: PendingSearchRow): Promise<void> {
  const { id, name, filter, openedUpTo } = search;
  const path = `api/searches/${id}`;
  if (wanted === 'deleted') {
    await api.delete(path).catch(ignoreNotFound);
  } else if (wanted === 'opened') {
    await api.patch(path, { json: { openedUpTo } }).catch(ignoreNotFound);
  } else {
    const json = { id, name, filter: filterToWire(filter), openedUpTo };
    const stored = await api.post('api/searches', { json }).json(SavedSearch);
    const isEqual = stored.name === name && stored.openedUpTo >= openedUpTo;
    if (!isEqual) await api.patch(path, { json: { name, openedUpTo } });
  }
}

/** Sends one wish. There may be no room for it: it then stays, with the reason at its search. Throws what is to be tried again. */
async function sendOrRefuse(db: DeviceDatabase, change: PendingSearchRow): Promise<void> {
  try {
    await sendPendingSearch(change);
  } catch (error) {
    if (classifySendError(error) !== 'rejected') throw error;
    const refusal = errorMessage(error, 'Failed to save the search');
    if (isHTTPError(error) && error.response.status === 409) {
      await db.searches.update([change.owner, change.search.id], { refusal });
      return;
    }
    showToast({ text: `A saved search was not kept: ${refusal}` });
  }
  await db.transaction('rw', db.outbox, () => deleteSentChanges(db.outbox, [change]));
}

/** What is to be sent next: deletions first, they make room; then the oldest, so that the newest is the server's newest. */
async function nextPendingSearch(db: DeviceDatabase, owner: string): Promise<PendingSearchRow | undefined> {
  const rows = await db.searches.where('owner').equals(owner).toArray();
  const refused = new Set(rows.filter(({ refusal }) => refusal !== null).map(({ id }) => id));
  const changes = await pendingChanges(db, owner, 'search');
  const rank = ({ wanted, search }: PendingSearchRow) => (wanted === 'deleted' ? -1 : search.savedAt);
  const isSent = ({ wanted, search }: PendingSearchRow) => wanted === 'deleted' || !refused.has(search.id);
  return changes.filter(isSent).sort((one, other) => rank(one) - rank(other))[0];
}

/** Of searches with the same filter, saved on two devices, the oldest stays; all devices choose the same one. */
async function deleteDuplicates(db: DeviceDatabase, rows: readonly SavedSearchRow[], now: number): Promise<boolean> {
  const oldestByFilter = new Map<string, SavedSearchRow>();
  for (const row of rows.toReversed()) {
    const twin = oldestByFilter.get(filterKey(row.filter));
    if (!twin) {
      oldestByFilter.set(filterKey(row.filter), row);
      continue;
    }
    await deleteSearch(db, row, now);
    await markOpened(db, twin, row.openedUpTo, now);
  }
  return oldestByFilter.size < rows.length;
}

/** Sends what was refused again, now that the server has room for it; true when there is such. */
async function clearRefusals(db: DeviceDatabase, owner: string): Promise<boolean> {
  const mine = db.searches.where('owner').equals(owner);
  return (await mine.and(({ refusal }) => refusal !== null).modify({ refusal: null })) > 0;
}

/**
 * Makes the owner's searches those of the server, newest first, except where a wish is still to be sent; true when that
 * leaves something to send. One transaction.
 */
function storeServerList(db: DeviceDatabase, owner: string, list: readonly SavedSearch[]): Promise<boolean> {
  return db.transaction('rw', db.searches, db.outbox, async () => {
    // whoever has signed out meanwhile must not find the list back on the device
    if (currentOwner() !== owner) return false;
    const changes = await pendingChanges(db, owner, 'search');
    const pendingIds = new Set(changes.map(({ search }) => search.id));
    const listed = new Set(list.map(({ id }) => id));
    const mine = db.searches.where('owner').equals(owner);
    await mine.and(({ id }) => !listed.has(id) && !pendingIds.has(id)).delete();
    const rows = list
      .filter(({ id }) => !pendingIds.has(id))
      .map(({ createdAt, ...search }) => ({ ...search, owner, savedAt: Date.parse(createdAt), refusal: null }));
    await db.searches.bulkPut(rows);
    const hasTwins = await deleteDuplicates(db, rows, currentTime().getTime());
    const hasRoom = list.length < MAX_SEARCHES;
    return (hasRoom && (await clearRefusals(db, owner))) || hasTwins;
  });
}

async function exchangeOnce(db: DeviceDatabase, owner: string): Promise<boolean> {
  for (;;) {
    const change = await nextPendingSearch(db, owner);
    if (currentOwner() !== owner) return false;
    if (!change) break;
    await sendOrRefuse(db, change);
  }
  const { searches } = await api.get('api/searches').json(SavedSearchListResponse);
  return storeServerList(db, owner, searches);
}

/**
 * Sends what `owner` wants and receives the server's list; again when the list gave something to send. Throws when it
 * could not be finished: what is left is sent with the next attempt.
 */
export async function exchangeSearches(db: DeviceDatabase, owner: string): Promise<void> {
  if (await exchangeOnce(db, owner)) await exchangeOnce(db, owner);
}

const searchLoop = createOutboxLoop('searches', async () => {
  const owner = currentOwner();
  if (owner !== '') await withDatabase((db) => exchangeSearches(db, owner));
});

/** Exchanges the signed-in user's searches and repeats what fails. Throws what has failed. */
export async function refreshSearches(): Promise<void> {
  if (currentOwner() === '') searchLoop.stop();
  else await searchLoop.run();
}

/** Gives the device's searches to the signed-in user, then exchanges them with the server. */
export async function syncSearches(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  await withDatabase((db) => mergeSearchesAtSignIn(db, owner, currentTime().getTime()));
  await refreshSearches();
}
