/** When the app talks to the server by itself, and about what: one line per feature. */
import { currentTime, startClock } from './data/clock.ts';
import { deleteTabDrafts } from './data/device/tab-drafts.ts';
import { refreshSendTokens } from './data/outbox/send-tokens.ts';
import { onOwnerChange } from './data/session.ts';
import { syncAlerts } from './features/alerts/sync-alerts.ts';
import { renewSession } from './features/auth/renewal.ts';
import { syncBookmarks } from './features/bookmarks/sync-bookmarks.ts';
import './features/contact/contact-messages.ts';
import './features/documents/requests.ts';
import { sendOutbox } from './data/outbox/outbox.ts';
import { syncSearches } from './features/searches/exchange-searches.ts';
import { findTenderOnDevice } from './features/tenders/packs/local-engines.ts';
import { refreshPacks, startPacks } from './features/tenders/packs/packs.ts';
import { registerPeriodicSync } from './features/tenders/packs/periodic-sync.ts';

/** Coming back to the app syncs again, but not at every switch between two apps. */
const MIN_SYNC_INTERVAL_MS = 60_000;
/** An app that stays in front for hours asks by itself. */
const VISIBLE_SYNC_INTERVAL_MS = 30 * 60_000;

let syncedAt = 0;

function sync(): void {
  syncedAt = Date.now();
  // whatever fails now is tried again on the next occasion; screens show what the device holds
  void syncBookmarks((id) => findTenderOnDevice(id, currentTime())).catch(() => undefined);
  void syncSearches().catch(() => undefined);
  void sendOutbox().catch(() => undefined);
  void syncAlerts().catch(() => undefined);
  refreshPacks();
  void renewSession();
  void refreshSendTokens().catch(() => undefined);
}

function syncIfVisible(): void {
  if (document.visibilityState === 'visible' && Date.now() - syncedAt >= MIN_SYNC_INTERVAL_MS) sync();
}

/** Syncs now, and whenever the device is online again, the app is back in front, or somebody signs in or out. */
export async function startSync(): Promise<void> {
  await startClock();
  await startPacks();
  sync();
  window.addEventListener('online', sync);
  document.addEventListener('visibilitychange', syncIfVisible);
  setInterval(syncIfVisible, VISIBLE_SYNC_INTERVAL_MS);
  // the service worker passes on what the browser woke it for
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.type === 'sync') sync();
  });
  onOwnerChange((owner) => {
    // a session that the server has ended leaves its user's drafts until another user signs in
    if (owner !== '') deleteTabDrafts((each) => each !== owner);
    sync();
  });
  await registerPeriodicSync();
}
