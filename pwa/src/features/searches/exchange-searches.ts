/** Sends pending changes of saved searches and receives the server's list. */

import { SavedSearch, SavedSearchListResponse } from '@nivida/contract/filter/saved-search';
import { MAX_SEARCHES } from '@nivida/contract/limits';
import { isHTTPError } from 'ky';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase, PendingSearchRow, SavedSearchRow } from '../../data/device/schema.ts';
import { createOutboxLoop } from '../../data/outbox/outbox.ts';
import { deleteSentChanges, pendingChanges } from '../../data/outbox/pending-changes.ts';
import { apiOf, errorMessage, isNotFoundError } from '../../data/server/api.ts';
import { classifySendError } from '../../data/server/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { deleteMutation, mutationsOfOtherPages } from '../../data/unsaved-mutations.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { filterKey, filterToWire } from './search-filter.ts';
import {
  deleteSearch,
  markOpened,
  mergeSearchesAtSignIn,
  storeUnsavedSearch,
  TOO_MANY_SEARCHES,
  TooManySearchesError,
} from './searches.ts';

/** Ignores that the server no longer has the search: then it needs no deletion and no opening. */
function ignoreNotFound(error: unknown): void {
  if (!isNotFoundError(error)) throw error;
}

/**
 * Sends one change. Every change first saves the search, which changes nothing when it exists. So a search
 * that another device has deleted comes back when it is renamed here. The last change that reaches the server
 * wins.
 */
async function sendPendingSearch({ owner, wanted, search }: PendingSearchRow): Promise<void> {
  const api = apiOf(owner);
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

/**
 * Sends one change. At the server's limit (409) the change stays, and the reason is shown at its search.
 * Throws when the change must be sent again.
 */
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
    showToast({ text: `A search was not saved: ${refusal}` });
  }
  await db.transaction('rw', db.outbox, () => deleteSentChanges(db.outbox, [change]));
}

/**
 * The next change to send. Deletions are first, because of the limit of searches. Then the oldest is first,
 * which the server's order needs.
 */
async function nextPendingSearch(db: DeviceDatabase, owner: string): Promise<PendingSearchRow | undefined> {
  const rows = await db.searches.where('owner').equals(owner).toArray();
  const refused = new Set(rows.filter(({ refusal }) => refusal !== null).map(({ id }) => id));
  const changes = await pendingChanges(db, owner, 'search');
  const rank = ({ wanted, search }: PendingSearchRow) => (wanted === 'deleted' ? -1 : search.savedAt);
  const isSent = ({ wanted, search }: PendingSearchRow) => wanted === 'deleted' || !refused.has(search.id);
  return changes.filter(isSent).sort((one, other) => rank(one) - rank(other))[0];
}

/** Deletes searches with the same filter, except the oldest. All devices so choose the same one. */
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

/** Lets refused searches be sent again. True when there are any. */
async function clearRefusals(db: DeviceDatabase, owner: string): Promise<boolean> {
  const mine = db.searches.where('owner').equals(owner);
  return (await mine.and(({ refusal }) => refusal !== null).modify({ refusal: null })) > 0;
}

/**
 * Replaces the owner's searches by the server's, newest first. Searches with a pending change stay. Returns
 * true when there is something left to send. One transaction.
 */
function storeServerList(db: DeviceDatabase, owner: string, list: readonly SavedSearch[]): Promise<boolean> {
  return db.transaction('rw', db.searches, db.outbox, async () => {
    // After a sign-out the list must not come back to the device.
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
    if (!change) break;
    await sendOrRefuse(db, change);
  }
  const { searches } = await apiOf(owner).get('api/searches').json(SavedSearchListResponse);
  return storeServerList(db, owner, searches);
}

/**
 * Sends the owner's changes and receives the server's list. Repeats this once when the list left something to
 * send. Throws when it could not finish.
 */
export async function exchangeSearches(db: DeviceDatabase, owner: string): Promise<void> {
  if (await exchangeOnce(db, owner)) await exchangeOnce(db, owner);
}

const searchLoop = createOutboxLoop('searches', async () => {
  const owner = currentOwner();
  if (owner !== '') await withDatabase((db) => exchangeSearches(db, owner));
});

/** Exchanges the signed-in user's searches and retries what fails. Throws what has failed. */
export async function refreshSearches(): Promise<void> {
  if (currentOwner() === '') searchLoop.stop();
  else await searchLoop.run();
}

/** Stores mutations of pages that the user left before they were stored. */
async function storeAbandonedMutations(): Promise<void> {
  for (const mutation of mutationsOfOtherPages('search')) {
    try {
      await withDatabase((db) => storeUnsavedSearch(db, mutation, currentOwner(), currentTime().getTime()));
    } catch (error) {
      if (!(error instanceof TooManySearchesError)) throw error;
      showToast({ text: TOO_MANY_SEARCHES });
    }
    deleteMutation(mutation);
  }
}

/** Stores abandoned mutations, gives the device's searches to the signed-in user, and exchanges them with the server. */
export async function syncSearches(): Promise<void> {
  await storeAbandonedMutations();
  const owner = currentOwner();
  if (owner === '') return;
  await withDatabase((db) => mergeSearchesAtSignIn(db, owner, currentTime().getTime()));
  await refreshSearches();
}
