/**
 * Alerts in the service worker of Chromium. It has no push service here, so the DevTools protocol delivers
 * the pushes.
 */

import { createECDH, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { deleteFunctions, deleteNewerFunctions, newerFunctionNames } from '../support/browser/newer-functions.ts';
import { rowsOf } from '../support/device-rows.ts';
import { waitForWholeApp } from '../support/phone.ts';
import { makeSession, type StoredSession, storeSession, withServerDatabase } from '../support/session.ts';
import { type OpenTender, openTenders, tenderHeading } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { WITH_NOTIFICATIONS } from './chromium.ts';

test.use(WITH_NOTIFICATIONS);

const NEUTRAL = { title: 'You have tender updates', body: '' };
const NID = 'abcdefghijklmnopqrstu';

interface Device {
  id: string;
  secret: string;
  rcpt: string;
  preferences: object;
}

/** Creates a device of the session's user through the API. */
async function makeDevice(request: APIRequestContext, { token }: StoredSession): Promise<Device> {
  const answer = await request.post('/api/push/subscriptions', {
    headers: { Authorization: `Bearer ${token}` },
    data: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${randomBytes(12).toString('hex')}`,
      keys: {
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      },
    },
  });
  expect(answer.status()).toBe(200);
  return answer.json();
}

/** Stores the device as the app does after a subscription. */
async function storeDevice(page: Page, device: Device, { user }: StoredSession): Promise<void> {
  await page.evaluate(
    (row) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('nivida');
        request.onsuccess = () => {
          const transaction = request.result.transaction('pushDevice', 'readwrite');
          transaction.objectStore('pushDevice').put(row);
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
          transaction.onerror = () => reject(transaction.error);
        };
      }),
    { ...device, key: 'device', owner: user._id, watched: [] },
  );
}

/** A page with the stored app, a session and alerts on. */
async function openPageWithAlerts(page: Page): Promise<{ session: StoredSession; device: Device }> {
  const session = await makeSession();
  const device = await makeDevice(page.request, session);
  await page.goto('/');
  await waitForWholeApp(page);
  // The app has created its database.
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(1);
  await storeSession(page, session);
  await storeDevice(page, device, session);
  return { session, device };
}

const PUSH_TEXTS = {
  en: { title: 'Closing tomorrow · 11:00 AM', open: 'Open', calendar: 'Calendar', unbookmark: 'Remove bookmark' },
  hi: { title: 'कल बंद होगा · सुबह 11:00 बजे तक', open: 'खोलें', calendar: 'कैलेंडर', unbookmark: 'बुकमार्क हटाएँ' },
};

/** A push about one tender, as the server sends it. */
function payload(page: Page, tender: OpenTender, rcpt: string, changes: object = {}, language: 'en' | 'hi' = 'en') {
  const { title, open, calendar, unbookmark } = PUSH_TEXTS[language];
  const link = `${new URL(page.url()).origin}${language === 'hi' ? '/hi' : ''}/tenders/${tender._id}`;
  const navigate = `${link}?n=${NID}`;
  return JSON.stringify({
    web_push: 8030,
    mutable: true,
    notification: {
      title,
      body: tender.title,
      lang: `${language}-IN`,
      dir: 'ltr',
      tag: `closing-${tender._id}`,
      navigate,
      actions: [
        { action: 'open', title: open, navigate },
        { action: 'calendar', title: calendar, navigate: `${link}#calendar` },
        { action: 'unbookmark', title: unbookmark, navigate },
      ],
      data: { nid: NID, rcpt, kind: 'closing', tenderIds: [tender._id], patches: [], ...changes },
    },
  });
}

/**
 * Returns a function that delivers a push to the page's service worker and waits until the worker has handled
 * it. A notification must not be read (`getNotifications`) before it is on the screen: Chromium then deletes
 * it for good.
 */
async function pushTo(context: BrowserContext, page: Page): Promise<(data: string) => Promise<void>> {
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  const id = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (own) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await id;
  let onHandled: () => void = () => undefined;
  devtools.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent }) => {
    if (backgroundServiceEvent.eventName === 'Push event completed') onHandled();
  });
  await devtools.send('BackgroundService.setRecording', { service: 'pushMessaging', shouldRecord: true });
  await devtools.send('BackgroundService.startObserving', { service: 'pushMessaging' });
  return async (data) => {
    const handled = new Promise<void>((resolve) => {
      onHandled = resolve;
    });
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    await handled;
  };
}

interface ShownNotification {
  title: string;
  body: string;
}

/** The notifications on the phone. */
const notifications = (page: Page): Promise<ShownNotification[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }));
  });

/** Closes the notifications without dismissing them. Returns when they are gone. */
async function closeNotifications(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    for (const notification of await registration.getNotifications()) notification.close();
  });
  await expect.poll(() => notifications(page)).toEqual([]);
}

/**
 * Taps the only notification or its button. Headless browsers show none that could be tapped, so this calls
 * the worker. Returns when the notification is gone: a close that comes late would close the next
 * notification with the same tag. The worker has only the functions of the browsers that the build promises.
 */
