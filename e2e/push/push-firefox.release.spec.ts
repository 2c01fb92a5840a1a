/** Real web push: our server encrypts, a push service with VAPID delivers, Firefox decrypts and shows. */
import { createECDH } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Browser, Page } from 'puppeteer-core';
import { Product } from '../support/product.ts';
import { Autopush } from './autopush.ts';
import { startFirefox } from './firefox.ts';

const DAY = 86_400_000;
const STATE = 'Himachal Pradesh';

/** A VAPID key pair. */
function vapidKeys(): { VAPID_PUBLIC_KEY: string; VAPID_PRIVATE_KEY: string } {
  const curve = createECDH('prime256v1');
  return {
    VAPID_PUBLIC_KEY: curve.generateKeys('base64url'),
    VAPID_PRIVATE_KEY: curve.getPrivateKey('base64url'),
  };
}

/** The base of all days in this test: midnight in India may pass while it runs. */
const STARTED = Date.now();

/** The Indian calendar day `inDays` from now: '23-Nov-2026'. */
function indianDay(inDays: number): string {
  const [day, month, year] = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Kolkata',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
  })
    .format(STARTED + inDays * DAY)
    .split(' ');
  return `${day}-${month?.slice(0, 3)}-${year}`;
}

/** Six o'clock in the evening in India, `days` from now. */
const eveningIn = (days: number) => new Date(`${indianDay(days).replaceAll('-', ' ')} 18:00:30 GMT+0530`);

/** A portal's file in which work n closes at 11:00 AM in n days. */
function noticesFile(works: readonly number[]): string {
  const header =
    'Tender ID,Title,Work Description,Organisation Chain,Tender Category,Publish Date,Bid Submission End Date';
  const rows = works.map(
    (n) =>
      `2026_PWD_10000${n}_1,${titleOf(n)},${titleOf(n)},PWD,Works,${indianDay(-2)} 09:00 AM,${indianDay(n)} 11:00 AM`,
  );
  return [header, ...rows, ''].join('\n');
}

const titleOf = (n: number) => `सड़क का निर्माण: कार्य ${n}`;

let push: Autopush;
let product: Product;
let browser: Browser;
let page: Page;

const WORKS = [2, 3, 4];
const ids = new Map<number, string>();

test.beforeAll(async ({ browserName: _ }, testInfo) => {
  const folder = testInfo.outputPath('push');
  mkdirSync(folder, { recursive: true });
  push = await Autopush.start();
  writeFileSync(join(folder, 'service.pem'), push.certificate);
  writeFileSync(join(folder, 'notices.csv'), noticesFile(WORKS));
  product = await Product.start(folder, {
    NODE_ENV: 'test',
    ROLE: 'web',
    PUSH_ALLOWED_HOSTS: push.host,
    NODE_EXTRA_CA_CERTS: join(folder, 'service.pem'),
    ...vapidKeys(),
  });
  const [, started] = await Promise.all([
    product.command('import', join(folder, 'notices.csv'), '--portal', 'hptenders', '--state', STATE),
    startFirefox(join(folder, 'profile'), push.url),
  ]);
  ({ browser, page } = started);
  const { tenders } = (await (await fetch(`${product.origin}/api/tenders?state=${STATE}`)).json()) as {
    tenders: { _id: string; title: string }[];
  };
  for (const n of WORKS) ids.set(n, tenders.find(({ title }) => title === titleOf(n))?._id ?? '');
});

test.afterAll(async () => {
  await browser?.close();
  await product?.down();
  await push?.close();
});

/**
 * Opens a work and bookmarks it in the bottom bar. Selectors by `aria/…` take seconds in Firefox, so others
 * are used.
 */
async function bookmark(n: number): Promise<void> {
  const button = `button[data-look="icon"][aria-label="Bookmark: ${titleOf(n)}"]`;
  await page.goto(`${product.origin}/tenders/${ids.get(n)}`);
  await page.locator(button).click();
  await page.waitForSelector(`${button}[aria-pressed="true"]`);
}

/** Runs a job as if it were `at`. Returns when everything due has been sent. */
const job = (name: string, at: Date) => product.command('job', name, '--now', at.toISOString());

interface ShownNotification {
  title: string;
  body: string;
  path: string;
}

/** The notifications on the phone. */
const notifications = (): Promise<ShownNotification[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const all = await registration.getNotifications();
    return all.map(({ title, body, data }) => ({ title, body, path: data.path }));
  });

/** The push endpoints on the server. */
const endpointsOnServer = async (): Promise<string[]> =>
  (await product.query<{ endpoint: string }>('SELECT endpoint FROM push_subscription')).map(({ endpoint }) => endpoint);

test('a reminder reaches Firefox through a push service, and Firefox subscribes again after the service has forgotten it', async () => {
  await test.step('alerts are turned on after a bookmark, in our own line', async () => {
    await bookmark(2);
    await page.locator('::-p-text(Get reminders before closing)').wait();
    expect(push.endpointsNow).toEqual([]);
    await page.locator('button[aria-label="Turn on alerts"]').click();
    await page.locator('::-p-text(Alerts are on.)').wait();
    expect(push.endpointsNow).toHaveLength(1);
    expect(await endpointsOnServer()).toEqual(push.endpointsNow);
    for (const n of [3, 4]) await bookmark(n);
  });

  await test.step('in Hindi', async () => {
    await page.goto(`${product.origin}/notices`);
    await page.locator('::-p-text(Alert settings)').click();
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    const language = 'dialog select:has(option[value="hi-IN"])';
    await page.waitForSelector(language);
    await page.select(language, 'hi-IN');
    expect((await saved).status()).toBe(200);
  });

  await test.step('the reminder is shown as it was written', async () => {
    await job('closing-soon', eveningIn(1));
    expect(push.answers).toEqual([201]);
    await expect.poll(notifications).toEqual([
      {
        title: 'कल बंद होगी · सुबह 11:00 बजे',
        body: expect.stringMatching(new RegExp(`^${titleOf(2)}\n`)),
        path: `/tenders/${ids.get(2)}`,
      },
    ]);
    await expect.poll(() => push.acknowledged).toEqual([100]);
  });

  await test.step('its tender opens without the server', async () => {
    const [notification] = await notifications();
    await product.down();
    await page.goto(product.origin + notification?.path);
    await page.locator(`h1::-p-text(${titleOf(2)})`).wait();
    await product.up();
  });

  await test.step('a browser forgotten by the service subscribes again by itself', async () => {
    const before = await endpointsOnServer();
    push.forgetBrowser();
    await expect.poll(endpointsOnServer).not.toEqual(before);
    expect(await endpointsOnServer()).toEqual(push.endpointsNow);
    await job('closing-soon', eveningIn(2));
    expect(push.answers.at(-1)).toBe(201);
    await expect.poll(async () => (await notifications()).map(({ path }) => path)).toContain(`/tenders/${ids.get(3)}`);
  });

  await test.step('a browser that unsubscribed is answered 410, and the server deletes the device', async () => {
    // A page of this origin that does not load the app. The app would subscribe again.
    await page.goto(`${product.origin}/robots.txt`);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await (await registration.pushManager.getSubscription())?.unsubscribe();
    });
    await expect.poll(() => push.endpointsNow).toEqual([]);
    await job('closing-soon', eveningIn(3));
    expect(push.answers.at(-1)).toBe(410);
    expect(await endpointsOnServer()).toEqual([]);
  });
});
