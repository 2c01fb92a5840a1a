/** Push, click and dismissal in the service worker. Every push shows something: browsers withdraw silent ones. */
import type { TenderSummary } from '@nivida/contract/tender';
import { registerSync } from '../../../data/background-sync.ts';
import { fetchInTime } from '../../../data/fetch-in-time.ts';
import { sendFromWorker } from '../../../data/outbox-worker.ts';
import { onStores } from '../../../data/stores.ts';
import { countEvent } from './count.ts';
import { readDevice } from './device-row.ts';
import { applyPatches } from './patches.ts';
import { type PushText, readPayload } from './payload.ts';
import { bookmarkedIds, removeBookmark } from './unbookmark.ts';

/** What the worker remembers with a notification that it shows. */
interface Shown {
  /** Where a tap leads, of this origin. */
  path: string;
  /** Absent in one without text: nothing is counted of it. */
  nid?: string;
  tenderId?: string | undefined;
}

/** What the browsers know and TypeScript's list lacks. */
interface Options extends NotificationOptions {
  actions: { action: string; title: string }[];
  renotify: boolean;
}

const ICONS = { icon: '/icons/any-192.png', badge: '/icons/monochrome-512.png' };

/** Said when the text is for somebody else, or cannot be read. */
const NEUTRAL = { title: 'You have tender updates', tag: 'updates', path: '/notices' };

/** Path, query and hash of an address of this origin; any other leads to the notices. `?n=` is for browsers without us. */
export function pathOf(navigate: string, origin: string): string {
  const url = URL.parse(navigate);
  if (url?.origin !== origin) return NEUTRAL.path;
  url.searchParams.delete('n');
  return url.pathname + url.search + url.hash;
}

/** As many as the browser shows; a tap opens it anyway, so "Open" gives way first. */
export function shownActions(actions: PushText['actions'], most: number): Options['actions'] {
  const rest = actions.length > most ? actions.filter(({ action }) => action !== 'open') : actions;
  return rest.slice(0, most).map(({ action, title }) => ({ action, title }));
}

function mostActions(): number {
  return (Notification as { maxActions?: number }).maxActions ?? 0;
}

async function show(
  { registration }: ServiceWorkerGlobalScope,
  text: PushText | undefined,
  silent: boolean,
): Promise<void> {
  if (!text) {
    const data: Shown = { path: NEUTRAL.path };
    await registration.showNotification(NEUTRAL.title, { ...ICONS, tag: NEUTRAL.tag, lang: 'en-IN', silent, data });
    return;
  }
  const { title, body, lang, tag, navigate, actions, data } = text;
  const [tenderId, ...others] = data.tenderIds;
  const shown: Shown = {
    path: pathOf(navigate, location.origin),
    nid: data.nid,
    tenderId: others.length === 0 ? tenderId : undefined,
  };
  const options: Options = {
    ...ICONS,
    body,
    lang,
    dir: 'ltr',
    tag,
    // one that takes the place of another is news as well
    renotify: tag !== '' && !silent,
    silent,
    actions: shownActions(actions, mostActions()),
    data: shown,
  };
  await registration.showNotification(title, options);
}

/** Puts the number on the icon, by the app's one rule (features/bookmarks/badge.ts). */
export type ShowBadge = (bookmarked: readonly TenderSummary[], now: Date) => Promise<void>;

async function updateBadge(owner: string, showBadge: ShowBadge): Promise<void> {
  const tenders = await onStores(['bookmarks', 'tenders', 'settings'], 'readonly', async (stores) => {
    const rows = (await stores.bookmarks.all()).filter((row) => owner === '' || row.owner === owner);
    const kept = await Promise.all(rows.map(({ tenderId }) => stores.tenders.get(tenderId)));
    return rows.flatMap(({ summary }, index) => kept[index]?.tender ?? summary ?? []);
  });
  await showBadge(tenders, new Date());
}

async function tellTabs({ clients }: ServiceWorkerGlobalScope): Promise<void> {
  for (const tab of await clients.matchAll({ type: 'window', includeUncontrolled: true }))
    tab.postMessage({ type: 'sync' });
}

/** Shows a push, its text only to whom it is for, and brings the device's copy, the icon and open tabs up to date. */
export async function receivePush(
  worker: ServiceWorkerGlobalScope,
  text: string | undefined,
  showBadge: ShowBadge,
): Promise<void> {
  const payload = readPayload(text);
  const device = await readDevice();
  const isOurs = payload !== undefined && device !== undefined && payload.data.rcpt === device.rcpt;
  await show(worker, isOurs ? payload : undefined, payload?.silent === true);
  if (!isOurs) return;
  await Promise.allSettled([
    applyPatches(payload.data.patches, Date.now()).then(() => tellTabs(worker)),
    updateBadge(device.owner, showBadge),
  ]);
}

/** Opens the app at a path: in a tab that is there, else in a new one. */
async function openApp({ clients }: ServiceWorkerGlobalScope, path: string): Promise<void> {
  const [tab] = await clients.matchAll({ type: 'window' });
  if (!tab) return void (await clients.openWindow(path));
  // a browser that will not bring it to the front still shows it there
  await tab.focus().catch(() => undefined);
  await tab.navigate(path);
}

/** Sends what waits, with a one-time token. Without signal the browser wakes the worker later (Background Sync). */
async function sendNow({ registration }: ServiceWorkerGlobalScope): Promise<void> {
  try {
    // a token that is taken without signal is lost
    if (!navigator.onLine) throw new Error('no signal');
    await sendFromWorker(Date.now());
  } catch {
    await registerSync(registration);
  }
}

async function unbookmark(worker: ServiceWorkerGlobalScope, tenderId: string): Promise<void> {
  const device = await readDevice();
  if (!device) return;
  await removeBookmark(device.owner, tenderId, Date.now());
  await tellTabs(worker);
  if (device.owner !== '') return sendNow(worker);
  await fetchInTime(`/api/push/subscriptions/${device.id}/tenders`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Device ${device.secret}` },
    body: JSON.stringify({ tenderIds: await bookmarkedIds() }),
  }).catch(() => undefined);
}

/** A tap on a notification, or on one of its buttons. */
export async function clickNotification(
  worker: ServiceWorkerGlobalScope,
  { notification, action }: NotificationEvent,
): Promise<void> {
  notification.close();
  const { path, nid, tenderId } = (notification.data ?? {}) as Partial<Shown>;
  const work =
    action === 'unbookmark' && tenderId !== undefined
      ? unbookmark(worker, tenderId)
      : openApp(
          worker,
          action === 'calendar' && tenderId !== undefined ? `/tenders/${tenderId}#calendar` : (path ?? '/'),
        );
  await Promise.allSettled([work, nid === undefined ? undefined : countEvent(nid, 'clicked')]);
}

/** A notification that was put away. */
export async function dismissNotification({ notification }: NotificationEvent): Promise<void> {
  const { nid } = (notification.data ?? {}) as Partial<Shown>;
  if (nid !== undefined) await countEvent(nid, 'dismissed');
}
