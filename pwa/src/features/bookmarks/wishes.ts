/** The device's wishes on their way to the server, and the server's set on its way back. */
import { MAX_WISHES, WishAnswer } from '@nivida/contract/bookmark';
import { api, messageOf } from '../../data/api.ts';
import { askForBackgroundSync } from '../../data/background-sync.ts';
import { currentTime } from '../../data/clock.ts';
import type { DeviceDatabase, WishRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { retryDelay } from '../../data/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/toast.ts';
import { useSaved } from './saved.ts';

/** Removes sent wishes, unless the user has wished otherwise while they were on their way. */
async function settleWishes(db: DeviceDatabase, sent: readonly WishRow[]): Promise<WishRow[]> {
  const settled: WishRow[] = [];
  for (const wish of sent) {
    const present = await db.wishes.get([wish.owner, wish.tenderId]);
    if (present?.at !== wish.at) continue;
    await db.wishes.delete([wish.owner, wish.tenderId]);
    settled.push(wish);
  }
  return settled;
}

/** Makes the owner's rows those of the server, newest first, except where a wish is still to be sent. */
async function receiveIds(db: DeviceDatabase, owner: string, ids: readonly string[], now: number): Promise<void> {
  const pending = new Set((await db.wishes.where('owner').equals(owner).toArray()).map(({ tenderId }) => tenderId));
  const held = new Set((await db.bookmarks.where('owner').equals(owner).toArray()).map(({ tenderId }) => tenderId));
  const received = new Set(ids);
  const gone = [...held].filter((tenderId) => !received.has(tenderId) && !pending.has(tenderId));
  await db.bookmarks.bulkDelete(gone.map((tenderId) => [owner, tenderId]));
  await db.bookmarks.bulkAdd(
    ids
      .map((tenderId, index) => ({ owner, tenderId, at: now - index, summary: null }))
      .filter(({ tenderId }) => !held.has(tenderId) && !pending.has(tenderId)),
  );
}

/** Takes the server's answer to `sent` in: settled wishes go, then its set stands. One transaction. */
function receive(db: DeviceDatabase, owner: string, sent: readonly WishRow[], answer: WishAnswer): Promise<void> {
  const answered = new Set(answer.results.filter(({ result }) => result !== 'retry').map(({ tenderId }) => tenderId));
  return db.transaction('rw', db.bookmarks, db.wishes, async () => {
    await settleWishes(
      db,
      sent.filter(({ tenderId }) => answered.has(tenderId)),
    );
    // whoever has signed out meanwhile must not find the set back on the device
    if (currentOwner() === owner) await receiveIds(db, owner, answer.tenderIds, currentTime().getTime());
  });
}

/** The server will not have these wishes: they go, and with them the bookmarks they made. One transaction. */
function drop(db: DeviceDatabase, sent: readonly WishRow[]): Promise<void> {
  return db.transaction('rw', db.bookmarks, db.wishes, async () => {
    const settled = await settleWishes(db, sent);
    await db.bookmarks.bulkDelete(
      settled.filter(({ wanted }) => wanted).map(({ owner, tenderId }) => [owner, tenderId]),
    );
  });
}

function tellRejected(message: string | undefined, count: number): void {
  if (count === 0) return;
  const what = count === 1 ? 'A bookmark was not kept' : `${count} bookmarks were not kept`;
  showToast({ text: message ? `${what}: ${message}` : `${what}.` });
}

let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Tries again after a growing pause; some devices never send an `online` event. */
function tryLater(): void {
  failures += 1;
  clearTimeout(timer);
  void askForBackgroundSync();
  timer = setTimeout(() => void sendWishes().catch(() => undefined), retryDelay(failures, Math.random()));
}

/** Sends one request; true when it succeeded and left nothing to be tried again. */
async function exchange(owner: string, sent: readonly WishRow[]): Promise<boolean> {
  const wishes = sent.map(({ tenderId, wanted }) => ({ tenderId, wanted }));
  try {
    const answer = await api.post('api/bookmarks/sync', { json: { wishes } }).json(WishAnswer);
    await onDevice((db) => receive(db, owner, sent, answer));
    const rejected = answer.results.filter(({ result }) => result === 'rejected');
    tellRejected(rejected[0]?.message, rejected.length);
    useSaved.setState({ error: undefined });
    const settled = answer.results.filter(({ result }) => result !== 'retry').length;
    if (settled >= sent.length) return true;
    tryLater();
  } catch (error) {
    useSaved.setState({ error });
    const outcome = outcomeOf(error);
    if (outcome === 'rejected') {
      await onDevice((db) => drop(db, sent));
      tellRejected(messageOf(error, 'Failed to bookmark tender'), sent.length);
    }
    if (outcome === 'retry' && sent.length > 0) tryLater();
  }
  return false;
}

/** Sends all wishes of the present user in requests of 200; with none to send, asks for the set if `pull` says so. */
async function exchangeAll(pull: boolean): Promise<void> {
  const owner = currentOwner();
  let isWanted = pull;
  while (owner !== '' && owner === currentOwner()) {
    const sent = await onDevice((db) => db.wishes.where('owner').equals(owner).limit(MAX_WISHES).toArray());
    if (sent.length === 0 && !isWanted) break;
    isWanted = false;
    if (!(await exchange(owner, sent))) return;
  }
  failures = 0;
}

/** One tab at a time: the next one finds what the first has left. Without locks (plain http) both send the same. */
async function inTurn(work: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  await (locks ? locks.request('wishes', work) : work());
}

/**
 * Sends what the server has not been told, if somebody is signed in and the device has a network. Failures are tried
 * again later, with growing pauses; it throws only when the device's database fails.
 */
export async function sendWishes(): Promise<void> {
  clearTimeout(timer);
  if (currentOwner() === '') return;
  if (globalThis.navigator?.onLine === false) return tryLater();
  await inTurn(() => exchangeAll(false));
}

/** The same, and receives the server's set also when there is nothing to send. */
export async function refreshBookmarks(): Promise<void> {
  clearTimeout(timer);
  if (currentOwner() === '') return;
  if (globalThis.navigator?.onLine === false) return tryLater();
  useSaved.setState({ isRefreshing: true });
  try {
    await inTurn(() => exchangeAll(true));
  } finally {
    useSaved.setState({ isRefreshing: false });
  }
}
