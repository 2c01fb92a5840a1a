import type { Page } from '@playwright/test';

/** The page as it is when the server has not rendered its screen. */
export const unrendered = (html: string) => html.replace(/(<div id="root">).*(<\/div>\s*<noscript>)/s, '$1$2');

/** The site takes real payments, as an operator's does: the ribbon of test payments, a line of its own, is not there. */
export async function withRealPayments(page: Page): Promise<void> {
  // The setting in the page is used before the answer arrives.
  await page.route(
    (url) => !url.pathname.includes('.'),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      const body = unrendered(await response.text());
      await route.fulfill({ response, body: body.replace('"payments":"sandbox"', '"payments":"live"') });
    },
  );
  await page.route('**/api/site', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), payments: 'live' } });
  });
}
