import type { Page } from '@playwright/test';
import { cards, enableSaveData, openStoredApp, openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

const KERALA = '/tenders/results?state=Kerala';
const LISTS = /\/api\/tenders\?/;
const TENDER = /\/api\/tenders\/\d+$/;
const NO_RESPONSE = 'No response from server. Please check your internet connection.';

// Chromium logs every response with a status of 400 or more, and every broken connection.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (404|500)|net::ERR_FAILED)/,
});

/** How a call fails: without an answer, or with this status and body. */
type Failure = 'no answer' | { status: number; json: unknown };

async function failing(page: Page, calls: RegExp, failure: Failure) {
  await page.route(calls, (route) => (failure === 'no answer' ? route.abort() : route.fulfill(failure)));
}

const LIST_FAILURES: [name: string, failure: Failure, message: string][] = [
  ['there is no answer', 'no answer', NO_RESPONSE],
  ['the server says why', { status: 500, json: { message: 'The list is being rebuilt' } }, 'The list is being rebuilt'],
  ['the server does not say why', { status: 500, json: {} }, 'Server error occurred'],
  ['the answer is empty', { status: 200, json: {} }, 'No tenders data received from server'],
  ['the answer is unreadable', { status: 200, json: { tenders: 1, data: [] } }, 'No tenders data received from server'],
];

test('a list that cannot be loaded shows the error, and Try Again loads it', async ({ page }) => {
  const error = page.getByRole('alert');
  const retry = error.getByRole('button', { name: 'Try Again' });
  for (const [name, failure, message] of LIST_FAILURES)
    await test.step(`when ${name}`, async () => {
      await page.unroute(LISTS);
      await failing(page, LISTS, failure);
      if (await retry.isVisible()) await retry.tap();
      else await openStoredApp(page, KERALA);
      await expect(error.getByRole('heading', { name: 'Error Loading Tenders' })).toBeVisible();
      await expect(error.getByText(message, { exact: true })).toBeVisible();
    });
  await expect(error.getByRole('link', { name: 'Bookmarked tenders' })).toHaveAttribute('href', '/tenders#saved');
  await page.unroute(LISTS);
  await retry.tap();
  await expect(cards(page).first()).toBeVisible();
  await expect(error).toHaveCount(0);
});

const TENDER_FAILURES: [name: string, failure: Failure, message: string][] = [
  ['there is no answer', 'no answer', NO_RESPONSE],
  ['the server says why', { status: 500, json: { message: 'Back in a minute' } }, 'Back in a minute'],
  ['the server does not say why', { status: 500, json: {} }, 'Server error occurred'],
  ['the answer is empty', { status: 200, json: {} }, 'No tender data received from server'],
  [
    'the answer is unreadable',
    { status: 200, json: { tender: { _id: 7 } } },
    'Failed to load tender details. Please try again.',
  ],
];

test.describe('the tender cannot be loaded', () => {
  test('the error is shown, and Go Back leads to the search form', { tag: '@release' }, async ({ page, request }) => {
    const [tender] = await openTenders(request, 'Kerala');
    const error = page.getByRole('alert');
    for (const [name, failure, message] of TENDER_FAILURES)
      await test.step(`when ${name}`, async () => {
        await page.unroute(TENDER);
        await failing(page, TENDER, failure);
        await openStoredApp(page, `/tenders/${tender?._id}`);
        await expect(error.getByRole('heading', { level: 1, name: 'Error Loading Tender' })).toBeVisible();
        await expect(error.getByText(message, { exact: true })).toBeVisible();
      });
    await error.getByRole('button', { name: 'Go Back' }).tap();
    await expect(page).toHaveURL('/tenders');
  });

  test('Go Back leads to the list it was opened from', async ({ page }) => {
    await failing(page, TENDER, { status: 500, json: {} });
    // Otherwise the tap saves the state, and the tender comes from the phone.
    await enableSaveData(page);
    await page.goto(KERALA);
    await cards(page).first().getByRole('link').tap();
    await expect(page.getByRole('heading', { name: 'Error Loading Tender' })).toBeVisible();
    await page.getByRole('button', { name: 'Go Back' }).tap();
    await expect(page).toHaveURL(KERALA);
    await expect(cards(page).first()).toBeVisible();
  });
});

test.describe('nothing is found', () => {
  test('a search that finds nothing says so, leads back to the form and names states with tenders', async ({
    page,
  }) => {
    await page.goto('/tenders/results?state=Atlantis');
    await expect(page.getByRole('heading', { name: 'No Tenders Found' })).toBeVisible();
    await expect(page.getByText('Nothing is open in Atlantis now.')).toBeVisible();
    const states = page.getByRole('region', { name: 'States with tenders now' });
    await expect(states.getByRole('link')).toHaveCount(8);
    await expect(states.getByRole('link').first()).toHaveText(/^[A-Z][A-Za-z ]+ \d+ open$/);

    await page.getByRole('link', { name: 'Modify Search' }).tap();
    await expect(page).toHaveURL('/tenders?state=Atlantis');
    await expect(page.getByRole('heading', { level: 1, name: 'Find tenders' })).toBeVisible();

    await page.goBack();
    await states.getByRole('link').first().tap();
    await expect(cards(page)).toHaveCount(10);
  });

  test('results without a state and without words lead to the form', async ({ page }) => {
    await page.goto('/');
    await page.goto('/tenders/results');
    await expect(page).toHaveURL('/tenders');
    await page.goBack();
    await expect(page).toHaveURL('/');
  });

  test('an unknown tender is not found, and a link leads to all tenders', async ({ page }) => {
    await page.goto('/tenders/2000000000');
    await expect(page.getByRole('heading', { level: 1, name: 'Tender not found' })).toBeVisible();
    const browse = page.getByRole('link', { name: 'Browse Tenders', exact: true });
    await expect(browse).toHaveAttribute('href', '/dashboard/tenders');
    await browse.tap();
    await expect(page).toHaveURL('/tenders');
  });

  test('an unknown address is not found, and a link leads home', async ({ page }) => {
    await page.goto('/nowhere/at/all');
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Return Home' }).tap();
    await expect(page).toHaveURL('/');
  });
});
