/** The part of the app's sync that is about alerts. */
import { DAY_MS } from '@nivida/contract/time';
import { currentTime } from '../../data/clock.ts';
import { observeDevice, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { api } from '../../data/server/api.ts';
import { classifySendError, createRetryLoop } from '../../data/server/retry.ts';
import { currentOwner } from '../../data/session.ts';
import { countUnreadAnswers } from '../../data/support/thread-rows.ts';
import { useAlerts } from './alert-state.ts';
import { deleteNotices, refreshNotices, unreadCount } from './notices/notices.ts';
import {
  deleteSavedPreferences,
  refreshAlertState,
  syncPushDevice,
  syncWatchedTenders,
  turnOffAtOnce,
  watchedTenderIds,
} from './push-device.ts';

/** Pushed changes are deleted after this time: the packs contain them by then. */
const PUSHED_CHANGE_RETENTION_MS = 7 * DAY_MS;

/**
 * Sends stored clicks. An address with `?n=` is a click too: the browser opened it without the service
 * worker.
 */
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

/** Writes the rows again that the service worker may have changed: live queries do not see its writes. */
async function rewritePushedChanges(db: DeviceDatabase): Promise<void> {
  const before = currentTime().getTime() - PUSHED_CHANGE_RETENTION_MS;
  await db.transaction('rw', db.pushedChanges, db.tenders, db.bookmarks, async () => {
    await db.pushedChanges.filter(({ at }) => at < before).delete();
    const ids = (await db.pushedChanges.toArray()).map(({ tenderId }) => tenderId);
    if (ids.length === 0) return;
    await db.tenders.bulkPut((await db.tenders.bulkGet(ids)).flatMap((row) => row ?? []));
    await db.bookmarks.bulkPut(await db.bookmarks.where('tenderId').anyOf(ids).toArray());
  });
}

let stopWatching: (() => void) | undefined;

/**
 * Watches the database: counts unread notices and answers of support, and sends the bookmarks of a signed-out
 * device, after each change.
 */
function watchNotices(): void {
  stopWatching?.();
  const owner = currentOwner();
  stopWatching = observeDevice(
    (db) => Promise.all([unreadCount(db, owner), countUnreadAnswers(db, owner), watchedTenderIds(db, owner)]),
    ([unread, unreadAnswers]) => {
      if (owner !== currentOwner()) return;
      useAlerts.setState({ unread, unreadAnswers });
      void syncWatchedTenders().catch(() => undefined);
    },
  );
}

/** Sends and loads notices and clicks, with retries. */
const noticeSync = createRetryLoop(async () => {
  await refreshNotices();
  await withDatabase(sendPushEvents);
});

/** Syncs subscription, notices, clicks and stored tenders. The next sync repeats what fails. */
export async function syncAlerts(): Promise<void> {
  // At the first visit the service worker becomes ready later than this.
  void navigator.serviceWorker?.ready.then(refreshAlertState).catch(() => undefined);
  watchNotices();
  await withDatabase(rewritePushedChanges);
  // Both run in parallel, because a push service may take long to answer.
  const tasks = [syncPushDevice(), noticeSync.run()];
  await Promise.all(tasks);
}

/**
 * Called after a sign-out: deletes the user's notices and removes the device at once. The server learns it
 * when there is a connection. Never throws.
 */
export async function deleteAlertsOf(owner: string): Promise<void> {
  await turnOffAtOnce(owner);
  await withDatabase((db) => deleteNotices(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteSavedPreferences(db, owner)).catch(() => undefined);
}