async function tapNotification(context: BrowserContext, action: '' | 'calendar' | 'unbookmark'): Promise<void> {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no service worker');
  await worker.evaluate(deleteFunctions, newerFunctionNames());
  await worker.evaluate(async (actionId) => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScope;
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error('no notification');
    scope.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: actionId }));
  }, action);
  const count = () =>
    worker.evaluate(async () => {
      const scope = globalThis as unknown as ServiceWorkerGlobalScope;
      return (await scope.registration.getNotifications()).length;
    });
  await expect.poll(count).toBe(0);
}

const bookmark = (page: Page, title: string) => page.getByRole('button', { name: `Bookmark: ${title}`, exact: true });

/** The ids of the user's bookmarks at the server. */
async function bookmarksOnServer(request: APIRequestContext, { token }: StoredSession): Promise<string[]> {
  const answer = await request.get('/api/tenders/bookmarked', { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { tenders: OpenTender[] }).tenders.map(({ _id }) => _id);
}

test('a push is shown to its recipient, changes the saved tender without a network, and its buttons work', async ({
  page,
  context,
}) => {
  const [tender] = await openTenders(page.request, 'Uttar Pradesh');
  if (!tender) throw new Error('no tender');
  const { session, device } = await openPageWithAlerts(page);
  await deleteNewerFunctions(context);
  await page.goto(`/tenders/${tender._id}`);
  await bookmark(page, tender.title).tap();
  await expect.poll(() => bookmarksOnServer(page.request, session)).toEqual([tender._id]);
  const push = await pushTo(context, page);

  await test.step('a push for another recipient, and an unreadable one, are shown without their text', async () => {
    await push(payload(page, tender, 'another recipient'));
    await expect.poll(() => notifications(page)).toEqual([NEUTRAL]);
    await closeNotifications(page);
    await push('Closing tomorrow');
    await expect.poll(() => notifications(page)).toEqual([NEUTRAL]);
    await closeNotifications(page);
  });

  await context.setOffline(true);

  await test.step('a moved closing is stored in the saved tender', async () => {
    const [stored] = await rowsOf<{ id: string; tender: { version: number; closing_date: string } }>(page, 'tenders');
    expect(stored?.id).toBe(tender._id);
    const { version = 0, closing_date } = stored?.tender ?? {};
    const patch = {
      tenderId: tender._id,
      version: version + 1,
      oldClosing: closing_date,
      newClosing: '2031-03-04T09:30:00.000Z',
    };
    await push(payload(page, tender, device.rcpt, { kind: 'changed', patches: [patch] }));
    await expect
      .poll(() => notifications(page))
      .toEqual([{ title: 'Closing tomorrow · 11:00 AM', body: tender.title }]);
    await page.reload();
    await expect(tenderHeading(page, tender.title)).toBeVisible();
    await expect(page.getByText('4 Mar 2031, 3:00 PM').or(page.getByText('Tue 4 Mar, 3:00 PM')).first()).toBeVisible();
    await page.goto('/bookmarks');
    await expect(page.getByRole('main').locator('time')).toContainText('3:00 PM');
  });

  await test.step('a tap opens the tender, and is counted when there is a connection', async () => {
    await tapNotification(context, '');
    await expect(tenderHeading(page, tender.title)).toBeVisible();
    await expect(page).toHaveURL(`/tenders/${tender._id}`);
    await expect.poll(() => rowsOf(page, 'pushEvents')).toEqual([{ nid: NID, ev: 'clicked' }]);
    // Answers to the page and to the service worker. Either of them may send the change.
    const answers: number[] = [];
    context.on('response', (answer) => {
      if (answer.url().endsWith('/api/push/events')) answers.push(answer.status());
    });
    await context.setOffline(false);
    await page.reload();
    await expect.poll(() => answers).toContain(204);
    await expect.poll(() => rowsOf(page, 'pushEvents')).toEqual([]);
    await context.setOffline(true);
  });

  await test.step('its calendar', async () => {
    await push(payload(page, tender, device.rcpt));
    await expect.poll(() => notifications(page)).toHaveLength(1);
    await tapNotification(context, 'calendar');
    await expect(page.getByRole('dialog', { name: 'Add to calendar' })).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save calendar file' }).tap();
    expect((await download).suggestedFilename()).toMatch(/\.ics$/);
  });

  await test.step('its bookmark goes, comes back by Undo, and goes for good', async () => {
    await page.goto('/bookmarks');
    const card = page.getByRole('heading', { level: 3, name: tender.title });
    for (const isUndone of [true, false]) {
      await push(payload(page, tender, device.rcpt));
      await expect.poll(() => notifications(page)).toHaveLength(1);
      await tapNotification(context, 'unbookmark');
      await expect(page.getByText('Bookmark removed.')).toBeVisible();
      await expect(card).toHaveCount(0);
      if (!isUndone) continue;
      await page.getByRole('button', { name: 'Undo' }).tap();
      await expect(card).toBeVisible();
    }
    expect(await bookmarksOnServer(page.request, session)).toEqual([tender._id]);
    await context.setOffline(false);
    await page.reload();
    await expect.poll(() => bookmarksOnServer(page.request, session)).toEqual([]);
  });

  await test.step('one in Hindi opens its Hindi page in the open tab, and its calendar', async () => {
    await push(payload(page, tender, device.rcpt, {}, 'hi'));
    await expect
      .poll(() => notifications(page))
      .toEqual([{ title: 'कल बंद होगा · सुबह 11:00 बजे तक', body: tender.title }]);
    await tapNotification(context, '');
    await expect(page).toHaveURL(`/hi/tenders/${tender._id}`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
    expect(context.pages()).toHaveLength(1);
    await push(payload(page, tender, device.rcpt, {}, 'hi'));
    await expect.poll(() => notifications(page)).toHaveLength(1);
    await tapNotification(context, 'calendar');
    await expect(page.getByRole('dialog', { name: 'कैलेंडर में जोड़ें' })).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'कैलेंडर फ़ाइल सहेजें' }).tap();
    const file = readFileSync(await (await download).path(), 'utf8').replaceAll('\r\n ', '');
    expect(file).toContain('SUMMARY:टेंडर बंद होगा: ');
    expect(file).toContain(`/hi/tenders/${tender._id}\r\n`);
  });
});

