import type { Page } from '@playwright/test';

/** The page without the screen that the server has rendered. */
export const unrendered = (html: string) => html.replace(/(<div id="root">).*(<\/div>\s*<noscript>)/s, '$1$2');

/** Makes the site take real payments. So the bar about test payments, which takes a line, is not shown. */
export async function withRealPayments(page: Page): Promise<void> {
  // The setting in the page is used until the answer arrives.
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
