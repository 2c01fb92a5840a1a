import { chromium, type Locator, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../support/browsers.ts';
import { Deployment } from '../support/deployment.ts';
import { waitForWholeApp, waitForWorker } from '../support/phone.ts';
import { cards, enableSaveData, openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { storedPages, unstoredFiles } from './stored-pages.ts';

const NO_SIGNAL = 'No connection. You can still use saved tenders.';
const HOME = 'Government tenders, down to the closing hour.';

/** The addresses of SPEC's route table and others, each with its heading. */
const ROUTES: [address: string, heading: string][] = [
  ['/', HOME],
  ['/register', HOME],
  ['/tenders', 'Find tenders'],
  ['/tenders/results?state=Himachal+Pradesh', 'Tenders in Himachal Pradesh'],
  ['/tenders/1', 'No connection'],
  ['/pricing', 'Plans'],
  ['/payment-status?id=1', 'Waiting for a connection'],
  ['/about', 'About Us'],
  ['/contact', 'Contact'],
  ['/services', 'Services'],
  ['/analysis', 'Competitive Analysis'],
  ['/privacy', 'Privacy Policy'],
  ['/terms', 'Terms of Service'],
  ['/cookies', 'Cookie Policy'],
  ['/gdpr', 'GDPR and data protection'],
  ['/refund', 'Refund Policy'],
  ['/dashboard', HOME],
  ['/dashboard/profile', HOME],
  ['/dashboard/applications', 'My Applications'],
  ['/dashboard/payments', HOME],
  ['/dashboard/analytics', 'Analytics'],
  ['/dashboard/support', HOME],
  ['/dashboard/settings', HOME],
  ['/bookmarks', HOME],
  ['/notices', 'Notices'],
  ['/nowhere', 'Page not found'],
];

test.use({ serviceWorkers: 'allow', expectedErrors: /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/ });

/**
 * Makes the stored pages two hours old, and lets one of their tenders close an hour ago. Their labels stay as
 * the server rendered them.
 */
async function passClosing(page: Page, closingDate: string) {
  await page.evaluate(async (closing) => {
    const HOUR = 3_600_000;
    for (const name of (await caches.keys()).filter((each) => each.startsWith('stored-pages-'))) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const stored = await cache.match(request, { ignoreVary: true });
        const html = (await stored?.text()) ?? '';
        const older = html
          .replaceAll(closing, new Date(Date.now() - HOUR).toISOString())
          .replace(
            /("call":"[^"]*","at":")[^"]+/,
            (_all, call) => call + new Date(Date.now() - 2 * HOUR).toISOString(),
          );
        await cache.put(request, new Response(older, { headers: stored?.headers ?? {} }));
      }
    }
  }, closingDate);
}

