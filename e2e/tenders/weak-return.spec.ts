import type { Page } from '@playwright/test';
import { ageStoredPages, deleteListCode, storedPages, unstoredFiles } from '../site/stored-pages.ts';
import { waitForWholeApp, waitForWorker } from '../support/phone.ts';
import { cards, enableSaveData, resultCount } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { test } from './weak-network.ts';
import type { HeldAnswer, WeakProxy } from './weak-proxy.ts';

const LIST = '/tenders/results?state=Himachal+Pradesh';
const isPage = (path: string) => path === LIST;
const isList = (path: string) => path.startsWith('/api/tenders?');
const AWAY_MS = 2 * 3_600_000;

// A file that never comes whole is an error of the page.
test.use({ serviceWorkers: 'allow', expectedErrors: /net::ERR_|dynamically imported module|FetchEvent/ });

/** The first visit: the list's page and code are on the phone. Then two hours pass. */
async function visitBefore(page: Page, network: WeakProxy): Promise<void> {
  network.keepsOut = (path) => path.startsWith('/assets/');
  await page.goto(network.origin + LIST);
  await waitForWorker(page);
  await expect.poll(() => page.evaluate(storedPages)).toEqual(['/tenders/results']);
  await expect.poll(() => page.evaluate(unstoredFiles)).toEqual([]);
  expect(await page.evaluate(ageStoredPages, AWAY_MS)).toBe(1);
}

const comeBack = (page: Page, network: WeakProxy) => page.goto(network.origin + LIST, { waitUntil: 'commit' });

/** The code of the list is not on the phone any more, and the network holds it. Returns the number of the page's loads from now on. */
async function holdListCode(page: Page, network: WeakProxy): Promise<() => number> {
  // the worker would store it again
  await waitForWholeApp(page);
  const code = await page.evaluate(deleteListCode);
  network.holds = (path) => path === code;
  let loads = 0;
  page.on('domcontentloaded', () => loads++);
  return () => loads;
}

/** The list with its closing hours, once and to the end of the page. */
async function expectWholeList(page: Page): Promise<void> {
  await expect(cards(page).first().locator('time')).toHaveText(/\d{1,2}:\d{2} (AM|PM)|time not stated/);
  await expect(cards(page)).toHaveCount(10);
  await expect(resultCount(page)).toHaveCount(1);
  await expect(page.getByRole('banner')).toHaveCount(1);
  await expect(page.getByRole('contentinfo')).toHaveCount(1);
}

/** Half of the answer comes, then a trickle, then the connection breaks; the list is shown all the time. */
async function breakInTheMiddle(page: Page, answer: HeldAnswer): Promise<void> {
  answer.sendUpTo(Math.floor(answer.bytes / 2));
  await answer.trickle(60);
  await expectWholeList(page);
  answer.cut();
}

test('on a return over a network that breaks the page in the middle, the saved list is shown whole and stays saved', async ({
  page,
  network,
}) => {
  await visitBefore(page, network);
  network.holds = isPage;
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

test('on a return without a file that never comes whole, the saved list stays readable and the page is loaded again at most once', async ({
  page,
  network,
}) => {
  await visitBefore(page, network);
  const loads = await holdListCode(page, network);
  network.onHeld = (answer) => {
    answer.sendUpTo(Math.floor(answer.bytes / 2));
    answer.cut();
  };
  await comeBack(page, network);
  await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toBeVisible();
  await expectWholeList(page);
  expect(loads(), 'loads of the page').toBeLessThanOrEqual(2);
});

test('on a return the answer of the list that breaks in the middle is asked for again behind the saved list', async ({
  page,
  network,
}) => {
  // the list is the server's
  await enableSaveData(page);
  await visitBefore(page, network);
  network.holds = isList;
  await comeBack(page, network);
  await expect(page.locator('html[data-saved]')).toHaveCount(1);
  await breakInTheMiddle(page, await network.nextHeld());
  const again = await network.nextHeld();
  await expectWholeList(page);
  again.release();
  await expect(page.locator('html[data-saved]')).toHaveCount(0);
  await expectWholeList(page);
});
