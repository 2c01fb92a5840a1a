import type { Page } from '@playwright/test';
import { withEachFont } from '../support/browser/each-font.ts';
import { withRealPayments } from '../support/site.ts';
import {
  cards,
  enableSaveData,
  factValue,
  LATER_PAGE,
  offlineBanner,
  openStoredApp,
  resultCount,
  titles,
} from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { LONG_LIST, sortBy } from './tender-list.ts';

test.describe('the list', () => {
  for (const source of ['the server', 'the phone']) {
    test(`going back restores the page of a list from ${source}, and the scroll position`, async ({ page }) => {
      if (source === 'the server') await enableSaveData(page);
      await page.goto(LONG_LIST);
      await page.getByRole('link', { name: 'Next' }).tap();
      await expect(page).toHaveURL(`${LONG_LIST}&page=2`);
      await expect(resultCount(page)).toHaveText(LATER_PAGE);
      if (source === 'the phone') await expect(offlineBanner(page)).toBeVisible();
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      const seventh = cards(page).nth(6);
      await seventh.scrollIntoViewIfNeeded();
      const place = await page.evaluate(() => window.scrollY);
      expect(place).toBeGreaterThan(100);
      const firstTitles = await titles(page);

      await seventh.getByRole('link').tap();
      await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      await page.goBack();
      await expect(resultCount(page)).toHaveText(LATER_PAGE);
      expect(await titles(page)).toEqual(firstTitles);
      await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));

      await seventh.getByRole('link').tap();
      await page.getByRole('button', { name: /^Back to results/ }).tap();
      await expect(page).toHaveURL(`${LONG_LIST}&page=2`);
      await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));
    });
  }

  for (const source of ['the server', 'the phone']) {
    test(`works of one NIT are one entry of a list from ${source}, which opens in place and again after going back`, async ({
      page,
    }) => {
      if (source === 'the server') await enableSaveData(page);
      await page.goto(LONG_LIST);
      if (source === 'the phone') await expect(offlineBanner(page)).toBeVisible();
      await expect(resultCount(page)).toHaveText(/^Showing 1 to \d+ of \d+ tenders in \d+ notices$/);
      await expect(cards(page)).toHaveCount(10);
      const entry = page
        .locator('ol > li')
        .filter({ has: page.getByRole('button', { expanded: false }) })
        .first();
      const more = entry.getByRole('button', { name: /^and \d+ more works of this NIT/ });
      const works = Number(/\d+/.exec((await more.textContent()) ?? '')?.[0]);
      await more.focus();
      await page.keyboard.press('Enter');
      const opened = page.locator('ol ol:not([aria-busy]) > li');
      await expect(opened).toHaveCount(works);
      await expect(cards(page)).toHaveCount(10 + works);

      const last = opened.last();
      await last.scrollIntoViewIfNeeded();
      const place = await page.evaluate(() => Math.round(window.scrollY));
      await last.getByRole('link').tap();
      await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
      await page.goBack();
      await expect(opened).toHaveCount(works);
      await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(place);
      await page.getByRole('button', { expanded: true }).tap();
      await expect(opened).toHaveCount(0);
      await expect(cards(page)).toHaveCount(10);
    });
  }

  test('has its page and sorting in the address, also after a reload', async ({ page }) => {
    await page.goto(LONG_LIST);
    await sortBy(page, 'Closing Date');
    await page.getByRole('link', { name: 'Page 3' }).tap();
    await expect(page).toHaveURL(`${LONG_LIST}&sort=closing_date&page=3`);
    await expect(resultCount(page)).toHaveText(LATER_PAGE);
    await expect(page.getByRole('link', { name: 'Page 3' })).toHaveAttribute('aria-current', 'page');
    const firstTitles = await titles(page);
    await page.reload();
    await expect(resultCount(page)).toHaveText(LATER_PAGE);
    expect(await titles(page)).toEqual(firstTitles);
    await page.getByRole('link', { name: 'Previous' }).tap();
    await expect(resultCount(page)).toHaveText(LATER_PAGE);
  });

  test('marks its tenders as a demonstration', async ({ page }) => {
    await page.goto(LONG_LIST);
    await expect(page.getByText('Demonstration data', { exact: true })).toBeVisible();
    await cards(page).first().getByRole('link').tap();
    await expect(page).toHaveURL(/\/tenders\/\d+$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('article').getByText('Demonstration', { exact: true })).toBeVisible();
    await expect(factValue(page, 'Source')).toContainText('Demonstration: a sample tender, not real dates.');
  });
});

/** Records in the page which parts each view transition animates. */
async function recordMovedParts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved: string[][] = [];
    Object.assign(window, { movedParts: moved });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      void transition.ready.then(() => {
        const parts = document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).pseudoElement ?? '');
        moved.push([...new Set(parts.filter((part) => part.startsWith('::view-transition-')))]);
      });
      return transition;
    };
  });
}

const movedParts = (page: Page): Promise<string[][]> =>
  page.evaluate(() => (window as unknown as { movedParts: string[][] }).movedParts);