test('the browser can install the app', async ({ baseURL }, testInfo) => {
  // Installing needs a persistent profile.
  const context = await chromium.launchPersistentContext(testInfo.outputPath('profile'), {
    executablePath: process.env.E2E_CHROMIUM ?? '',
    args: CHROMIUM_FLAGS,
    ...(baseURL && { baseURL }),
  });
  const page = await context.newPage();
  await page.goto('/');
  await waitForWorker(page);
  const devtools = await context.newCDPSession(page);
  const manifest = await devtools.send('Page.getAppManifest');
  expect(manifest.errors).toEqual([]);
  expect(manifest.url).toBe(`${baseURL}/manifest.webmanifest`);
  expect((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  expect((await devtools.send('Page.getAppId')).appId).toBe(`${baseURL}/?app`);
  // In another language it is the same app.
  await page.goto('/hi');
  const { url, errors } = await devtools.send('Page.getAppManifest');
  expect([url, errors]).toEqual([`${baseURL}/hi/manifest.webmanifest`, []]);
  expect((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  expect((await devtools.send('Page.getAppId')).appId).toBe(`${baseURL}/?app`);
  await context.close();
});

/** The top and the bottom of an element on the screen, in whole pixels. */
async function edges(element: Locator): Promise<{ top: number; bottom: number }> {
  const { y, height } = (await element.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return { top: Math.round(y), bottom: Math.round(y + height) };
}

test('after a visit that used the app every address opens without a network', { tag: '@release' }, async ({
  page,
  context,
}) => {
  await page.goto('/');
  await waitForWholeApp(page);
  const { top } = await edges(page.getByRole('main'));
  await context.setOffline(true);
  await test.step('the offline message moves nothing, and at the end of the page it covers nothing', async () => {
    const message = page.getByText(NO_SIGNAL);
    await expect(message).toBeInViewport();
    expect((await edges(page.getByRole('main'))).top).toBe(top);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    expect((await edges(page.getByRole('contentinfo'))).bottom).toBeLessThanOrEqual((await edges(message)).top);
  });
  for (const [address, heading] of ROUTES) {
    await test.step(address, async () => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached();
      await expect(page.getByRole('status').filter({ hasText: NO_SIGNAL })).toBeVisible();
    });
  }
});

test.describe('with the app stored', () => {
  // Chromium's own viewers of JSON and XML use inline styles.
  test.use({ expectedErrors: /status of 404|^Applying inline style violates/ });

  test('links to documents, calls and files are answered by the server, not by the app', async ({ page }) => {
    await page.goto('/');
    await waitForWorker(page);
    for (const address of ['/d/unknown', '/api/health', '/dev/mail', '/robots.txt', '/sitemap.xml']) {
      const answer = await page.goto(address);
      expect([address, answer?.fromServiceWorker()]).toEqual([address, false]);
    }
    expect((await page.goto('/about'))?.fromServiceWorker()).toBe(true);
  });
});

test('without a network lists and tenders show why they are missing, and load when it is back', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await waitForWholeApp(page);
  await context.setOffline(true);
  await page.goto('/tenders/1');
  await expect(page.getByRole('alert')).toContainText('This tender is not on this phone. Nivida keeps trying.');
  await page.goto('/tenders/results?state=Himachal+Pradesh');
  const missing = 'Himachal Pradesh is not on this phone. Nivida keeps trying.';
  await expect(page.getByRole('alert')).toContainText(missing);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(missing);

  await context.setOffline(false);
  await expect(cards(page).first()).toBeVisible();
  await expect(page.getByText(NO_SIGNAL)).toHaveCount(0);
});

test('a list and a tender that were seen are there at once without a network, until another user signs in', async ({
  page,
  context,
  request,
}) => {
  const [tender] = await openTenders(request, 'Uttar Pradesh');
  const list = `/tenders/results?${new URLSearchParams({ state: 'Uttar Pradesh' })}`;
  // The tender is opened within the app and on a mobile connection.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: Object.assign(new EventTarget(), { type: 'cellular' }) }),
  );
  await page.goto('/');
  await waitForWorker(page);
  await page.goto(list);
  await cards(page).filter({ hasText: tender?.title }).getByRole('link').first().tap();
  await expect(page).toHaveURL(`/tenders/${tender?._id}`);
  await expect
    .poll(() => page.evaluate(storedPages))
    .toEqual(expect.arrayContaining(['/', '/tenders/results', `/tenders/${tender?._id}`]));
  await page.getByRole('tab', { name: 'Checklist' }).tap();
  await expect(page.getByRole('button', { name: 'Prepare bid' })).toBeVisible();
  await expect.poll(() => page.evaluate(unstoredFiles)).toEqual([]);
  await context.setOffline(true);
  // The texts are in the page itself, before the app's code runs.
  expect(await (await page.goto(list))?.text()).toContain('Showing 1 to ');
  await expect(cards(page).first()).toBeVisible();
  expect(await (await page.goto(`/tenders/${tender?._id}`))?.text()).toContain(`"call":"api/tenders/${tender?._id}"`);
  // The code that the page had loaded runs.
  await expect(page.getByRole('status').filter({ hasText: NO_SIGNAL })).toBeVisible();

  await page.evaluate(() => {
    localStorage.setItem('token', 'a.b.c');
    localStorage.setItem('user', JSON.stringify({ _id: '1', username: 'a', email: 'a@a.example', mobileNo: '' }));
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
  });
  await expect.poll(() => page.evaluate(storedPages)).toEqual([]);
});

test.describe('with stored pages that became old', () => {
  // The data of the stored pages are made older than their texts.
  test.use({ expectedErrors: /net::ERR_(INTERNET_DISCONNECTED|FAILED)|React error #418/ });

  test('a tender whose closing has passed in the meantime is Closed on return, offline and online', async ({
    page,
    context,
    request,
  }) => {
    const [tender] = await openTenders(request, 'Uttar Pradesh');
    const [list, detail] = ['/tenders/results?state=Uttar+Pradesh', `/tenders/${tender?._id}`];
    const closing = page.getByRole('region', { name: 'Closing' });
    // Otherwise the list would come from the phone, with the server's closing.
    await enableSaveData(page);
    await page.goto('/');
    await waitForWorker(page);
    for (const address of [list, detail]) {
      await page.goto(address);
      await expect.poll(() => page.evaluate(unstoredFiles)).toEqual([]);
    }
    await expect(closing).not.toContainText('Closed');
    await expect.poll(() => page.evaluate(storedPages)).toHaveLength(3);
    await passClosing(page, (await closing.locator('time').getAttribute('datetime')) ?? '');

    await context.setOffline(true);
    expect(await (await page.goto(list))?.text()).toMatch(/<html data-saved="Saved .*?<article.*?>Closed<\/time>/s);
    await expect(cards(page).first()).toContainText('Closed');
    expect(await (await page.goto(detail))?.text()).toContain('>Closed</p>');
    await expect(closing).toContainText('Closed');
    await context.setOffline(false);
    expect(await (await page.goto(detail))?.text()).toContain('>Closed</p>');
    // The current answer of the server.
    await expect(closing).not.toContainText('Closed');
  });
});

test.describe('while a new build is deployed', () => {
  // Calls during the restart of the server are refused, as on a real device.
  test.use({ expectedErrors: /net::ERR_CONNECTION_REFUSED|status of 404 .*\/assets\/unknown\.js/ });

  test('a new build is offered, never forced, and one tap on Reload shows it', async ({ page }, testInfo) => {
    const deployment = await Deployment.start(testInfo.outputPath('deployment'));
    const build = page.locator('meta[name="build"]');
    try {
      await page.clock.install();
      await page.goto(`${deployment.origin}/tenders`);
      await waitForWholeApp(page);
      // The page's background calls must end before the server stops.
      await page.waitForLoadState('networkidle');
      let loads = 0;
      page.on('load', () => loads++);
      const removedChunk = await deployment.deploy('second');
      await expect(page.getByText('A new version is ready.')).toHaveCount(0);

      // The app checks for a new build every hour.
      await page.clock.fastForward('01:00:01');
      await expect(page.getByText('A new version is ready.')).toBeVisible();
      await page.clock.fastForward('00:10:00');
      await expect(page.getByText('A new version is ready.')).toBeVisible();
      expect(loads).toBe(0);
      await expect(build).toHaveCount(0);

      await page.getByRole('button', { name: 'Reload' }).tap();
      await expect(build).toHaveAttribute('content', 'second');
      await expect(page.getByRole('heading', { level: 1, name: 'Find tenders' })).toBeVisible();
      await page.clock.fastForward('00:10:00');
      await expect(page.getByText('A new version is ready.')).toHaveCount(0);
      expect(loads).toBe(1);

      // Another tab may still run the first build and need a chunk that the second build does not have.
      const statusOf = (path: string) =>
        page.evaluate(async (url) => (await fetch(url, { cache: 'no-store' })).status, path);
      expect(await statusOf(removedChunk)).toBe(200);
      expect(await statusOf('/assets/unknown.js')).toBe(404);
      expect(await page.evaluate(async () => (await caches.match('/assets/unknown.js'))?.status)).toBeUndefined();
    } finally {
      await deployment.remove();
    }
  });
});

test('the offer to install the app leaves room for the last links of a page', { tag: '@release' }, async ({ page }) => {
  await page.goto('/tenders/results?state=Himachal+Pradesh');
  await cards(page)
    .first()
    .getByRole('button', { name: /^Bookmark/ })
    .tap();
  await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt')));
  const offer = page.getByRole('complementary', { name: 'Opens with one tap, also without a connection' });
  await expect(offer).toBeVisible();
  const [end, top] = await offer.evaluate((line) => {
    scrollTo(0, document.documentElement.scrollHeight);
    const links = [...document.querySelectorAll('footer a, footer button')].map((each) => each.getBoundingClientRect());
    return [Math.max(...links.map(({ bottom }) => bottom)), line.getBoundingClientRect().top];
  });
  expect(end).toBeLessThanOrEqual(top as number);
});