test('the server stores the preferences of a phone, and a muted tender is unmuted in the list', {
  tag: '@release',
}, async ({ page }) => {
  const [tender] = await openTenders(page.request, 'Uttar Pradesh');
  if (!tender) throw new Error('no tender');
  const { device } = await openPageWithAlerts(page);
  const preferences = async () => {
    const headers = { Authorization: `Device ${device.secret}` };
    return (await (await page.request.get(`/api/push/subscriptions/${device.id}`, { headers })).json()).preferences;
  };
  await page.goto(`/tenders/${tender._id}`);
  await bookmark(page, tender.title).tap();
  await page.getByRole('button', { name: 'Mute this tender' }).tap();
  await expect(page.getByText('Muted on this phone.')).toBeVisible();
  expect(await preferences()).toMatchObject({ mutedTenders: [tender._id] });

  await page.goto('/dashboard/settings');
  await expect(page.getByText('Alerts are on: you are told before saved tenders close.')).toBeVisible();
  await page.getByRole('button', { name: 'Manage' }).tap();
  const panel = page.getByRole('dialog', { name: 'On this phone' });
  await panel.getByRole('checkbox', { name: '3 days before closing' }).tap();
  await expect.poll(preferences).toMatchObject({ kinds: { closing_in_3_days: true } });
  await panel.getByRole('checkbox', { name: 'Quiet at night' }).tap();
  await expect.poll(preferences).toMatchObject({ quiet: null });
  await panel.getByRole('combobox', { name: 'Language of the alerts' }).selectOption('हिन्दी');
  await expect.poll(preferences).toMatchObject({ language: 'hi-IN' });
  await panel.getByRole('combobox', { name: 'Send new tenders' }).selectOption('At once');
  await expect.poll(preferences).toMatchObject({ matches: 'at-once' });
  await panel.getByRole('button', { name: `Unmute ${tender.title}` }).tap();
  await expect.poll(preferences).toMatchObject({ mutedTenders: [] });
  await page.reload();
  await page.getByRole('button', { name: 'Manage' }).tap();
  await expect(panel.getByRole('checkbox', { name: '3 days before closing' })).toBeChecked();
});

test('notices are read without a network, and the server learns it later', async ({ page, context }) => {
  const tenders = await openTenders(page.request, 'Uttar Pradesh');
  const [first, second] = tenders;
  const session = await makeSession();
  await withServerDatabase(async (client) => {
    for (const tender of [first, second])
      await client.query(
        `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
         VALUES ($1, $1, $2, 'closing_tomorrow', 1, 'due', now(), now())`,
        [session.user._id, tender?._id],
      );
  });
  const unread = async () => {
    const answer = await page.request.get('/api/notices', { headers: { Authorization: `Bearer ${session.token}` } });
    return ((await answer.json()) as { unread: number }).unread;
  };
  await page.goto('/');
  await waitForWholeApp(page);
  await storeSession(page, session);
  await page.goto(`/tenders/${first?._id}`);
  await expect(tenderHeading(page, first?.title ?? '')).toBeVisible();
  await page.getByRole('link', { name: /^Notices: \d unread$/ }).tap();
  const notice = (tender: OpenTender | undefined) => page.getByRole('link', { name: tender?.title ?? '' });
  await expect(notice(second)).toContainText('Closes the next day');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Mark all read' }).tap();
  await expect(page.getByText('New', { exact: true })).toHaveCount(0);
  await page.reload();
  await expect(notice(first)).toBeVisible();
  await expect(page.getByText('New', { exact: true })).toHaveCount(0);
  expect(await unread()).toBeGreaterThan(0);
  await context.setOffline(false);
  await expect.poll(unread).toBe(0);
});