test('a tender opens from its card and fades over the list when it closes, and nothing else moves', async ({
  page,
}) => {
  await recordMovedParts(page);
  await page.goto(LONG_LIST);
  for (const card of [1, 0]) {
    await cards(page).nth(card).getByRole('link').tap();
    await expect(page.getByRole('tab')).toHaveCount(4);
    await page.goBack();
    await expect(cards(page)).toHaveCount(10);
  }
  const opens = ['::view-transition-group(tender)', '::view-transition-old(tender)'];
  const closes = ['::view-transition-old(tender)'];
  await expect.poll(() => movedParts(page)).toEqual([opens, closes, opens, closes]);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('a tender opens and closes at once', async ({ page }) => {
    await recordMovedParts(page);
    await page.goto(LONG_LIST);
    await cards(page).nth(1).getByRole('link').tap();
    await expect(page.getByRole('tab')).toHaveCount(4);
    await page.goBack();
    await expect(cards(page)).toHaveCount(10);
    expect(await movedParts(page)).toEqual([]);
  });
});

test('a phone shows five tenders of 104 px on a screen', async ({ page }) => {
  await withRealPayments(page);
  await page.goto(LONG_LIST);
  await expect(cards(page)).toHaveCount(10);
  const boxes = await cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()));
  for (const { height } of boxes) expect(Math.abs(height - 104)).toBeLessThanOrEqual(2);
  // Only the line of a notice with several works is between cards.
  expect(Math.floor((640 - boxes[0].top) / 104)).toBe(5);
});

test(
  'on a phone a card beside a mark names its organisation by a word, then the EMD or none of it, in each font',
  { tag: '@release' },
  async ({ baseURL }, testInfo) => {
    const marked = { org_name: 'Irrigation & Public Health', district: 'Kinnaur', emd: '20000000.00', nit_works: 9 };
    const widths = new Set<number>();
    await withEachFont(testInfo, baseURL, async (page, font) => {
      await enableSaveData(page);
      await page.route('**/api/tenders?**', async (route) => {
        const response = await route.fetch();
        const list = (await response.json()) as { tenders: object[] };
        await route.fulfill({
          response,
          json: { ...list, tenders: list.tenders.map((tender) => ({ ...tender, ...marked })) },
        });
      });
      await openStoredApp(page, LONG_LIST);
      const card = cards(page).first();
      await expect(card).toContainText('9 works in this NIT');
      const boxOf = async (text: string) => {
        const box = await card.getByText(text, { exact: true }).boundingBox();
        return { width: box?.width ?? 0, top: Math.round(box?.y ?? Number.NaN) };
      };
      // The badge shows "Irrigation" with the sign that it is cut.
      const organisation = await boxOf('Irrigation & Public Health');
      expect(organisation.width, font).toBeGreaterThanOrEqual(58);
      // A second line of facts is not shown.
      if (font !== 'DejaVu Sans') expect((await boxOf('· EMD ₹2.00 Cr')).top, font).toBe(organisation.top);
      const heights = await cards(page).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
      for (const height of heights) expect(Math.abs(height - 104), font).toBeLessThanOrEqual(2);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), font).toBe(360);
      widths.add((await card.getByText('EMD ₹2.00 Cr').boundingBox())?.width ?? Number.NaN);
    });
    // The browsers really used the fonts.
    expect(widths.size).toBe(3);
  },
);

test(
  'on a phone the head of a search is one line of where and how many, and one for each other reading of the words, in each font',
  { tag: '@release' },
  async ({ baseURL }, testInfo) => {
    await withEachFont(testInfo, baseURL, async (page, font) => {
      const head = page.getByRole('link', { name: /^Change the search: / });
      const expectReading = async (what: string, where: string, other: string) => {
        await expect(head, font).toHaveText(new RegExp(`^Change the search: ${what}\\s*${where}\\s*· \\d+ `));
        expect((await head.boundingBox())?.height, font).toBe(48);
        // The words after the number are cut, not the place.
        const place = head.getByText(where, { exact: true });
        expect(await place.evaluate((name) => name.scrollWidth - name.clientWidth), font).toBe(0);
        const link = await page.getByRole('link', { name: other }).boundingBox();
        expect({ ...link, y: 0, width: 0 }, `${font}: ${other}`).toEqual({ x: 16, y: 0, width: 0, height: 48 });
      };
      await openStoredApp(page, '/tenders/results?q=sadak+himachal');
      await expectReading('sadak', 'Himachal Pradesh', 'Search the word himachal instead');
      await openStoredApp(page, '/tenders/results?q=constrution');
      await expectReading('construction', 'All states', 'Search “constrution” instead');

      await openStoredApp(page, '/tenders/results?q=road&state=Himachal+Pradesh');
      await expect(head, font).toHaveText(/^Change the search: road\s*Himachal Pradesh\s*· \d+ /);
      // The page header names the state, so the list of filters does not.
      await expect(page.getByRole('list', { name: 'Filters set' }), font).toBeHidden();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), font).toBe(360);
    });
  },
);
