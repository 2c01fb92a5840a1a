/** Push, click and dismissal in the service worker. Every push shows a notification: browsers revoke silent push. */
import { t } from '@lingui/core/macro';
import { inLanguage } from '@nivida/contract/i18n';
import {
  LANGUAGES,
  type Language,
  languageOfBrowser,
  languageOfLocale,
  pathIn,
  splitLanguage,
} from '@nivida/contract/languages';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { parseUrl } from '@nivida/contract/url';
import type { PushDeviceRow } from '../../../data/device/schema.ts';
import { readPushDeviceRow, withStores } from '../../../data/device/worker-database.ts';
import { registerSync } from '../../../data/outbox/background-sync.ts';
import { sendFromWorker } from '../../../data/outbox/outbox-worker.ts';
import { fetchWithTimeout } from '../../../data/server/fetch-with-timeout.ts';
import { type PushText, parsePushText } from './payload.ts';
import { recordPushEvent } from './push-events.ts';
import { bookmarkedIds, removeBookmark } from './remove-bookmark.ts';
import { storePushedChanges } from './store-pushed-changes.ts';

/** Data stored with a notification. */
interface NotificationData {
  /** Path on this origin that a tap opens. */
  path: string;
  /** Absent in a neutral notification: its clicks are not counted. */
  nid?: string;
  tenderId?: string | undefined;
}

/** Options that TypeScript's types lack. */
interface ExtendedNotificationOptions extends NotificationOptions {
  actions: { action: string; title: string }[];
  renotify: boolean;
}

const ICONS = { icon: '/icons/any-192.png', badge: '/icons/monochrome-512.png' };

/** The notification that is shown when the text is for another user or cannot be read. */
const NEUTRAL_TAG = 'updates';

const noticesPath = (language: Language): string => pathIn(language, '/notices');

/** The language of the alerts of this device; without them that of the browser. */
const languageOfDevice = (device: PushDeviceRow | undefined): Language =>
  device ? languageOfLocale(device.preferences.language) : (languageOfBrowser() ?? 'en');

/**
 * Path, query and hash of an address of this origin. Any other address opens the notices. `?n=` is removed
 * here; it is for browsers that open the address without this worker.
 */
export function pathOfLink(navigate: string, origin: string, language: Language): string {
  const url = parseUrl(navigate);
  if (url?.origin !== origin) return noticesPath(language);
  url.searchParams.delete('n');
  return url.pathname + url.search + url.hash;
}

/**
 * The buttons that the browser can show. "Open" is dropped first, because a tap on the notification does the
 * same.
 */
export function visibleActions(
  actions: PushText['actions'],
  maxActions: number,
): ExtendedNotificationOptions['actions'] {
  const rest = actions.length > maxActions ? actions.filter(({ action }) => action !== 'open') : actions;
  return rest.slice(0, maxActions).map(({ action, title }) => ({ action, title }));
}

function maxActionCount(): number {
  return (Notification as { maxActions?: number }).maxActions ?? 0;
}

async function showNotification(
  { registration }: ServiceWorkerGlobalScope,
  text: PushText | undefined,
  language: Language,
  silent: boolean,
): Promise<void> {
  if (!text) {
    const data: NotificationData = { path: noticesPath(language) };
    const title = inLanguage(language, () => t`You have tender updates`);
    const { locale: lang } = LANGUAGES[language];
    await registration.showNotification(title, { ...ICONS, tag: NEUTRAL_TAG, lang, silent, data });
    return;
  }
  const { title, body, lang, tag, navigate, actions, data } = text;
  const [tenderId, ...others] = data.tenderIds;
  const shown: NotificationData = {
    path: pathOfLink(navigate, location.origin, language),
    nid: data.nid,
    tenderId: others.length === 0 ? tenderId : undefined,
  };
  const options: ExtendedNotificationOptions = {
    ...ICONS,
    body,
    lang,
    dir: 'ltr',
    tag,
    // A notification that replaces another one alerts the user again.
    renotify: tag !== '' && !silent,
    silent,
    actions: visibleActions(actions, maxActionCount()),
    data: shown,
  };
  await registration.showNotification(title, options);
}

