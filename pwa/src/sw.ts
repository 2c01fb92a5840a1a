/** The service worker: serves the app from the device on every address, and handles pushes (features/alerts/worker). */

import { addTexts } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { type AppFile, AppFiles } from './data/app-files/app-files.ts';
import { STORE_APP, STORE_FILES } from './data/app-files/store-app.ts';
import { SYNC_TAG } from './data/outbox/background-sync.ts';
import { sendFromWorker } from './data/outbox/outbox-worker.ts';
import { fetchWithTimeout } from './data/server/fetch-with-timeout.ts';
import { receiveShare } from './data/shared-files/receive-share.ts';
import { isShareTarget } from './data/shared-files/share-target.ts';
import { STORE_PAGE } from './data/stored-pages/shown-page.ts';
import { pageKey, pageRequest, StoredPages } from './data/stored-pages/stored-pages.ts';
import { countClosingToday, showAppBadge } from './data/tenders/app-badge.ts';
import { clickNotification, dismissNotification, receivePush } from './features/alerts/worker/notifications.ts';
import { renewSubscription } from './features/alerts/worker/renew-subscription.ts';

/** The build writes the list of the app's files here. */
declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: AppFile[];
  /** Written by the server: the origin of a CDN that has the files of /assets. */
  ASSET_ORIGIN?: string;
};

const INDEX = 'index.html';

const files = self.__WB_MANIFEST;
const appFiles = new AppFiles(files, self.ASSET_ORIGIN);
// The server names its build by the same hash of the page.
const storedPages = new StoredPages(files.find(({ url }) => url === INDEX)?.revision ?? 'none', loadTexts);

const loadedLanguages = new Set<Language>();

/** Loads the worker's texts in a language, and stores their file. What it cannot load is English. */
async function loadTexts(language: Language): Promise<void> {
  if (loadedLanguages.has(language)) return;
  const file = files.find(({ url }) => url.startsWith(`assets/${language}-`) && url.endsWith('.json'));
  if (!file) return;
  const response = await appFiles.answer(new URL(file.url, `${location.origin}/`).href);
  if (!response.ok) return;
  addTexts(language, await response.json());
  loadedLanguages.add(language);
}

self.addEventListener('install', (event) => event.waitUntil(appFiles.install(self.registration.active !== null)));

// Claims open pages: otherwise Safari sends them no change event, and the first visit would not work offline.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('activate', (event) => event.waitUntil(storeOpenPages()));

// A new build waits for the user's tap: see features/install/updates.ts.
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
  // The next visit repeats what fails.
  if (event.data?.type === STORE_APP) event.waitUntil(appFiles.storeAll().catch(() => undefined));
  if (event.data?.type === STORE_FILES) event.waitUntil(appFiles.storeLoaded(event.data.urls).catch(() => undefined));
  if (event.data?.type === STORE_PAGE) event.waitUntil(storePage(String(event.data.address)));
});

/** Stores the page of an address unless the stored one is new. */
async function storePage(address: string, init?: RequestInit): Promise<void> {
  const key = pageKey(new URL(address, self.location.origin).href);
  if (key === null || (await storedPages.find(key))?.isOld === false) return;
  let storing: Promise<void> | undefined;
  await storedPages.fetch(key, pageRequest(key, init), (work) => {
    storing = work;
  });
  await storing;
}

/** The first pages were opened before this worker, so it has not stored them. */
async function storeOpenPages(): Promise<void> {
  await storedPages.deleteOthers();
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // The browser has just loaded them, so they come from its cache.
  await Promise.all(tabs.map(({ url }) => storePage(url, { cache: 'force-cache' })));
}

// The browser fires this about twice a day. An app that is open in the background then syncs.
self.addEventListener('periodicsync', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(postToTabs({ type: 'sync' }));
});

// Background Sync: the device is online again. A visible app sends by itself and shows the result.
self.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent && 'tag' in event && event.tag === SYNC_TAG)
    event.waitUntil(sendOutboxIfHidden());
});

async function sendOutboxIfHidden(): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!tabs.some(({ visibilityState }) => visibilityState === 'visible')) await sendFromWorker(Date.now());
  await postToTabs({ type: 'sync' });
}

self.addEventListener('push', (event) =>
  event.waitUntil(
    receivePush(self, event.data?.text(), loadTexts, (bookmarked, now) =>
      showAppBadge(countClosingToday(bookmarked, now)),
    ),
  ),
);
self.addEventListener('notificationclick', (event) => event.waitUntil(clickNotification(self, event)));
self.addEventListener('notificationclose', (event) => event.waitUntil(dismissNotification(event)));
self.addEventListener('pushsubscriptionchange', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(renewSubscription(self.registration));
});

async function postToTabs(message: { type: string }): Promise<void> {
  for (const tab of await self.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    tab.postMessage(message);
}

/**
 * Deletes the files of earlier builds, on a cold start without an open tab. An open tab may run an earlier
 * build and need its lazy chunks. Nothing is deleted while a newer build is being stored, because its files
 * are not in this worker's list.
 */
async function deleteEarlierBuilds(): Promise<void> {
  const { installing, waiting } = self.registration;
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (tabs.length === 0 && !installing && !waiting) await appFiles.deleteOthers();
}

const renderInApp = () => appFiles.answer(new URL(INDEX, `${location.origin}/`).href);

/** True for a reload by the user, who wants the current page. */
const isReload = ({ cache }: Request) => cache === 'no-cache' || cache === 'reload';

/**
 * Answers a navigation: with the stored page, without it with the server's, without that with the app's own.
 * A stored page that is old is requested again in the background. A reload asks the server first. If it then
 * shows the stored page, the app requests the page's answer again.
 */
async function answerNavigation(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const key = pageKey(request.url);
  if (key === null) return renderInApp();
  const onStored = (work: Promise<void>) => event.waitUntil(work);
  const fromServer = () => storedPages.fetch(key, request, onStored);
  if (isReload(request))
    return (
      (await fromServer()) ?? (await storedPages.find(key, true).catch(() => undefined))?.response ?? renderInApp()
    );
  const stored = await storedPages.find(key).catch(() => undefined);
  if (stored?.isOld) event.waitUntil(storedPages.fetch(key, pageRequest(key), onStored));
  return stored?.response ?? (await fromServer()) ?? renderInApp();
}

/**
 * Addresses that only the server answers: the API, downloads, the development mailbox, and any path with a
 * file extension.
 */
const SERVER_ADDRESSES = [/^\/(api|d|dev|\.well-known)\//, /^[^?]*\.[a-z]\w{1,11}(\?|$)/i];

/** Answers for a chunk of another build, which an open tab of an earlier build requests. */
const answerOtherChunk = async (request: Request) =>
  (await appFiles.findOther(request.url)) ?? fetchWithTimeout(request);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.mode === 'navigate') event.waitUntil(deleteEarlierBuilds());
  if (origin === location.origin && isShareTarget(request.method, pathname))
    return event.respondWith(receiveShare(request, Date.now()));
  const isAsset = pathname.startsWith('/assets/');
  if (request.method !== 'GET' || (origin !== location.origin && !(isAsset && origin === self.ASSET_ORIGIN))) return;
  if (request.mode === 'navigate') {
    if (!SERVER_ADDRESSES.some((address) => address.test(pathname + search)))
      event.respondWith(answerNavigation(event));
  } else if (appFiles.has(request.url)) event.respondWith(appFiles.answer(request.url));
  else if (isAsset) event.respondWith(answerOtherChunk(request));
});
