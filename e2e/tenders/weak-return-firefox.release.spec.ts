import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { startFirefox } from '../push/firefox.ts';
import { ageStoredPages, storedPages, unstoredFiles } from '../site/stored-pages.ts';
import { expect } from '../support/test.ts';
import { test } from './weak-network.ts';

const LIST = '/tenders/results?state=Himachal+Pradesh';
const AWAY_MS = 2 * 3_600_000;

/** The closing hours, bars and ends of the list in the page. */
const shownList = (page: Page) =>
  page.evaluate(() => ({
    hours: [...document.querySelectorAll('main ol > li time')].filter((hour) =>
      /\d{1,2}:\d{2}|not stated/.test(hour.textContent),
    ).length,
    tops: document.querySelectorAll('#root header[class*="top"]').length,
    ends: document.querySelectorAll('#root footer').length,
  }));

test('in Firefox, a return over a network that breaks the page in the middle shows the saved list, once and whole', async ({
  network,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'nivida-firefox-'));
  const { browser, page } = await startFirefox(folder, 'ws://127.0.0.1:1/');
  const comeBack = () => page.goto(network.origin + LIST, { waitUntil: 'domcontentloaded' });
  try {
    network.keepsOut = (path) => path.startsWith('/assets/');
    await comeBack();
    await expect
      .poll(async () => {
        await page.keyboard.press('Shift');
        return page.evaluate(() => navigator.serviceWorker.controller !== null);
      })
      .toBe(true);
    await expect.poll(() => page.evaluate(storedPages)).toEqual(['/tenders/results']);
    await expect.poll(() => page.evaluate(unstoredFiles)).toEqual([]);
    await page.evaluate(ageStoredPages, AWAY_MS);

    network.holds = (path) => path === LIST;
    await comeBack();
    const answer = await network.nextHeld();
    answer.sendUpTo(Math.floor(answer.bytes / 2));
    await answer.trickle(60);
    await expect.poll(() => shownList(page)).toEqual({ hours: 10, tops: 1, ends: 1 });
    answer.cut();
    expect(await page.evaluate(storedPages)).toEqual(['/tenders/results']);
    expect(await shownList(page)).toEqual({ hours: 10, tops: 1, ends: 1 });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