/** Sets the number on the app's icon. The rule is in data/tenders/app-badge.ts. */
type ShowBadge = (bookmarked: readonly TenderSummary[], now: Date) => Promise<void>;

async function updateAppBadge(owner: string, showBadge: ShowBadge): Promise<void> {
  const tenders = await withStores(['bookmarks', 'tenders', 'settings'], 'readonly', async (stores) => {
    const rows = (await stores.bookmarks.all()).filter((row) => owner === '' || row.owner === owner);
    const storedTenders = await Promise.all(rows.map(({ tenderId }) => stores.tenders.get(tenderId)));
    return rows.flatMap(({ summary }, index) => storedTenders[index]?.tender ?? summary ?? []);
  });
  await showBadge(tenders, new Date());
}

async function postToTabs({ clients }: ServiceWorkerGlobalScope): Promise<void> {
  for (const tab of await clients.matchAll({ type: 'window', includeUncontrolled: true }))
    tab.postMessage({ type: 'sync' });
}

/**
 * Shows a push; its text only to its recipient. Updates stored tenders, the icon's badge and open tabs. `loadTexts` loads
 * the worker's texts in a language.
 */
export async function receivePush(
  worker: ServiceWorkerGlobalScope,
  text: string | undefined,
  loadTexts: (language: Language) => Promise<void>,
  showBadge: ShowBadge,
): Promise<void> {
  const payload = parsePushText(text);
  const device = await readPushDeviceRow();
  const isForThisDevice = payload !== undefined && device !== undefined && payload.data.rcpt === device.rcpt;
  const language = languageOfDevice(device);
  // Without its texts the notification is English: one must be shown.
  if (!isForThisDevice) await loadTexts(language).catch(() => undefined);
  await showNotification(worker, isForThisDevice ? payload : undefined, language, payload?.silent === true);
  if (!isForThisDevice) return;
  await Promise.allSettled([
    storePushedChanges(payload.data.patches, Date.now()).then(() => postToTabs(worker)),
    updateAppBadge(device.owner, showBadge),
  ]);
}

/** Opens the app at a path, in an open tab or a new one. */
async function openAppAt({ clients }: ServiceWorkerGlobalScope, path: string): Promise<void> {
  const [tab] = await clients.matchAll({ type: 'window' });
  if (!tab) return void (await clients.openWindow(path));
  // Navigation works even where the browser refuses focus.
  await tab.focus().catch(() => undefined);
  await tab.navigate(path);
}

/**
 * Sends pending changes with a one-time token. Without a connection Background Sync wakes the worker later.
 */
async function sendNow({ registration }: ServiceWorkerGlobalScope): Promise<void> {
  try {
    // Without a connection the one-time token would be used up for nothing.
    if (!navigator.onLine) throw new Error('no connection');
    await sendFromWorker(Date.now());
  } catch {
    await registerSync(registration);
  }
}

async function handleUnbookmark(worker: ServiceWorkerGlobalScope, tenderId: string): Promise<void> {
  const device = await readPushDeviceRow();
  if (!device) return;
  await removeBookmark(device.owner, tenderId, Date.now());
  await postToTabs(worker);
  if (device.owner !== '') return sendNow(worker);
  await fetchWithTimeout(`/api/push/subscriptions/${device.id}/tenders`, {
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
  const { path = '/', nid, tenderId } = (notification.data ?? {}) as Partial<NotificationData>;
  const calendarPath = () => pathIn(splitLanguage(path).language, `/tenders/${tenderId}#calendar`);
  const work =
    action === 'unbookmark' && tenderId !== undefined
      ? handleUnbookmark(worker, tenderId)
      : openAppAt(worker, action === 'calendar' && tenderId !== undefined ? calendarPath() : path);
  await Promise.allSettled([work, nid === undefined ? undefined : recordPushEvent(nid, 'clicked')]);
}

/** A dismissed notification. */
export async function dismissNotification({ notification }: NotificationEvent): Promise<void> {
  const { nid } = (notification.data ?? {}) as Partial<NotificationData>;
  if (nid !== undefined) await recordPushEvent(nid, 'dismissed');
}
