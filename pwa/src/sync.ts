/** Automatic sync of all features with the server. */
import { t } from '@lingui/core/macro';
import { MINUTE_MS } from '@nivida/contract/time';
import { startClock } from './data/clock.ts';
import { deleteTabDrafts } from './data/device/tab-drafts.ts';
import { onFirmsLost } from './data/firms/firm-list.ts';
import { nextTask } from './data/first-screen.ts';
import { refreshSendTokens } from './data/outbox/send-tokens.ts';
import { onRecordRefused } from './data/records/refusals.ts';
import { syncRecords } from './data/records/sync-records.ts';
import { onReachable, type Reachability } from './data/server/reachability.ts';
import { onOwnerChange, unfinishedSignOuts } from './data/session.ts';
import { syncSharedFiles } from './data/shared-files/sync-shared-files.ts';
import { onSupportMessage } from './data/support/message-news.ts';
import { syncSupport } from './data/support/sync-support.ts';
import { watchAbandonedMutations } from './data/unsaved-mutations.ts';
import { syncAddedList } from './features/added-list/sync-added-list.ts';
import { syncAlerts } from './features/alerts/sync-alerts.ts';
import { renewSession } from './features/auth/renewal.ts';
import { syncOffices } from './features/awards/follow/followed-offices.ts';
import { syncAwardPacks } from './features/awards/saved/award-packs.ts';
import { syncDocumentFiles } from './features/bid-documents/sync-files.ts';
import { storeAndSendAbandonedMutations, syncBookmarks } from './features/bookmarks/bookmark-sync.ts';
import './features/contact/contact-messages.ts';
import './features/documents/requests.ts';
import './features/reports/waiting-reports.ts';
import { sendOutbox } from './data/outbox/outbox.ts';
import { syncSearches } from './features/searches/exchange-searches.ts';
import { keepAwakeWhileDownloading } from './offline/keep-awake.ts';
import { findTenderOnDevice } from './offline/packs/local-engines.ts';
import { onPackMessage, refreshPacks, startPacks } from './offline/packs/packs.ts';
import { registerPeriodicSync } from './offline/packs/periodic-sync.ts';
import { showToast } from './ui/feedback/toast.ts';

/** Minimum interval between syncs. Otherwise quick switches between apps would sync each time. */
const MIN_SYNC_INTERVAL_MS = 60_000;
/** Interval of syncs while the app stays visible. */
const VISIBLE_SYNC_INTERVAL_MS = 30 * MINUTE_MS;

/**
 * A sync that began this recently already used the network that is back now: the `online` event starts a sync
 * itself.
 */
const SAME_NETWORK_MS = 3_000;
/** After this time a sync counts as stuck, and another sync may run. */
const MAX_SYNC_MS = 5 * MINUTE_MS;

let syncedAt = 0;
let hasFailedStep = false;
/** The last sync, until all its steps have ended. */
let running: Promise<void> | undefined;
/**
 * What to do after the running sync. `isWanted`: sync again, because of an event. `isWantedAfterFailure`:
 * sync a minute later if a step fails.
 */
let next: { isWanted: boolean; isWantedAfterFailure: boolean };
let dueTimer: ReturnType<typeof setTimeout> | undefined;

/** Bookmarks fetch most tenders of bids, so bids follow bookmarks, even after a failure. */
async function syncTenders(): Promise<void> {
  const bookmarks = syncBookmarks(findTenderOnDevice);
  await bookmarks.catch(() => undefined);
  const { refreshBidTenders } = await import('./features/bids/refresh-tenders.ts');
  await refreshBidTenders();
  const { saveReadings } = await import('./data/readings/save-readings.ts');
  await saveReadings();
  await bookmarks;
}

const SYNC_STEPS: (() => unknown)[] = [
  syncTenders,
  syncRecords,
  syncDocumentFiles,
  syncSearches,
  syncOffices,
  sendOutbox,
  syncSupport,
  syncSharedFiles,
  syncAddedList,
  syncAlerts,
  () => refreshPacks(),
  syncAwardPacks,
  renewSession,
  refreshSendTokens,
];

async function runStep(step: () => unknown): Promise<void> {
  try {
    await step();
  } catch {
    hasFailedStep = true;
  }
}

