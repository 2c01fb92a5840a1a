import type { Page } from '@playwright/test';

/** The site takes real payments, as an operator's does: the ribbon of test payments, a line of its own, is not there. */
export async function withRealPayments(page: Page): Promise<void> {
  await page.route('**/api/site', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), payments: 'live' } });
  });
}
