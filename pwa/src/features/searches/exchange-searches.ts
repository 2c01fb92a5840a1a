/** The exchange of saved searches with the server. */

import { t } from '@lingui/core/macro';
import type { SavedSearch } from '@nivida/contract/filter/saved-search';
import { MAX_SEARCHES } from '@nivida/contract/limits';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase, SavedSearchRow } from '../../data/device/schema.ts';
import { exchangeChanges, registerChanges } from '../../data/outbox/outbox.ts';
import { deleteSentChanges, pendingChanges, type SentChangeRow } from '../../data/outbox/pending-changes.ts';
import type { RefusedChange } from '../../data/outbox/send-outbox.ts';
import { currentOwner } from '../../data/session.ts';
import { deleteMutation, mutationsOfOtherPages } from '../../data/unsaved-mutations.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { filterKey } from './search-filter.ts';
import {
  deleteSearch,
  markOpened,
  mergeSearchesAtSignIn,
  storeUnsavedSearch,
  TooManySearchesError,
  tooManySearchesText,
} from './searches.ts';

/** Searches that the server has refused are sent again when it has room. */
async function withoutRefused(
  db: DeviceDatabase,
  owner: string,
  changes: readonly SentChangeRow[],
): Promise<SentChangeRow[]> {
  const rows = await db.searches.where('owner').equals(owner).toArray();
  const refused = new Set(rows.filter(({ refusal }) => refusal !== null).map(({ id }) => id));
  return changes.filter((row) => row.kind !== 'search' || row.wanted === 'deleted' || !refused.has(row.search.id));
}

/** At the server's limit a change stays with the reason at its search. Others are shown and removed. */
async function takeRefused(db: DeviceDatabase, refused: readonly RefusedChange[]): Promise<void> {
  for (const { change, refusal } of refused) {
    if (change.kind !== 'search') continue;
    if (refusal.code === 'CONFLICT') {
      await db.searches.update([change.owner, change.search.id], { refusal: refusal.message });
      continue;
    }
    showToast({ text: t`A search was not saved: ${refusal.message}` });
    await db.transaction('rw', db.outbox, () => deleteSentChanges(db.outbox, [change]));
  }
}

/** Deletes searches with the same filter except the oldest, so that all devices choose the same one. */
async function deleteDuplicates(db: DeviceDatabase, rows: readonly SavedSearchRow[], now: number): Promise<void> {
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
}

/** Replaces the owner's searches by the server's, newest first, except those with a pending change. One transaction. */
function receiveSearches(db: DeviceDatabase, owner: string, list: readonly SavedSearch[]): Promise<void> {
  return db.transaction('rw', db.searches, db.outbox, async () => {
    // After a sign-out the list must not come back to the device.
    if (currentOwner() !== owner) return;
    const changes = await pendingChanges(db, owner, 'search');
    const pendingIds = new Set(changes.map(({ search }) => search.id));
    const listed = new Set(list.map(({ id }) => id));
    const mine = () => db.searches.where('owner').equals(owner);
    await mine()
      .and(({ id }) => !listed.has(id) && !pendingIds.has(id))
      .delete();
    const rows = list
      .filter(({ id }) => !pendingIds.has(id))
      .map(({ createdAt, ...search }) => ({ ...search, owner, savedAt: Date.parse(createdAt), refusal: null }));
    await db.searches.bulkPut(rows);
    await deleteDuplicates(db, rows, currentTime().getTime());
    // Refused searches are sent again.
    if (list.length < MAX_SEARCHES)
      await mine()
        .and(({ refusal }) => refusal !== null)
        .modify({ refusal: null });
  });
}

registerChanges('search', {
  select: withoutRefused,
  refused: takeRefused,
  receive: (db, owner, { searches }) => receiveSearches(db, owner, searches),
});

/** Exchanges the signed-in user's changes and repeats what fails. Throws what has failed. */
export const refreshSearches = (): Promise<void> => exchangeChanges();

/** Stores mutations of pages that the user left before they were stored. */
async function storeAbandonedMutations(): Promise<void> {
  for (const mutation of mutationsOfOtherPages('search')) {
    try {
      await withDatabase((db) => storeUnsavedSearch(db, mutation, currentOwner(), currentTime().getTime()));
    } catch (error) {
      if (!(error instanceof TooManySearchesError)) throw error;
      showToast({ text: tooManySearchesText() });
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
