import { withRealPayments } from '../support/site.ts';
import {
  cards,
  enableSaveData,
  factValue,
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

test('on a phone the EMD of a card stays beside a mark: the organisation is cut for it', async ({ page }) => {
  await enableSaveData(page);
  await page.route('**/api/tenders?**', async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { tenders: object[] };
    const marked = { org_name: 'HPSEBL', district: 'Kinnaur', emd: '20000000.00', nit_works: 9 };
    const tenders = list.tenders.map((tender) => ({ ...tender, ...marked }));
    await route.fulfill({ response, json: { ...list, tenders } });
  });
  await openStoredApp(page, LONG_LIST);
  const card = cards(page).first();
  await expect(card).toContainText('9 works in this NIT');
  // a second line of the facts is not shown
  const top = async (text: string) => Math.round((await card.getByText(text).boundingBox())?.y ?? Number.NaN);
  expect(await top('EMD ₹2.00 Cr')).toBe(await top('Kinnaur'));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
