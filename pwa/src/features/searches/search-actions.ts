/** Actions of the saved-search buttons: change the device, show it with "Undo", send it. */
import { t } from '@lingui/core/macro';
import type { SavedFilter } from '@nivida/contract/filter/saved-search';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase, SavedSearchFields, SavedSearchRow } from '../../data/device/schema.ts';
import { writeWithEviction } from '../../data/device/storage-quota.ts';
import { sendsLaterText } from '../../data/outbox/background-sync.ts';
import { hasConnection } from '../../data/server/reachability.ts';
import { currentOwner, currentSession } from '../../data/session.ts';
import { deleteMutation, recordMutation } from '../../data/unsaved-mutations.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { refreshSearches } from './exchange-searches.ts';
import { filterKey, filterOfQuery, filterQuery, proposedSearchName } from './search-filter.ts';
import {
  deleteSearch,
  markOpened,
  renameSearch,
  restoreSearch,
  saveSearch,
  TooManySearchesError,
  tooManySearchesText,
  visibleSearches,
} from './searches.ts';

const nowMs = () => currentTime().getTime();

function failureText(error: unknown): string {
  if (error instanceof TooManySearchesError) return tooManySearchesText();
  if (error instanceof DatabaseUnavailableError) return t`${storageProblem()}, so searches cannot be saved.`;
  return t`Failed to save the search`;
}

/** Changes the device. Returns undefined after an error; the user has seen its message. */
async function changeOnDevice<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined> {
  try {
    return await withDatabase((db) => writeWithEviction(db, null, () => work(db)));
  } catch (error) {
    showToast({ text: failureText(error) });
    return undefined;
  }
}

/**
 * Changes the device when the user taps Undo. The change is recorded until it is stored, because the user may
 * leave the page at once.
 */
async function undoOnDevice(row: SavedSearchRow, wanted: boolean, work: (db: DeviceDatabase) => Promise<void>) {
  const { owner, filter, openedUpTo: seenUpTo } = row;
  const mutation = recordMutation({ kind: 'search', owner, subject: filterQuery(filter), wanted, seenUpTo });
  await changeOnDevice(work);
  deleteMutation(mutation);
}

function sendPending(): void {
  void refreshSearches().catch(() => undefined);
}

function announce(text: string, undo: () => Promise<unknown>): void {
  const isSentLater = currentSession() !== null && !hasConnection();
  showToast({
    text: isSentLater ? `${text} ${sendsLaterText()}` : text,
    action: { label: t`Undo`, run: () => void undo().then(sendPending) },
    passing: true,
  });
}

/** Saves a filter under the proposed name. `seenUpTo` is the highest id of the matching tenders. */
export async function saveSearchAndSend(filter: SavedFilter, seenUpTo: number): Promise<boolean> {
  const search: SavedSearchFields = {
    id: crypto.randomUUID(),
    name: proposedSearchName(filter),
    filter,
    openedUpTo: seenUpTo,
    savedAt: nowMs(),
  };
  const row = await changeOnDevice((db) => saveSearch(db, currentOwner(), search, nowMs()));
  if (!row) return false;
  announce(t`Search saved: ${row.name}.`, () => undoOnDevice(row, false, (db) => deleteSearch(db, row, nowMs())));
  void requestPersistentStorage();
  sendPending();
  return true;
}

/** Saves a search that a firm shares as the user's own one, with alerts, under the id that ends with the membership. */
export async function followSearchAndSend(id: string, name: string, query: string): Promise<boolean> {
  const search = { id, name, filter: filterOfQuery(query), openedUpTo: 0, savedAt: nowMs() };
  const row = await changeOnDevice((db) => saveSearch(db, currentOwner(), search, nowMs()));
  if (!row) return false;
  announce(t`Search saved: ${row.name}.`, () => undoOnDevice(row, false, (db) => deleteSearch(db, row, nowMs())));
  sendPending();
  return true;
}

export async function deleteSearchAndSend(row: SavedSearchRow): Promise<boolean> {
  if ((await changeOnDevice((db) => deleteSearch(db, row, nowMs()).then(() => true))) === undefined) return false;
  announce(t`Saved search deleted.`, () => undoOnDevice(row, true, (db) => restoreSearch(db, row, nowMs())));
  sendPending();
  return true;
}

/** Deletes the search with this filter. Another device may have deleted it already. */
export async function deleteSearchOfFilterAndSend(filter: SavedFilter): Promise<boolean> {
  const rows = await changeOnDevice((db) => visibleSearches(db, currentOwner()));
  const row = rows?.find((each) => filterKey(each.filter) === filterKey(filter));
  return row !== undefined && deleteSearchAndSend(row);
}

export async function renameSearchAndSend(row: SavedSearchRow, name: string): Promise<void> {
  await changeOnDevice((db) => renameSearch(db, row, name, nowMs()));
  sendPending();
}

/** Marks a search's hits as seen, up to a tender's id. */
export async function markOpenedAndSend(row: SavedSearchRow, upTo: number): Promise<void> {
  if (upTo <= row.openedUpTo) return;
  await withDatabase((db) => markOpened(db, row, upTo, nowMs())).catch(() => undefined);
  sendPending();
}
