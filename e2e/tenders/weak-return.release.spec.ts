import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page as FirefoxPage } from 'puppeteer-core';
import { startFirefox } from '../push/firefox.ts';
import { ageStoredPages, deleteListCode, storedPages, unstoredFiles } from '../site/stored-pages.ts';
import { cards } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import {
  AWAY_MS,
  breakInTheMiddle,
  comeBack,
  expectWholeList,
  holdListCode,
  RETURN_LIST,
  weakNetworkTest as test,
  visitBefore,
} from './weak-network.ts';
import type { WeakProxy } from './weak-proxy.ts';

// A file that never arrives as a whole is an error of the page. The data of a stored page are made older than
// its texts.
test.use({
  serviceWorkers: 'allow',
  expectedErrors: /net::ERR_|dynamically imported module|FetchEvent|React error #418/,
});

test('on a return over a network that breaks the page in the middle, the saved list is shown whole and stays saved', async ({
  page,
  network,
}) => {
  await visitBefore(page, network);
  network.holds = (path) => path === RETURN_LIST;
  await comeBack(page, network);
  await breakInTheMiddle(page, await network.nextHeld());
  expect(await page.evaluate(storedPages)).toEqual(['/tenders/results']);
  await expectWholeList(page);

  await test.step('also by a reload, which asks the server first', async () => {
    const reload = page.reload({ waitUntil: 'commit' });
    const again = await network.nextHeld();
    again.sendUpTo(Math.floor(again.bytes / 2));
    again.cut();
    await reload;
    await expectWholeList(page);
    expect(await page.evaluate(storedPages)).toEqual(['/tenders/results']);
  });
});

test('on a return without a file of the app, the file is asked for again when it breaks in the middle, and the app starts', async ({
  page,
  network,
}) => {
  await visitBefore(page, network);
  const loads = await holdListCode(page, network);
  await comeBack(page, network);
  await breakInTheMiddle(page, await network.nextHeld());
  await breakInTheMiddle(page, await network.nextHeld());
  (await network.nextHeld()).release();
  await cards(page)
    .first()
    .getByRole('button', { name: /^Bookmark/ })
    .tap();
  await expect(page.getByText('Bookmarked.', { exact: true })).toBeVisible();
  await expectWholeList(page);
  expect(loads(), 'loads of the page').toBe(1);
});

/** The closing hours, the bars and the ends of the list in the page. */
const shownList = (page: FirefoxPage) =>
  page.evaluate(() => ({
    hours: [...document.querySelectorAll('main ol > li time')].filter((hour) =>
      /\d{1,2}:\d{2}|not stated/.test(hour.textContent),
    ).length,
    tops: document.querySelectorAll('#root header[class*="top"]').length,
    ends: document.querySelectorAll('#root footer').length,
  }));

const openInFirefox = (page: FirefoxPage, { origin }: WeakProxy) =>
  page.goto(origin + RETURN_LIST, { waitUntil: 'domcontentloaded' });

/** Opens the list in a new Firefox. Its page and files are then on the device. Two hours pass. */
const firefoxTest = test.extend<{ firefox: FirefoxPage }>({
  firefox: async ({ network }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'nivida-firefox-'));
    const { browser, page } = await startFirefox(folder, 'ws://127.0.0.1:1/');
    try {
      network.keepsOut = (path) => path.startsWith('/assets/');
      await openInFirefox(page, network);
      await expect
        .poll(async () => {
          await page.keyboard.press('Shift');
          return page.evaluate(() => navigator.serviceWorker.controller !== null);
        })
        .toBe(true);
      await expect.poll(() => page.evaluate(storedPages)).toEqual(['/tenders/results']);
      await expect.poll(() => page.evaluate(unstoredFiles)).toEqual([]);
      await page.evaluate(ageStoredPages, AWAY_MS);
      await use(page);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

firefoxTest(
  'in Firefox, a return over a network that breaks the page in the middle shows the saved list, once and whole',
  async ({ firefox, network }) => {
    network.holds = (path) => path === RETURN_LIST;
    await openInFirefox(firefox, network);
    const answer = await network.nextHeld();
    answer.sendUpTo(Math.floor(answer.bytes / 2));
    await answer.trickle(60);
    await expect.poll(() => shownList(firefox)).toEqual({ hours: 10, tops: 1, ends: 1 });
    answer.cut();
    expect(await firefox.evaluate(storedPages)).toEqual(['/tenders/results']);
    expect(await shownList(firefox)).toEqual({ hours: 10, tops: 1, ends: 1 });
  },
);

firefoxTest(
  'in Firefox, a file of the app that is cut in the middle is requested again: it reports no error for the part',
  async ({ firefox, network }) => {
    const code = await firefox.evaluate(deleteListCode);
    network.holds = (path) => path === code;
    const cut = openInFirefox(firefox, network);
    const answer = await network.nextHeld();
    answer.sendUpTo(Math.floor(answer.bytes / 2));
    await answer.trickle(60);
    answer.cut();
    (await network.nextHeld()).release();
    await cut;
    const isBookmarked = () =>
      firefox.evaluate(() => document.querySelector('main ol > li button')?.getAttribute('aria-pressed') === 'true');
    await (await firefox.waitForSelector('main ol > li button'))?.click();
    await expect.poll(isBookmarked).toBe(true);
    expect(await firefox.evaluate(unstoredFiles)).toEqual([]);
  },
);
