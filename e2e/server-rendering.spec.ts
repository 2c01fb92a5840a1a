/** The page as the server draws it, before the app's own code has run. */
import type { Page } from '@playwright/test';
import { cards, enableSaveData, openTenders } from './tenders.ts';
import { expect, test } from './test.ts';

test.use({ isTouched: false });

const STATE = 'Uttar Pradesh';
const LIST = `/tenders/results?${new URLSearchParams({ state: STATE })}`;
const APP = '**/assets/app-*.js';

const isHydrated = async (page: Page) => (await page.locator('#root[data-drawn]').count()) === 0;

/** The app's code comes when the answer is called. */
async function delayAppScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(APP, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test.describe('without any script', () => {
  test.use({ javaScriptEnabled: false });

  test('a list is read, and leads to its tenders and their closing hours', async ({ page }) => {
    await page.goto(LIST);
    await expect(cards(page)).toHaveCount(10);
    const title = await cards(page).first().getByRole('heading').innerText();
    const closing = await cards(page).first().locator('time').innerText();
    await page.getByRole('link', { name: title }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(closing, { exact: true }).filter({ visible: true })).toBeVisible();
  });

  for (const [address, heading, text] of [
    ['/', 'Government tenders, down to the closing hour.', 'tenders open now'],
    ['/tenders', 'Find tenders', 'States with tenders now'],
    ['/pricing', 'Plans', '₹5,899'],
    ['/privacy', 'Privacy Policy', 'Who is responsible'],
  ] as const) {
    test(`${address} is read`, async ({ page }) => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(page.getByRole('main')).toContainText(text);
    });
  }
});

/** What stands where on the screen: layout shift alone does not see that one page took the place of another. */
const places = (page: Page) =>
  page.locator('#root :is(h1, h2, h3, p, a, button, input, select, summary, dt, dd, time)').evaluateAll((all) =>
    all
      .map((element) => ({ box: element.getBoundingClientRect(), text: element.textContent }))
      .filter(({ box }) => box.width > 0 && box.height > 0 && box.top < innerHeight)
      .map(({ box, text }) => `${Math.round(box.left)} ${Math.round(box.top)} ${Math.round(box.width)} ${text}`),
  );

test.describe('nothing moves when the app takes the place of what was drawn', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (Linux; Android 13; K) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36',
  });

  for (const address of ['/', '/tenders', LIST, '/pricing', '/contact', '/privacy'])
    test(address, async ({ page }) => {
      await enableSaveData(page);
      const release = await delayAppScript(page);
      await page.goto(address);
      const serverPlaces = await places(page);
      expect(serverPlaces.length).toBeGreaterThan(5);
      release();
      await page.locator('body').dispatchEvent('pointermove');
      await expect.poll(() => isHydrated(page)).toBe(true);
      expect(await places(page)).toEqual(serverPlaces);
    });
});

test('the app waits for the first touch, and does not wait for ever', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await isHydrated(page)).toBe(false);
  await page.clock.runFor(5_000);
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test('a list that the browser had kept for an hour is not shown: its closings may be over', async ({ page }) => {
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  const release = await delayAppScript(page);
  await page.goto(LIST);
  await expect(page.locator('#root')).toBeEmpty();
  release();
  await expect(cards(page)).toHaveCount(10);
});

test('words typed and a search begun before the app is there are not lost', async ({ page }) => {
  const release = await delayAppScript(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('searchbox').fill('road');
  await page.getByRole('button', { name: 'Search' }).tap();
  await expect(page).toHaveURL('/');
  release();
  await expect(page).toHaveURL('/tenders/results?q=road');
});

test('a dialog asked for before the app is there opens then', async ({ page }) => {
  const release = await delayAppScript(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Start Free Trial' }).tap();
  release();
  await expect(page.getByRole('dialog', { name: 'Create Account' })).toBeVisible();
});

test('a tapped tender opens though the app does not come', async ({ page, request }) => {
  const [tender] = await openTenders(request, STATE);
  await page.route(APP, () => undefined);
  await page.goto(LIST, { waitUntil: 'commit' });
  await page
    .getByRole('link', { name: tender?.title ?? '' })
    .first()
    .tap();
  await expect(page.getByRole('heading', { level: 1, name: tender?.title ?? '' })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
