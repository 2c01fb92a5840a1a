import type { Page, Request } from '@playwright/test';
import { withRealPayments } from '../support/site.ts';
import { cards, enableSaveData, offlineBanner, resultCount } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

// Chromium counts an evaluation in the page as a touch, and traces evaluate.
test.use({ trace: 'off' });

const STATE = 'Himachal Pradesh';
const RESULTS = '/tenders/results?state=Himachal+Pradesh';

// The tests touch fixed coordinates, so the layout must not have the line about test payments.
test.beforeEach(({ page }) => withRealPayments(page));

/** The paths of the page's sync calls. The list grows. */
function packCalls(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/sync/')) paths.push(pathname);
  });
  return paths;
}

/**
 * Opens the list without evaluating in the page. Returns when the network has been idle for half a second.
 */
async function openUntouched(page: Page): Promise<void> {
  // The list is in its page. Background calls follow.
  const asked = page.waitForResponse(/\/api\/site$/);
  await page.goto(RESULTS);
  await asked;
  await page.waitForLoadState('networkidle');
}

/** Touches the text above the cards. It has no action. */
const tapResultCount = (page: Page) => page.touchscreen.tap(100, 66);

const isSegment = (path: string) => path.startsWith('/api/sync/segments/');
const saveButton = (page: Page) => page.getByRole('button', { name: `Save ${STATE} on this phone` });

test('a state is saved on the phone after the first touch, not at once', async ({ page }) => {
  const calls = packCalls(page);
  await openUntouched(page);
  expect(calls).toEqual([]);
  const segment = page.waitForRequest((request) => isSegment(new URL(request.url()).pathname));
  await tapResultCount(page);
  await segment;
  expect(calls[0]).toBe('/api/sync/himachal-pradesh');
  await expect(offlineBanner(page)).toBeVisible();
});

test('a phone that saves data loads a state only on request, and removes it only after a confirmation', async ({
  page,
}) => {
  await enableSaveData(page);
  const calls = packCalls(page);
  await openUntouched(page);
  await tapResultCount(page);
  await expect(cards(page).first()).toBeVisible();
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  // The size in the button comes from the manifest.
  await expect(saveButton(page)).toHaveText(/ · \d+(\.\d)? [KM]B$/);
  await page.waitForLoadState('networkidle');
  expect(calls.filter((path) => path !== '/api/sync/himachal-pradesh')).toEqual([]);

  await saveButton(page).tap();
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);
  expect(calls.filter(isSegment).length).toBeGreaterThan(0);

  await offlineBanner(page).tap();
  const savedState = page.getByRole('dialog', { name: 'On this phone' }).getByRole('region', { name: STATE });
  await savedState.getByRole('button', { name: 'Remove', exact: true }).tap();
  await expect(savedState.getByText(`${STATE} then needs a connection.`)).toBeVisible();
  await savedState.getByRole('button', { name: 'Keep it' }).tap();
  await savedState.getByRole('button', { name: 'Remove', exact: true }).tap();
  await savedState.getByRole('button', { name: `Remove ${STATE}` }).tap();
  // The line that opened the panel has disappeared too.
  await expect(savedState).toHaveCount(0);
  await expect(resultCount(page)).toBeVisible();
  await expect(saveButton(page)).toBeVisible();
});

test('an update loads only the changes since the saved pack', async ({ page }) => {
  await openUntouched(page);
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);

  await offlineBanner(page).tap();
  // If a delta is already running, the button uses it.
  const answer = page.waitForResponse(/\/api\/sync\/himachal-pradesh\/delta\?/);
  const calls = packCalls(page);
  await page.getByRole('button', { name: 'Update now' }).tap();
  const { searchParams } = new URL((await answer).url());
  expect(searchParams.get('details')).toBe('1');
  await expect(page.getByRole('button', { name: 'Update now' })).not.toHaveAttribute('aria-busy');
  // The dialog may request the size of All India.
  const allowed = ['/api/sync/india', '/api/sync/himachal-pradesh/delta'];
  expect(calls.filter((path) => !allowed.includes(path))).toEqual([]);
});
