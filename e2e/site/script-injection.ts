/** Checks that scripts typed by a user never run. */
import type { Page } from '@playwright/test';
import { expect } from '../support/test.ts';

declare global {
  interface Window {
    /** Set by a script that should not have run. */
    broken?: true;
    /** Violations of the Content Security Policy that the browser has reported. */
    reports: string[];
  }
}

export const SCRIPT = `"'><img src=x onerror=broken=1><script>broken=1</script>`;
export const HREF = 'javascript:broken=1';

/** Records each violation of the Content Security Policy. */
export const recordReports = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.reports = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      window.reports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });

/** No script ran, none was added to the page, and the policy had to block nothing. */
export async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate(() => [window.broken, window.reports])).toEqual([undefined, []]);
  await expect(
    page.locator(
      'img[src="x"], script:not([src], [type$="json"], [type="importmap"]), [onerror], a[href^="javascript:"]',
    ),
  ).toHaveCount(0);
}
