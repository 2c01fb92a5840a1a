/** The alerts' part of the app's sync. */
import { liveQuery, type Subscription } from 'dexie';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { classifySendError } from '../../data/outcome.ts';
import { api } from '../../data/server/api.ts';
import { createRetryLoop } from '../../data/server/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { useAlerts } from './alert-state.ts';
import { deleteNotices, refreshNotices, unreadCount } from './notices/notices.ts';
import {
  refreshAlertState,
  SAVED_PREFERENCES_KEY,
  syncPushDevice,
  syncWatchedTenders,
  turnOffAtOnce,
  watchedTenderIds,
} from './push-device.ts';

/** By then the packs have what a patch says. */
const PUSHED_CHANGE_RETENTION_MS = 7 * 86_400_000;

/** Sends the clicks that were counted without signal, and that of an address with `?n=`, which a browser opened by itself. */
async function sendPushEvents(db: DeviceDatabase): Promise<void> {
  const opened = new URLSearchParams(location.search).get('n');
  if (opened !== null) await db.pushEvents.put({ nid: opened, ev: 'clicked' });
  for (const event of await db.pushEvents.toArray()) {
    try {
      await api.post('api/push/events', { json: event });
    } catch (error) {
      if (classifySendError(error) !== 'rejected') throw error;
    }
    await db.pushEvents.delete([event.nid, event.ev]);
  }
}

/** Screens do not hear what the service worker has written: what it may have changed is written once more. */
async function rewritePushedChanges(db: DeviceDatabase): Promise<void> {
  const before = currentTime().getTime() - PUSHED_CHANGE_RETENTION_MS;
  await db.transaction('rw', db.patches, db.tenders, db.bookmarks, async () => {
    await db.patches.filter(({ at }) => at < before).delete();
    const ids = (await db.patches.toArray()).map(({ tenderId }) => tenderId);
    if (ids.length === 0) return;
    await db.tenders.bulkPut((await db.tenders.bulkGet(ids)).flatMap((row) => row ?? []));
    await db.bookmarks.bulkPut(await db.bookmarks.where('tenderId').anyOf(ids).toArray());
  });
}

let watchSubscription: Subscription | undefined;
let lastWatchedIds = '';

/** Counts what is unread, and tells the server which tenders a device without a user keeps, whenever they change. */
async function watchNotices(): Promise<void> {
  const db = await withDatabase(async (opened) => opened);
  watchSubscription?.unsubscribe();
  const owner = currentOwner();
  const query = liveQuery(async () => {
    return { unread: await unreadCount(db, owner), ids: await watchedTenderIds(db, owner) };
  });
  watchSubscription = query.subscribe({
    next({ unread, ids }) {
      if (owner !== currentOwner()) return;
      useAlerts.setState({ unread });
      if (lastWatchedIds !== ids.join()) void syncWatchedTenders().catch(() => undefined);
      lastWatchedIds = ids.join();
    },
    // a lost connection ends the watch; the next start, or return to the app, begins another
    error: () => watchSubscription?.unsubscribe(),
  });
}

/** Notices and clicks; what fails is tried again by itself. */
const noticeSync = createRetryLoop(async () => {
  await refreshNotices();
  await withDatabase(sendPushEvents);
});

/** Brings subscription, notices, clicks and copies up to date. A failure waits for the next occasion. */
export async function syncAlerts(): Promise<void> {
  // at the first visit the service worker, without which nothing is possible, comes later than this
  void navigator.serviceWorker?.ready.then(refreshAlertState).catch(() => undefined);
  await watchNotices();
  await withDatabase(rewritePushedChanges);
  // none of them waits for another: a push service that does not answer may take its time
  const tasks = [syncPushDevice(), noticeSync.run()];
  await Promise.all(tasks);
}

/**
 * The user has signed out: the user's notices go, the device is let go at once, and the server learns it now or when
 * there is signal. Never throws.
 */
export async function deleteAlertsOf(owner: string): Promise<void> {
  await turnOffAtOnce();
  await withDatabase((db) => deleteNotices(db, owner)).catch(() => undefined);
  await withDatabase((db) => db.settings.delete(SAVED_PREFERENCES_KEY)).catch(() => undefined);
}