/** Starts each step in its own task. The next sync repeats a failed step. Screens show the device's data. */
async function runSteps(): Promise<void> {
  const steps: Promise<void>[] = [];
  for (const step of SYNC_STEPS) {
    await nextTask();
    steps.push(runStep(step));
  }
  await Promise.all(steps);
}

function sync(): void {
  syncedAt = Date.now();
  hasFailedStep = false;
  next = { isWanted: false, isWantedAfterFailure: false };
  clearTimeout(dueTimer);
  const started = runSteps().then(() => {
    // A sync of another user may have started.
    if (running !== started) return;
    running = undefined;
    if (next.isWanted) sync();
    else if (next.isWantedAfterFailure && hasFailedStep) syncAMinuteAfter(Date.now());
  });
  running = started;
}

const isRunning = () => running !== undefined && Date.now() - syncedAt < MAX_SYNC_MS;

/** Syncs now, or after the running sync. */
function syncOrRepeat(): void {
  if (isRunning()) next.isWanted = true;
  else sync();
}

function syncIfVisible(): void {
  const isDue = Date.now() - syncedAt >= MIN_SYNC_INTERVAL_MS;
  if (isDue && document.visibilityState === 'visible' && !isRunning()) sync();
}

/** Syncs a minute after `time`, or now if that has passed. A hidden app syncs when it becomes visible. */
function syncAMinuteAfter(time: number): void {
  clearTimeout(dueTimer);
  const wait = time + MIN_SYNC_INTERVAL_MS - Date.now();
  if (wait > 0) dueTimer = setTimeout(syncAMinuteAfter, wait, time);
  else syncIfVisible();
}

/**
 * Syncs after a network that carried nothing. There is no event for this. At most once a minute: on a slow
 * network, too, the server looks unreachable. After a mere silence, only if a step has failed.
 */
function syncWhenReachable(before: Reachability): void {
  if (before === 'silent') {
    if (hasFailedStep) syncIfVisible();
  } else if (isRunning()) next.isWantedAfterFailure = true;
  else if (Date.now() - syncedAt >= SAME_NETWORK_MS) syncAMinuteAfter(syncedAt);
}

/** Finishes the sign-outs of tabs that were closed right after them. */
async function finishEarlierSignOuts(): Promise<void> {
  if (unfinishedSignOuts().length === 0) return;
  const { finishSignOuts } = await import('./screens/account/delete-user-data.ts');
  await finishSignOuts();
}

/**
 * Syncs now. Then syncs when the device is online again, when the server answers again, when the app becomes
 * visible, and when a user signs in or out.
 */
export async function startSync(): Promise<void> {
  onPackMessage(showToast);
  await startClock();
  // If this fails, the next start repeats it.
  await finishEarlierSignOuts().catch(() => undefined);
  await startPacks();
  keepAwakeWhileDownloading();
  onSupportMessage(({ thread }, refusal) => {
    const subject = thread?.subject;
    if (refusal !== null) showToast({ text: t`Your message to support was not sent: ${{ reason: refusal }}` });
    else showToast({ text: subject ? t`Your message “${subject}” was sent.` : t`Your message was sent.` });
  });
  onFirmsLost((lost) => {
    void import('./features/firms/LostFirmNotes.tsx').then(({ lostFirmText }) => {
      for (const firm of lost) showToast({ text: lostFirmText(firm) });
    });
  });
  onRecordRefused((reason) => showToast({ text: t`A record is only on this device: ${reason}` }));
  sync();
  watchAbandonedMutations('bookmark', storeAndSendAbandonedMutations);
  watchAbandonedMutations('search', syncSearches);
  window.addEventListener('online', syncOrRepeat);
  onReachable(syncWhenReachable);
  document.addEventListener('visibilitychange', syncIfVisible);
  setInterval(syncIfVisible, VISIBLE_SYNC_INTERVAL_MS);
  // The service worker forwards the browser's sync events.
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.type === 'sync') syncOrRepeat();
  });
  onOwnerChange((owner) => {
    // The drafts of an ended session stay until another user signs in.
    if (owner !== '') deleteTabDrafts((each) => each !== owner);
    sync();
  });
  await registerPeriodicSync();
}
