/** What the buttons of saved searches do: on the device first, said with a way back, then sent. */

import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase, SavedSearchFields, SavedSearchRow } from '../../data/device/schema.ts';
import { writeWithEviction } from '../../data/device/storage-quota.ts';
import { sendsLaterText } from '../../data/outbox/background-sync.ts';
import { currentOwner, currentSession } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { refreshSearches } from './exchange-searches.ts';
import { proposedSearchName, type SavedSearchFilter } from './search-filter.ts';
import { deleteSearch, markOpened, renameSearch, restoreSearch, saveSearch, TooManySearchesError } from './searches.ts';

const nowMs = () => currentTime().getTime();

function failureText(error: unknown): string {
  if (error instanceof TooManySearchesError) return 'At most 50 searches can be saved. Delete one first.';
  if (error instanceof DatabaseUnavailableError)
    return 'This browser keeps nothing on this device: saved searches need that.';
  return 'Failed to save the search';
}

/** Changes the device; undefined when that failed, which has then been said. */
async function changeOnDevice<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined> {
  try {
    return (await withDatabase((db) => writeWithEviction(db, null, () => work(db)))).value;
  } catch (error) {
    showToast({ text: failureText(error) });
    return undefined;
  }
}

/** What cannot be sent now is repeated by itself. */
function sendPending(): void {
  void refreshSearches().catch(() => undefined);
}

function announce(text: string, undo: () => Promise<unknown>): void {
  const isSentLater = currentSession() !== null && !navigator.onLine;
  showToast({
    text: isSentLater ? `${text} ${sendsLaterText()}` : text,
    action: { label: 'Undo', run: () => void undo().then(sendPending) },
    passing: true,
  });
}

/** Saves a filter under its proposed name; `seenUpTo` is the highest id of the tenders that match now. */
export async function saveSearchAndSend(filter: SavedSearchFilter, seenUpTo: number): Promise<void> {
  const search: SavedSearchFields = {
    id: crypto.randomUUID(),
    name: proposedSearchName(filter),
    filter,
    openedUpTo: seenUpTo,
    savedAt: nowMs(),
  };
  const row = await changeOnDevice((db) => saveSearch(db, currentOwner(), search, nowMs()));
  if (!row) return;
  announce(`Search saved: ${row.name}.`, () => changeOnDevice((db) => deleteSearch(db, row, nowMs())));
  void requestPersistentStorage();
  sendPending();
}

/** Lets a search go. */
export async function deleteSearchAndSend(row: SavedSearchRow): Promise<void> {
  if ((await changeOnDevice((db) => deleteSearch(db, row, nowMs()).then(() => true))) === undefined) return;
  announce('Saved search deleted.', () => changeOnDevice((db) => restoreSearch(db, row, nowMs())));
  sendPending();
}

/** Gives a search another name. */
export async function renameSearchAndSend(row: SavedSearchRow, name: string): Promise<void> {
  await changeOnDevice((db) => renameSearch(db, row, name, nowMs()));
  sendPending();
}

/** Notes that a search's hits have been seen up to a tender's id. */
export async function markOpenedAndSend(row: SavedSearchRow, upTo: number): Promise<void> {
  if (upTo <= row.openedUpTo) return;
  await withDatabase((db) => markOpened(db, row, upTo, nowMs())).catch(() => undefined);
  sendPending();
}
