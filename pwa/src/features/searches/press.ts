/** What the buttons of saved searches do: on the device first, said with a way back, then sent. */
import { sentLaterText } from '../../data/background-sync.ts';
import { currentTime } from '../../data/clock.ts';
import type { DeviceDatabase, SearchFacts, SearchRow } from '../../data/db.ts';
import { DeviceUnavailable, onDevice } from '../../data/device.ts';
import { withRoom } from '../../data/room.ts';
import { currentOwner, currentSession } from '../../data/session.ts';
import { askToPersist } from '../../data/storage.ts';
import { showToast } from '../../ui/toast.ts';
import { refreshSearches } from './exchange.ts';
import { nameOf, type SearchFilter } from './filter.ts';
import { deleteSearch, markOpened, renameSearch, restoreSearch, saveSearch, TooManySearches } from './searches.ts';

const now = () => currentTime().getTime();

function refusal(error: unknown): string {
  if (error instanceof TooManySearches) return 'At most 50 searches can be saved. Delete one first.';
  if (error instanceof DeviceUnavailable) return 'This browser keeps nothing on this device: saved searches need that.';
  return 'Failed to save the search';
}

/** Changes the device; undefined when that failed, which has then been said. */
async function change<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined> {
  try {
    return (await onDevice((db) => withRoom(db, null, () => work(db)))).value;
  } catch (error) {
    showToast({ text: refusal(error) });
    return undefined;
  }
}

/** What cannot be sent now is repeated by itself. */
function sendQuietly(): void {
  void refreshSearches().catch(() => undefined);
}

function tell(text: string, undo: () => Promise<unknown>): void {
  const isHeldBack = currentSession() !== null && !navigator.onLine;
  showToast({
    text: isHeldBack ? `${text} ${sentLaterText()}` : text,
    action: { label: 'Undo', run: () => void undo().then(sendQuietly) },
    passing: true,
  });
}

/** Saves a filter under its proposed name; `seenUpTo` is the highest id of the tenders that match now. */
export async function pressSave(filter: SearchFilter, seenUpTo: number): Promise<void> {
  const search: SearchFacts = {
    id: crypto.randomUUID(),
    name: nameOf(filter),
    filter,
    openedUpTo: seenUpTo,
    savedAt: now(),
  };
  const row = await change((db) => saveSearch(db, currentOwner(), search, now()));
  if (!row) return;
  tell(`Search saved: ${row.name}.`, () => change((db) => deleteSearch(db, row, now())));
  void askToPersist();
  sendQuietly();
}

/** Lets a search go. */
export async function pressDelete(row: SearchRow): Promise<void> {
  if ((await change((db) => deleteSearch(db, row, now()).then(() => true))) === undefined) return;
  tell('Saved search deleted.', () => change((db) => restoreSearch(db, row, now())));
  sendQuietly();
}

/** Gives a search another name. */
export async function rename(row: SearchRow, name: string): Promise<void> {
  await change((db) => renameSearch(db, row, name, now()));
  sendQuietly();
}

/** Notes that a search's hits have been seen up to a tender's id. */
export async function noteOpened(row: SearchRow, upTo: number): Promise<void> {
  if (upTo <= row.openedUpTo) return;
  await onDevice((db) => markOpened(db, row, upTo, now())).catch(() => undefined);
  sendQuietly();
}
