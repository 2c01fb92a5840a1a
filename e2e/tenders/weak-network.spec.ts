import type { Page } from '@playwright/test';
import { cards, offlineBanner, openStoredApp, openTenders, tenderHeading } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { breakSegments, isSegment, MAX_BYTES_AGAIN, storedBytes, weakNetworkTest as test } from './weak-network.ts';

const STATE = 'Himachal Pradesh';
const RESULTS = '/tenders/results?state=Himachal+Pradesh';
const isList = (path: string) => path.startsWith('/api/tenders?');

test('a link, a card and some reading are enough: without signal the state is searched', async ({ page }) => {
  const delta = page.waitForResponse(/\/api\/sync\/himachal-pradesh\/delta\?/);
  await page.goto(RESULTS);
  await cards(page).first().getByRole('link').tap();
  await expect(page.getByRole('tab', { name: 'Bidding Details' })).toBeVisible();
  await (await delta).finished();
  await page.context().setOffline(true);
  await page.goBack();
  await expect(cards(page)).toHaveCount(10);
  // The list before was the server's; another order of it is searched on the phone.
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await page.getByRole('group', { name: 'Sort by' }).getByRole('button', { name: 'Closing Date' }).tap();
  await expect(page).toHaveURL(/sort=closing_date/);
  await expect(offlineBanner(page)).toBeVisible();
  await expect(cards(page)).toHaveCount(10);
});

test('files of a state that trickle and break in the middle are continued', async ({ page, network }) => {
  network.holds = isSegment;
  await page.goto(`${network.origin}${RESULTS}`);
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  const again = await breakSegments(network, () => page.waitForFunction(storedBytes).then(() => undefined));
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);
  expect(again).toBeLessThanOrEqual(2 * MAX_BYTES_AGAIN);
});

async function saveState(page: Page): Promise<void> {
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);
}

test('a network that stalls in the middle of a list leads to the state on the phone, and is tried again', async ({
  page,
  network,
}) => {
  await page.goto(`${network.origin}${RESULTS}`);
  await saveState(page);
  network.holds = isList;
  await openStoredApp(page, '/tenders/results?state=Kerala', network.origin);
  const list = await network.nextHeld();
  list.sendUpTo(Math.floor(list.bytes / 2));
  const message = page.getByRole('alert').filter({ hasText: 'The network is not responding' });
  await expect(message).toContainText(`Kerala is not on this phone. Nivida keeps trying. ${STATE} is on this phone`);
  list.release();
  await expect(cards(page)).toHaveCount(10);
  await expect(message).toHaveCount(0);
});

test('without signal a missing state offers the one on the phone, and a tender of it opens by its address', async ({
  page,
  request,
}) => {
  const [tender] = await openTenders(request, STATE);
  await page.goto(RESULTS);
  await saveState(page);
  await page.route('**/api/**', (route) => route.abort());
  await openStoredApp(page, '/tenders/results?state=Kerala');
  const message = page.getByRole('alert').filter({ hasText: 'No connection' });
  await expect(message).toContainText('Kerala is not on this phone.');
  await message.getByRole('link', { name: `Search in ${STATE}` }).tap();
  await expect(cards(page)).toHaveCount(10);
  await openStoredApp(page, `/tenders/${tender?._id}`);
  await expect(tenderHeading(page, tender?.title ?? '')).toBeVisible();
});
