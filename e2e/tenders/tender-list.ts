/** Steps in the list of tenders: sorting, and closings at a fixed hour. */
import type { Page } from '@playwright/test';
import { badges, cards, enableSaveData, factValue } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

export const LONG_LIST = '/tenders/results?state=Uttar+Pradesh';

/** The current sorting. A tap on it opens the panel. */
export const sorting = (page: Page) => page.locator('summary').filter({ hasText: 'Sort by' });

/** Opens the sort panel and taps the choice. */
export async function sortBy(page: Page, choice: string) {
  await sorting(page).tap();
  await page.getByRole('group', { name: 'Sort by' }).getByRole('button', { name: choice }).tap();
}

// Ten minutes before midnight in India. In Dubai and Los Angeles it is still the 20th during the whole next
// closing day.
const NOW = '2026-11-20T23:50:00+05:30';

const CLOSINGS: [closesAt: string, label: string][] = [
  ['2026-11-20T23:55:00+05:30', 'Closing today · 11:55 PM'],
  ['2026-11-21T00:30:00+05:30', 'Closing tomorrow · 12:30 AM'],
  ['2026-11-21T23:00:00+05:30', 'Closing tomorrow · 11:00 PM'],
  ['2026-11-22T09:00:00+05:30', '2 days left · 9:00 AM'],
  ['2026-11-27T11:00:00+05:30', '7 days left · 11:00 AM'],
  ['2026-11-28T00:00:00+05:30', '8 days remaining · 12:00 AM'],
  ['2026-12-15T17:00:00+05:30', '25 days remaining · 5:00 PM'],
];

/** The list and a tender show closings by the Indian calendar and clock. */
export async function expectIndianClosings(page: Page): Promise<void> {
  await enableSaveData(page);
  await page.clock.setFixedTime(new Date(NOW));
  // The server's tenders get known closings. The Date header of every response is the fixed hour.
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), date: new Date(NOW).toUTCString() };
    const { pathname } = new URL(route.request().url());
    if (pathname === '/api/tenders') {
      const list = await response.json();
      const tenders = CLOSINGS.map(([closing_date], index) => ({
        ...list.tenders[index],
        closing_date,
        status: 'active',
      }));
      await route.fulfill({ response, headers, json: { ...list, tenders } });
    } else if (/^\/api\/tenders\/\d+$/.test(pathname)) {
      const { tender } = await response.json();
      const moved = { ...tender, closing_date: CLOSINGS[1]?.[0], status: 'active' };
      await route.fulfill({ response, headers, json: { tender: moved } });
    } else {
      await route.fulfill({ response, headers });
    }
  });

  await page.goto(LONG_LIST);
  await expect(cards(page)).toHaveCount(CLOSINGS.length);
  await expect.poll(() => badges(page)).toEqual(CLOSINGS.map(([, label]) => label));

  await cards(page).nth(1).getByRole('link').tap();
  await expect(page.getByText('Closing tomorrow · 12:30 AM').filter({ visible: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Bidding Details' }).tap();
  await expect(factValue(page, 'Bid submission ends')).toContainText('Sat 21 Nov, 12:30 AM');
  // Calls may still be running at the end.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}
