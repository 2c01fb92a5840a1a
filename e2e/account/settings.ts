/** Steps in the settings of an account, on this device and on another one. */
import type { Browser, Page } from '@playwright/test';
import { expectSignedIn, signInByDialog } from '../support/account-dialogs.ts';
import { expect, recordErrors } from '../support/test.ts';
import type { Person } from '../support/test-accounts.ts';

// Chromium logs every response with a status of 400 or more.
export const REFUSED = /^Failed to load resource: the server responded with a status of (400|401) /;
const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

/** Signs in and opens the settings. */
export async function openSettings(page: Page, person: Person): Promise<void> {
  await page.goto('/');
  await signInByDialog(page, person);
  await page.goto('/dashboard/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
}

/**
 * Signs in on another device, a Firefox. The returned `expectSignedOut` checks that the session ends there at
 * its next call.
 */
export async function signInElsewhere(
  browser: Browser,
  person: Person,
): Promise<{ expectSignedOut: () => Promise<void> }> {
  const context = await browser.newContext({ userAgent: FIREFOX });
  const errors = recordErrors(context, REFUSED);
  const page = await context.newPage();
  await openSettings(page, person);
  return {
    expectSignedOut: async () => {
      await page.reload();
      await expect(page).toHaveURL('/');
      await expect(page.getByText('Please sign in to see that page. It opens right after.')).toBeVisible();
      await expectSignedIn(page, false);
      expect(errors, 'errors on the console of the other device').toEqual([]);
      await context.close();
    },
  };
}
