import type { Locator } from '@playwright/test';
import {
  cards,
  choosePlace,
  firstPageOf,
  openTenders,
  placeButton,
  resultCount,
  tenderHeading,
} from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

const LONG_LIST = '/tenders/results?state=Uttar+Pradesh';

test('filters are beside the list and act at once', async ({ page, request }) => {
  const tenders = await openTenders(request, 'Uttar Pradesh');
  const district = tenders.find((tender) => tender.district)?.district ?? '';
  const there = tenders.filter((tender) => tender.district === district);
  await page.goto(LONG_LIST);
  const filters = page.getByRole('complementary', { name: 'Filters' });
  await choosePlace(filters, 'District', district);
  await expect(page).toHaveURL(`/tenders/results?${new URLSearchParams({ state: 'Uttar Pradesh', district })}`);
  await expect(resultCount(page)).toHaveText(firstPageOf(there.length));

  await choosePlace(filters, 'District', district, false);
  await expect(placeButton(filters, 'District')).toHaveText('All districts');
  await filters.getByRole('combobox', { name: 'Keyword' }).fill('road');
  await filters.getByRole('combobox', { name: 'Keyword' }).press('Enter');
  await expect(page).toHaveURL(`${LONG_LIST}&q=road`);
  await expect(page.getByRole('heading', { level: 1, name: 'Tenders for “road” in Uttar Pradesh' })).toBeAttached();
});

test('the tender under the pointer is previewed, and opens from the preview', async ({ page }) => {
  await page.goto(LONG_LIST);
  const preview = page.getByRole('complementary', { name: 'Preview' });
  const third = cards(page).nth(2);
  const title = await third.getByRole('heading').innerText();
  // A pointer that moved before the app ran has previewed nothing, so it moves on.
  let x = 20;
  await expect
    .poll(async () => {
      x += 5;
      await third.hover({ position: { x, y: 20 } });
      return preview.getByRole('heading', { name: title }).isVisible();
    })
    .toBe(true);
  // The page may move the cards under a resting pointer. Content that arrives above the cards moves them a
  // little more.
  await page.mouse.wheel(0, 150);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(150);
  const fact = (within: Locator, name: string) =>
    within.locator('dl > div').filter({ hasText: name }).locator('dd').first();
  await expect(fact(preview, 'Tender fee')).toHaveText(/^₹/);
  const [fee, opening] = await Promise.all(
    ['Tender fee', 'Bid opening'].map((name) => fact(preview, name).innerText()),
  );
  await preview.getByRole('link', { name: 'Open tender' }).click();
  await expect(tenderHeading(page, title)).toBeVisible();
  await expect(fact(page.locator('article'), 'Tender fee')).toHaveText(fee ?? '');
  await expect(fact(page.locator('article'), 'Bid opening')).toHaveText(opening ?? '');

  // The printed page is one sheet of A4.
  const print = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(print.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);

  await page.getByRole('button', { name: 'Back to results' }).filter({ visible: true }).click();
  await expect(page).toHaveURL(LONG_LIST);
});

test('the opened list of districts does not make the field of departments beside it higher', async ({ page }) => {
  await page.goto('/tenders?state=Uttar+Pradesh');
  const department = placeButton(page, 'Department');
  await expect(department).toBeEnabled();
  const height = async () => (await department.boundingBox())?.height;
  const before = await height();
  await placeButton(page, 'District').click();
  await expect(page.getByRole('checkbox').first()).toBeVisible();
  expect(await height()).toBe(before);
});
