import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { startFirefox } from '../push/firefox.ts';
import { expect } from '../support/test.ts';
import {
  breakSegments,
  isPrepared,
  isSegment,
  MAX_BYTES_AGAIN,
  readForTenSeconds,
  storedBytes,
  weakNetworkTest,
  wordInState,
} from './weak-network.ts';

const STATE = 'Himachal Pradesh';
const RESULTS = '/tenders/results?state=Himachal+Pradesh';

const test = weakNetworkTest.extend<{ firefox: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it
  firefox: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'nivida-firefox-'));
    const { browser, page } = await startFirefox(folder, 'ws://127.0.0.1:1/');
    try {
      await use(page);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

test('in Firefox, files of a state that trickle and break in the middle are continued', async ({
  firefox,
  network,
}) => {
  network.holds = isSegment;
  await firefox.goto(`${network.origin}${RESULTS}`);
  await firefox.locator('summary').click();
  const again = await breakSegments(network, () => firefox.waitForFunction(storedBytes).then(() => undefined));
  await firefox.waitForSelector('::-p-text(Offline copy · Saved)');
  expect(again).toBeLessThanOrEqual(2 * MAX_BYTES_AGAIN);
});

/** The line with the count; whether the list comes from the phone; and whether it has no error. */
const shownResult = (page: Page) =>
  page.evaluate(() => ({
    count: [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent).join(' '),
    isOfPhone: document.body.textContent.includes('Offline copy · Saved'),
    hasError: document.body.textContent.includes('Error Loading Tenders'),
  }));

async function searchInFirefox(page: Page, { word, total }: { word: string; total: number }): Promise<void> {
  await page.locator('main a[href^="/tenders?"], header a[href^="/tenders?"]').click();
  await page.locator('input[role="combobox"]').fill(word);
  await page.locator('form button[type="submit"]').click();
  await page.waitForFunction((title) => document.title.startsWith(title), {}, `Tenders for “${word}” in ${STATE}`);
  const count = expect.stringMatching(new RegExp(`Showing 1 to \\d+ of ${total} `));
  await expect.poll(() => shownResult(page)).toEqual({ count, isOfPhone: true, hasError: false });
}

test('in Firefox, a link, a card and some reading are enough: the state is searched while the network sends nothing and when it breaks', async ({
  firefox,
  network,
  request,
}) => {
  const [first, second] = [await wordInState(request, STATE, 0), await wordInState(request, STATE, 1)];
  await firefox.evaluateOnNewDocument(readForTenSeconds);
  await firefox.goto(network.origin + RESULTS);
  // A key hits the card even while the list moves.
  await firefox.focus('main ol > li article a');
  await firefox.keyboard.press('Enter');
  await firefox.waitForSelector('[role="tab"]');
  await expect.poll(() => firefox.evaluate(isPrepared, 'himachal-pradesh')).toBe(true);

  await test.step('no request is answered', async () => {
    network.goSilent();
    await firefox.evaluate(() => history.back());
    await firefox.waitForSelector('main ol:not([aria-busy]) > li');
    await searchInFirefox(firefox, first);
  });

  await test.step('every connection breaks', async () => {
    network.dropConnections();
    await searchInFirefox(firefox, second);
    await firefox.goto(network.origin + RESULTS);
    await firefox.waitForSelector('main ol:not([aria-busy]) > li');
    await searchInFirefox(firefox, first);
  });
});
