import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { expectNoBarriers } from './axe.ts';
import { withRealPayments } from './site.ts';
import { cards, openTenders } from './tenders.ts';
import { expect, test } from './test.ts';

// The browser itself logs the 404 of the page that is not found.
test.use({ expectedErrors: /^Failed to load resource: the server responded with a status of 404 .*\/nowhere\)$/ });

/** The screens, each with what is there when it is complete. */
const SCREENS: [name: string, address: string, complete: (page: Page) => Promise<void>][] = [
  ['home', '/', (page) => expect(page.getByText('tenders open now')).toBeVisible()],
  [
    'search',
    '/tenders',
    (page) => expect(page.getByRole('heading', { name: 'States with tenders now' })).toBeVisible(),
  ],
  ['results', '/tenders/results?state=Uttar+Pradesh', (page) => expect(cards(page)).toHaveCount(10)],
  ['detail', '/tenders/:id', (page) => expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()],
  ['empty', '/tenders/results?state=Atlantis', (page) => expect(page.getByText('No Tenders Found')).toBeVisible()],
  ['not-found', '/nowhere', (page) => expect(page.getByText('Page not found')).toBeVisible()],
];

/** Opens a screen; the detail is of the first tender that `/tenders/results?state=Uttar+Pradesh` lists. */
async function open(page: Page, address: string, complete: (page: Page) => Promise<void>) {
  const [tender] = await openTenders(page.request, 'Uttar Pradesh');
  await page.goto(address.replace(':id', tender?._id ?? ''));
  await complete(page);
  await expect(page.getByText(/^(open now|Browse Tenders by State)$/).first()).toBeVisible();
}

/** How far the page could be scrolled to the side. */
async function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Kept for the eye: `output/screens/results-phone-dark.png`. */
async function keepScreen(page: Page, name: string, { project }: TestInfo, colorScheme: string) {
  const path = join(import.meta.dirname, `output/screens/${name}-${project.name}-${colorScheme}.png`);
  await page.screenshot({ path, animations: 'disabled' });
}

for (const [name, address, complete] of SCREENS) {
  test(`the screen ${name} has one main heading and no barrier that can be measured`, async ({ page }, testInfo) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open(page, address, complete);
    await keepScreen(page, name, testInfo, 'light');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expectNoBarriers(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await keepScreen(page, name, testInfo, 'dark');
    await expectNoBarriers(page);
  });

  test(`the screen ${name} never scrolls sideways`, async ({ page, isMobile }) => {
    await open(page, address, complete);
    // A zoom of 200% halves the width; 320 px is the narrowest that WCAG asks for.
    for (const width of isMobile ? [320, 360] : [320, 640, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await sidewaysPixels(page), `at ${width} px`).toBe(0);
    }
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    expect(await sidewaysPixels(page), 'with letters of twice the size').toBe(0);
  });
}

test('a phone shows five tenders of 104 px on a screen', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'only a phone is that narrow');
  await withRealPayments(page);
  await page.goto('/tenders/results?state=Uttar+Pradesh');
  await expect(cards(page)).toHaveCount(10);
  const boxes = await cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()));
  for (const { height } of boxes) expect(Math.abs(height - 104)).toBeLessThanOrEqual(2);
  expect(boxes.filter(({ bottom }) => bottom <= 640)).toHaveLength(5);
});
