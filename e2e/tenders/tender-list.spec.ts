import type { Page } from '@playwright/test';
import { withRealPayments } from '../support/site.ts';
import {
  badges,
  cards,
  enableSaveData,
  factValue,
  offlineBanner,
  resultCount,
  rupeesFromText,
  titles,
} from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

const LONG_LIST = '/tenders/results?state=Uttar+Pradesh';

/** The present sorting; a tap opens the panel. */
const sorting = (page: Page) => page.locator('summary').filter({ hasText: 'Sort by' });

/** Opens the sort panel and taps the choice. */
async function sortBy(page: Page, choice: string) {
  await sorting(page).tap();
  await page.getByRole('group', { name: 'Sort by' }).getByRole('button', { name: choice }).tap();
}

test.describe('the list', () => {
  for (const source of ['the server', 'the phone']) {
    test(`going back restores the page of a list from ${source}, and the scroll position`, async ({ page }) => {
      if (source === 'the server') await enableSaveData(page);
      await page.goto(LONG_LIST);
      await page.getByRole('link', { name: 'Next' }).tap();
      await expect(page).toHaveURL(`${LONG_LIST}&page=2`);
      await expect(resultCount(page)).toHaveText(/^Showing 11 to 20 of \d+ tenders$/);
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
      await expect(resultCount(page)).toHaveText(/^Showing 11 to 20 of \d+ tenders$/);
      expect(await titles(page)).toEqual(firstTitles);
      await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));

      await seventh.getByRole('link').tap();
      await page.getByRole('button', { name: /^Back to results/ }).tap();
      await expect(page).toHaveURL(`${LONG_LIST}&page=2`);
      await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));
    });
  }

  test('has its page and sorting in the address, also after a reload', async ({ page }) => {
    await page.goto(LONG_LIST);
    await sortBy(page, 'Closing Date');
    await page.getByRole('link', { name: 'Page 3' }).tap();
    await expect(page).toHaveURL(`${LONG_LIST}&sort=closing_date&page=3`);
    await expect(resultCount(page)).toHaveText(/^Showing 21 to 30 of \d+ tenders$/);
    await expect(page.getByRole('link', { name: 'Page 3' })).toHaveAttribute('aria-current', 'page');
    const firstTitles = await titles(page);
    await page.reload();
    await expect(resultCount(page)).toHaveText(/^Showing 21 to 30 of \d+ tenders$/);
    expect(await titles(page)).toEqual(firstTitles);
    await page.getByRole('link', { name: 'Previous' }).tap();
    await expect(resultCount(page)).toHaveText(/^Showing 11 to 20 of \d+ tenders$/);
  });

  test('is sorted by price from the dearest, and the same choice reverses it', async ({ page }) => {
    const prices = async () => (await cards(page).getByText(/^₹/).allInnerTexts()).map(rupeesFromText);
    await page.goto(LONG_LIST);
    await expect(sorting(page)).toHaveText('Sort by Price ↓, high to low');
    await expect(cards(page)).toHaveCount(10);
    const dearest = await prices();
    expect(dearest).toHaveLength(10);
    expect(dearest).toEqual(dearest.toSorted((a, b) => b - a));

    await sortBy(page, 'Price');
    await expect(page).toHaveURL(`${LONG_LIST}&order=asc`);
    await expect(sorting(page)).toHaveText('Sort by Price ↑, low to high');
    await expect.poll(async () => (await prices())[0]).toBeLessThan(dearest[9] as number);
    const cheapest = await prices();
    expect(cheapest).toEqual(cheapest.toSorted((a, b) => a - b));

    await sortBy(page, 'Price');
    await expect(page).toHaveURL(LONG_LIST);
  });

  test('is sorted by closing date from the soonest, and the same choice reverses it', async ({ page }) => {
    const closings = () =>
      cards(page)
        .locator('time')
        .evaluateAll((times) => times.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
    await page.goto(LONG_LIST);
    await sortBy(page, 'Closing Date');
    await expect(page).toHaveURL(`${LONG_LIST}&sort=closing_date`);
    await expect(cards(page)).toHaveCount(10);
    const soonest = await closings();
    expect(soonest).toEqual(soonest.toSorted((a, b) => a - b));

    await sortBy(page, 'Closing Date');
    await expect(page).toHaveURL(`${LONG_LIST}&sort=closing_date&order=desc`);
    await expect.poll(async () => (await closings())[0]).toBeGreaterThan(soonest[9] as number);
    const latest = await closings();
    expect(latest).toEqual(latest.toSorted((a, b) => b - a));
  });

  test('shows closed tenders when asked', async ({ page }) => {
    await page.goto(LONG_LIST);
    await sorting(page).tap();
    await page.getByRole('checkbox', { name: 'Show closed tenders' }).tap();
    await expect(page).toHaveURL(`${LONG_LIST}&open=0`);
    await expect(page.getByRole('heading', { level: 1, name: 'Closed tenders in Uttar Pradesh' })).toBeAttached();
    await expect(resultCount(page)).toHaveText(/^Showing 1 to 10 of \d+ tenders$/);
    expect(await badges(page)).toEqual(Array(10).fill('Closed'));
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

test('a phone shows five tenders of 104 px on a screen', async ({ page }) => {
  await withRealPayments(page);
  await page.goto(LONG_LIST);
  await expect(cards(page)).toHaveCount(10);
  const boxes = await cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()));
  for (const { height } of boxes) expect(Math.abs(height - 104)).toBeLessThanOrEqual(2);
  expect(boxes.filter(({ bottom }) => bottom <= 640)).toHaveLength(5);
});
