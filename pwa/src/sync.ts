/** When the app talks to the server by itself, and about what: one line per feature. */
import { currentTime, keepClock } from './data/clock.ts';
import { forgetDrafts } from './data/drafts.ts';
import { keepSendTokens } from './data/send-tokens.ts';
import { onOwnerChange } from './data/session.ts';
import { syncAlerts } from './features/alerts/refresh.ts';
import { renewSession } from './features/auth/renewal.ts';
import { syncBookmarks } from './features/bookmarks/refresh.ts';
import './features/contact/outbox.ts';
import './features/documents/requests.ts';
import { sendOutbox } from './data/outbox.ts';
import { syncSearches } from './features/searches/refresh.ts';
import { findOnDevice } from './features/tenders/packs/local.ts';
import { refreshPacks, startPacks } from './features/tenders/packs/packs.ts';
import { askForPeriodicSync } from './features/tenders/packs/periodic.ts';

/** Coming back to the app syncs again, but not at every switch between two apps. */
const SHORTEST_MS = 60_000;
/** An app that stays in front for hours asks by itself. */
const WHILE_VISIBLE_MS = 30 * 60_000;

let syncedAt = 0;

function sync(): void {
  syncedAt = Date.now();
  // whatever fails now is tried again on the next occasion; screens show what the device holds
  void syncBookmarks((id) => findOnDevice(id, currentTime())).catch(() => undefined);
  void syncSearches().catch(() => undefined);
  void sendOutbox().catch(() => undefined);
  void syncAlerts().catch(() => undefined);
  refreshPacks();
  void renewSession();
  void keepSendTokens().catch(() => undefined);
}

function syncIfVisible(): void {
  if (document.visibilityState === 'visible' && Date.now() - syncedAt >= SHORTEST_MS) sync();
}

/** Syncs now, and whenever the device is online again, the app is back in front, or somebody signs in or out. */
export async function startSync(): Promise<void> {
  await keepClock();
  await startPacks();
  sync();
  window.addEventListener('online', sync);
  document.addEventListener('visibilitychange', syncIfVisible);
  setInterval(syncIfVisible, WHILE_VISIBLE_MS);
  // the service worker passes on what the browser woke it for
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.type === 'sync') sync();
  });
  onOwnerChange((owner) => {
    // a session that the server has ended leaves its user's drafts until another user signs in
    if (owner !== '') forgetDrafts((each) => each !== owner);
    sync();
  });
  await askForPeriodicSync();
}
