import type { Page } from '@playwright/test';
import { waitForPacks } from '../support/servers.ts';
import {
  cards,
  firstPageOf,
  offlineBanner,
  openStoredApp,
  openTenders,
  resultCount,
  tenderHeading,
} from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import {
  breakSegments,
  isPrepared,
  isSegment,
  MAX_BYTES_AGAIN,
  readForTenSeconds,
  storedBytes,
  weakNetworkTest as test,
  wordInState,
} from './weak-network.ts';

// Chromium counts an evaluation in the page as a touch, and traces evaluate.
test.use({ trace: 'off' });

const STATE = 'Himachal Pradesh';
const RESULTS = '/tenders/results?state=Himachal+Pradesh';
const LOAD_ERROR = 'Error Loading Tenders';
const isList = (path: string) => path.startsWith('/api/tenders?');

/** Searches from the list. The phone must find what the server would find. */
async function searchOnPhone(page: Page, { word, total }: { word: string; total: number }): Promise<void> {
  await page.getByRole('link', { name: /^Change the search/ }).tap();
  await page.getByRole('combobox', { name: 'Work, place or tender ID' }).fill(word);
  await page.getByRole('button', { name: /^Show (\d+ )?tenders?$/ }).tap();
  await expect(page.getByRole('heading', { level: 1, name: `Tenders for “${word}” in ${STATE}` })).toBeAttached();
  await expect(resultCount(page)).toHaveText(firstPageOf(total));
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByText(LOAD_ERROR)).toHaveCount(0);
}

/** Returns when the whole state and the whole app are on the phone. */
const waitUntilPrepared = (page: Page) =>
  expect.poll(() => page.evaluate(isPrepared, 'himachal-pradesh'), { intervals: [100] }).toBe(true);

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a link, a card and some reading are enough: the state is searched while the network sends nothing and when it breaks', async ({
    page,
    network,
    request,
  }) => {
    const [first, second] = [await wordInState(request, STATE, 0), await wordInState(request, STATE, 1)];
    await page.addInitScript(readForTenSeconds);
    await page.goto(network.origin + RESULTS);
    await cards(page).first().getByRole('link').tap();
    await expect(page.getByRole('tab', { name: 'Bidding Details' })).toBeVisible();
    await waitUntilPrepared(page);

    await test.step('no request is answered', async () => {
      network.goSilent();
      await page.goBack();
      await expect(cards(page)).toHaveCount(10);
      await searchOnPhone(page, first);
    });

    await test.step('every connection breaks', async () => {
      network.dropConnections();
      await searchOnPhone(page, second);
      await page.goto(network.origin + RESULTS);
      await expect(cards(page)).toHaveCount(10);
      await searchOnPhone(page, first);
    });
  });

  test('twelve seconds without a touch are enough too: the state is searched while the network sends nothing', {
    tag: '@release',
  }, async ({ page, network, request }) => {
    const words = await wordInState(request, STATE, 0);
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: Object.assign(new EventTarget(), { type: 'wifi' }) }),
    );
    // Nothing may be evaluated in the page until both files of the state are requested.
    network.holds = isSegment;
    await page.goto(network.origin + RESULTS);
    for (let each = 0; each < 2; each++) (await network.nextHeld()).release();
    await waitUntilPrepared(page);
    network.goSilent();
    await searchOnPhone(page, words);
  });

  test('in a network that sends nothing a missing state offers the one on the phone, and a shared id or link of it opens', {
    tag: '@release',
  }, async ({ page, network, request }) => {
    const [tender, linked] = await openTenders(request, STATE);
    await page.goto(network.origin + RESULTS);
    await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
    await waitUntilPrepared(page);
    network.goSilent();
    await page.goto(`${network.origin}/tenders/results?state=Kerala`);
    const message = page.getByRole('alert').filter({ hasText: 'Kerala is not on this phone. Nivida keeps trying.' });
    await expect(message).toContainText(`${STATE} is on this phone`);
    await expect(page.getByText(LOAD_ERROR)).toHaveCount(0);
    await message.getByRole('link', { name: `Search in ${STATE}` }).tap();
    await expect(cards(page)).toHaveCount(10);

    await page.goto(`${network.origin}/share?text=${encodeURIComponent(`See ${tender?.source_tender_id}`)}`);
    await expect(page).toHaveURL(`${network.origin}/tenders/${tender?._id}`);
    await expect(tenderHeading(page, tender?.title ?? '')).toBeVisible();
    await page.goto(`${network.origin}/tenders/${linked?._id}`);
    await expect(tenderHeading(page, linked?.title ?? '')).toBeVisible();
  });
});

test('files of a state that trickle and break in the middle are continued', { tag: '@release' }, async ({
  page,
  network,
}) => {
  network.holds = isSegment;
  await page.goto(`${network.origin}${RESULTS}`);
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  const again = await breakSegments(network, () => page.waitForFunction(storedBytes).then(() => undefined));
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);
  expect(again).toBeLessThanOrEqual(2 * MAX_BYTES_AGAIN);
});

test('a file of a state that comes at 200 bytes a second and breaks once is continued to its end', {
  tag: '@release',
}, async ({ page, network, baseURL }) => {
  // This state has the smallest file.
  await waitForPacks(baseURL ?? '', ['chandigarh']);
  network.holds = isSegment;
  await page.goto(`${network.origin}/tenders/results?state=Chandigarh`);
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  const file = await network.nextHeld();
  await file.trickle(Math.floor((2 / 3) * file.bytes));
  file.cut();
  const rest = await network.nextHeld();
  expect(rest.path).toContain(`${file.path}?from=4096&`);
  await rest.trickle(rest.bytes);
  rest.release();
  (await network.nextHeld()).release();
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Saving Chandigarh' })).toHaveCount(0);
  const sent = [file.path, rest.path].reduce((sum, path) => sum + (network.sentBytes.get(path) ?? 0), 0);
  expect(sent - file.bytes).toBeLessThanOrEqual(MAX_BYTES_AGAIN);
});

test('a tender whose state is still incomplete without a connection says so, and its page stays as wide as the phone', async ({
  page,
  context,
  network,
  request,
}) => {
  const [tender] = await openTenders(request, STATE);
  network.holds = isSegment;
  await page.goto(`${network.origin}/tenders/${tender?._id}`);
  await page.getByRole('tab', { name: 'Bidding Details' }).tap();
  await network.nextHeld();
  await context.setOffline(true);
  await expect(page.getByRole('button', { name: `${STATE} is not yet complete on this phone.` })).toBeVisible();
  // Chromium zooms out when a page is wider than the screen.
  expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])).toEqual([360, 360]);
});

async function saveState(page: Page): Promise<void> {
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);
}

test('a network that stalls in the middle of a list leads to the state on the phone, and is tried again', async ({
  page,
  network,
}) => {
  await page.goto(`${network.origin}${RESULTS}`);
  await saveState(page);
  network.holds = isList;
  await openStoredApp(page, '/tenders/results?state=Kerala', network.origin);
  const list = await network.nextHeld();
  list.sendUpTo(Math.floor(list.bytes / 2));
  const message = page.getByRole('alert').filter({ hasText: 'The network is not responding' });
  await expect(message).toContainText(`Kerala is not on this phone. Nivida keeps trying. ${STATE} is on this phone`);
  list.release();
  await expect(cards(page)).toHaveCount(10);
  await expect(message).toHaveCount(0);
});
