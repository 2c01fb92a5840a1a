/** The alerts' part of the app's sync. */
import { liveQuery, type Subscription } from 'dexie';
import { api } from '../../data/api.ts';
import { currentTime } from '../../data/clock.ts';
import type { DeviceDatabase } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { keepTrying } from '../../data/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { lookUp, resync, tellWatched, turnOffAtOnce, WANTED, watchedIds } from './device.ts';
import { forgetNotices, refreshNotices, unreadCount } from './notices.ts';
import { useAlerts } from './state.ts';

/** By then the packs have what a patch says. */
const PATCH_KEPT_MS = 7 * 86_400_000;

/** Sends the clicks that were counted without signal, and that of an address with `?n=`, which a browser opened by itself. */
async function sendEvents(db: DeviceDatabase): Promise<void> {
  const opened = new URLSearchParams(location.search).get('n');
  if (opened !== null) await db.pushEvents.put({ nid: opened, ev: 'clicked' });
  for (const event of await db.pushEvents.toArray()) {
    try {
      await api.post('api/push/events', { json: event });
    } catch (error) {
      if (outcomeOf(error) !== 'rejected') throw error;
    }
    await db.pushEvents.delete([event.nid, event.ev]);
  }
}

/** Screens do not hear what the service worker has written: what it may have changed is written once more. */
async function showPatches(db: DeviceDatabase): Promise<void> {
  const before = currentTime().getTime() - PATCH_KEPT_MS;
  await db.transaction('rw', db.patches, db.tenders, db.bookmarks, async () => {
    await db.patches.filter(({ at }) => at < before).delete();
    const ids = (await db.patches.toArray()).map(({ tenderId }) => tenderId);
    if (ids.length === 0) return;
    await db.tenders.bulkPut((await db.tenders.bulkGet(ids)).flatMap((row) => row ?? []));
    await db.bookmarks.bulkPut(await db.bookmarks.where('tenderId').anyOf(ids).toArray());
  });
}

let watching: Subscription | undefined;
let watched = '';

/** Counts what is unread, and tells the server which tenders a device without a user keeps, whenever they change. */
async function watch(): Promise<void> {
  const db = await onDevice(async (opened) => opened);
  watching?.unsubscribe();
  const owner = currentOwner();
  const query = liveQuery(async () => {
    return { unread: await unreadCount(db, owner), ids: await watchedIds(db, owner) };
  });
  watching = query.subscribe({
    next({ unread, ids }) {
      if (owner !== currentOwner()) return;
      useAlerts.setState({ unread });
      if (watched !== ids.join()) void tellWatched().catch(() => undefined);
      watched = ids.join();
    },
    // a lost connection ends the watch; the next start, or return to the app, begins another
    error: () => watching?.unsubscribe(),
  });
}

/** Notices and clicks; what fails is tried again by itself. */
const exchanging = keepTrying(async () => {
  await refreshNotices();
  await onDevice(sendEvents);
});

/** Brings subscription, notices, clicks and copies up to date. A failure waits for the next occasion. */
export async function syncAlerts(): Promise<void> {
  // at the first visit the service worker, without which nothing is possible, comes later than this
  void navigator.serviceWorker?.ready.then(lookUp).catch(() => undefined);
  await watch();
  await onDevice(showPatches);
  // none of them waits for another: a push service that does not answer may take its time
  const parts = [resync(), exchanging.run()];
  await Promise.all(parts);
}

/**
 * The user has signed out: the user's notices go, the device is let go at once, and the server learns it now or when
 * there is signal. Never throws.
 */
export async function forgetAlerts(owner: string): Promise<void> {
  await turnOffAtOnce();
  await onDevice((db) => forgetNotices(db, owner)).catch(() => undefined);
  await onDevice((db) => db.settings.delete(WANTED)).catch(() => undefined);
}
