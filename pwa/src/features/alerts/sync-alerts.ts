/** The alerts' part of the app's sync. */
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { observeDevice } from '../../data/device/live-query.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { api } from '../../data/server/api.ts';
import { classifySendError, createRetryLoop } from '../../data/server/retry.ts';
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

let stopWatching: (() => void) | undefined;

/** Counts unread notices, and sends the bookmarks of a signed-out device to the server, after each change. */
function watchNotices(): void {
  stopWatching?.();
  const owner = currentOwner();
  stopWatching = observeDevice(
    async (db) => ({ unread: await unreadCount(db, owner), watchedIds: await watchedTenderIds(db, owner) }),
    ({ unread }) => {
      if (owner !== currentOwner()) return;
      useAlerts.setState({ unread });
      void syncWatchedTenders().catch(() => undefined);
    },
  );
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
  watchNotices();
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
