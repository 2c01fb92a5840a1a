/** Saved searches and their pending changes on the device: ownership, sign-in and sign-out. */
import { t } from '@lingui/core/macro';
import { MAX_SEARCHES } from '@nivida/contract/limits';
import type { DeviceDatabase, PendingSearchRow, SavedSearchFields, SavedSearchRow } from '../../data/device/schema.ts';
import { pendingChanges, putPendingChange, searchChange } from '../../data/outbox/pending-changes.ts';
import type { UnsavedMutation } from '../../data/unsaved-mutations.ts';
import { filterKey, filterOfQuery, proposedSearchName } from './search-filter.ts';

/** Thrown when a search would exceed the limit. */
export class TooManySearchesError extends Error {
  override name = 'TooManySearchesError';
}

/** The user's message for TooManySearchesError. */
export const tooManySearchesText = () => t`At most ${MAX_SEARCHES} searches can be saved. Delete one first.`;

const newestFirst = (one: SavedSearchFields, other: SavedSearchFields) =>
  other.savedAt - one.savedAt || (one.id < other.id ? 1 : -1);

/** The fields of a row that all devices of its owner share. */
function savedSearchFields({ id, name, filter, openedUpTo, savedAt }: SavedSearchFields): SavedSearchFields {
  return { id, name, filter, openedUpTo, savedAt };
}

/**
 * The searches that the owner sees, newest first. Signed out (`owner` ''), the searches of a session that the
 * server has ended are included. A sign-out by the user removes its rows (R34).
 */
export async function visibleSearches(db: DeviceDatabase, owner: string): Promise<SavedSearchRow[]> {
  const rows = await (owner === '' ? db.searches.toArray() : db.searches.where('owner').equals(owner).toArray());
  return rows.sort(newestFirst);
}

/**
 * Queues the change of a search for the server. When a search is not sent yet, opening it leaves the queued
 * change as it is: to save it.
 */
async function queueChange(
  db: DeviceDatabase,
  row: SavedSearchRow,
  wanted: PendingSearchRow['wanted'],
  now: number,
): Promise<void> {
  if (row.owner === '') return;
  const change = searchChange(row.owner, wanted, savedSearchFields(row), now);
  const previous = await db.outbox.get(change.id);
  const isStillUnsaved =
    wanted === 'opened' && previous?.kind === 'search' && 'wanted' in previous && previous.wanted === 'kept';
  await putPendingChange(db.outbox, isStillUnsaved ? { ...change, wanted: 'kept' } : change);
}

async function storeSearch(db: DeviceDatabase, row: SavedSearchRow, now: number): Promise<void> {
  await db.searches.put(row);
  await queueChange(db, row, 'kept', now);
}

async function removeSearchRow(db: DeviceDatabase, row: SavedSearchRow, now: number): Promise<void> {
  await db.searches.delete([row.owner, row.id]);
  await queueChange(db, row, 'deleted', now);
}

/** Runs one transaction for a search and its pending change, so that a killed tab stores both or neither. */
function inSearchTransaction<T>(db: DeviceDatabase, work: () => Promise<T>): Promise<T> {
  return db.transaction('rw', db.searches, db.outbox, work);
}

/**
 * Saves a search, unless one with the same filter exists. Returns the stored search. Throws
 * TooManySearchesError. One transaction.
 */
export function saveSearch(
  db: DeviceDatabase,
  owner: string,
  search: SavedSearchFields,
  now: number,
): Promise<SavedSearchRow> {
  return inSearchTransaction(db, async () => {
    const visible = await visibleSearches(db, owner);
    const same = visible.find(({ filter }) => filterKey(filter) === filterKey(search.filter));
    if (same) return same;
    if (visible.length >= MAX_SEARCHES) throw new TooManySearchesError();
    const row = { ...savedSearchFields(search), owner, refusal: null };
    await storeSearch(db, row, now);
    return row;
  });
}

/**
 * Stores a mutation that another page has recorded. If its user is not signed in, a saved search is only
 * queued and is applied at the next sign-in. Throws TooManySearchesError. One transaction.
 */
export function storeUnsavedSearch(
  db: DeviceDatabase,
  { owner, subject, wanted, at, seenUpTo = 0 }: UnsavedMutation,
  currentOwner: string,
  now: number,
): Promise<void> {
  return inSearchTransaction(db, async () => {
    const filter = filterOfQuery(subject);
    if (!wanted) {
      const rows = await db.searches.where('owner').equals(owner).toArray();
      for (const row of rows.filter((each) => filterKey(each.filter) === filterKey(filter)))
        await removeSearchRow(db, row, now);
      return;
    }
    const id = crypto.randomUUID();
    const search = { id, name: proposedSearchName(filter), filter, openedUpTo: seenUpTo, savedAt: at };
    if (owner === '' || owner === currentOwner) await saveSearch(db, owner, search, now);
    else await putPendingChange(db.outbox, searchChange(owner, 'kept', search, now));
  });
}

/** Renames a search if it still exists. One transaction. */
export function renameSearch(db: DeviceDatabase, row: SavedSearchRow, name: string, now: number): Promise<void> {
  return inSearchTransaction(db, async () => {
    const present = await db.searches.get([row.owner, row.id]);
    if (present && present.name !== name) await storeSearch(db, { ...present, name }, now);
  });
}

/** Deletes a search. One transaction. */
export function deleteSearch(db: DeviceDatabase, row: SavedSearchRow, now: number): Promise<void> {
  return inSearchTransaction(db, () => removeSearchRow(db, row, now));
}

/** Undoes a deletion. One transaction. */
export function restoreSearch(db: DeviceDatabase, row: SavedSearchRow, now: number): Promise<void> {
  return inSearchTransaction(db, () => storeSearch(db, row, now));
}

/** Marks hits as seen, up to a tender's id. The stored id never decreases. One transaction. */
export function markOpened(db: DeviceDatabase, row: SavedSearchRow, upTo: number, now: number): Promise<void> {
  return inSearchTransaction(db, async () => {
    const present = await db.searches.get([row.owner, row.id]);
    if (!present || present.openedUpTo >= upTo) return;
    const opened = { ...present, openedUpTo: upTo };
    await db.searches.put(opened);
    await queueChange(db, opened, 'opened', now);
  });
}

/** Applies an owner's pending changes to the rows. */
async function applyPendingSearches(db: DeviceDatabase, owner: string): Promise<void> {
  for (const { wanted, search } of await pendingChanges(db, owner, 'search')) {
    if (wanted === 'kept' && !(await db.searches.get([owner, search.id]))) {
      await db.searches.put({ ...search, owner, refusal: null });
    }
    if (wanted === 'deleted') await db.searches.delete([owner, search.id]);
  }
}

/**
 * Called after a sign-in: the user's pending changes are applied again. Searches without an owner become the
 * user's, unless the user has one with the same filter. Rows of other users are removed; their pending
 * changes stay. One transaction.
 */
export function mergeSearchesAtSignIn(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return inSearchTransaction(db, async () => {
    await applyPendingSearches(db, owner);
    const existingKeys = new Set((await visibleSearches(db, owner)).map(({ filter }) => filterKey(filter)));
    for (const row of await db.searches.where('owner').equals('').toArray()) {
      if (!existingKeys.has(filterKey(row.filter))) await storeSearch(db, { ...row, owner }, now);
    }
    await db.searches.where('owner').notEqual(owner).delete();
  });
}

/** Called after a sign-out: removes the user's searches. Pending changes stay. */
export async function deleteSearchesAtSignOut(db: DeviceDatabase, owner: string): Promise<void> {
  await db.searches.where('owner').equals(owner).delete();
}
