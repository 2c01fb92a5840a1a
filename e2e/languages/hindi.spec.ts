/** The pages in Hindi: nothing is cut off or too wide, and no text of the app is left in English. */
import type { Page } from '@playwright/test';
import { type ExpectedPage, PUBLIC_PAGES, SIGNED_IN_PAGES } from '../support/expected-pages.ts';
import { signInBeforeLoad } from '../support/session.ts';
import { type OpenTender, openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { englishIn } from './hindi.ts';

test.describe.configure({ mode: 'parallel' });
test.use({
  // Otherwise the browser's language would be offered.
  locale: 'hi-IN',
  expectedErrors: /^Failed to load resource: the server responded with a status of 404 .*\/(nowhere|999999999)\)$/,
});

/** These pages are read in every run, the others before a release. */
const MAIN_PAGES = ['/', '/tenders', '/tenders/:id', '/tenders/results?state=Uttar+Pradesh', '/pricing', '/dashboard'];

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function expectToFit(page: Page): Promise<void> {
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await sideways(page), `at ${width} px`).toBe(0);
  }
  await page.setViewportSize({ width: 360, height: 640 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await sideways(page), 'with text of twice the size').toBe(0);
}

let tender: OpenTender | undefined;

for (const [who, pages] of Object.entries({ 'signed out': PUBLIC_PAGES, 'signed in': SIGNED_IN_PAGES }))
  test.describe(`${who}, in Hindi`, () => {
    test.beforeEach(async ({ page }) => {
      [tender] = tender ? [tender] : await openTenders(page.request, 'Uttar Pradesh');
      if (who === 'signed in') await signInBeforeLoad(page);
    });

    for (const { address } of pages as ExpectedPage[])
      test(
        `${address} fits and has no English text`,
        MAIN_PAGES.includes(address) ? {} : { tag: '@release' },
        async ({ page }) => {
          await page.goto(`/hi${address === '/' ? '' : address}`.replace(':id', tender?._id ?? ''));
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
          await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
          expect(await englishIn(page)).toEqual([]);
          await expectToFit(page);
        },
      );
  });
