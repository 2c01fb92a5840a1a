import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import {
  button,
  expectSignedIn,
  field,
  formAlert,
  signInByDialog,
  signInDialog,
  submitSignIn,
  tapMenuButton,
} from '../support/account-dialogs.ts';
import { mailText } from '../support/mailbox.ts';
import { expect, recordErrors, test } from '../support/test.ts';
import { createPassword, type Person, registerByApi } from '../support/test-accounts.ts';

// Chromium logs every answer of 400 and more.
const REFUSED = /^Failed to load resource: the server responded with a status of (400|401) /;
const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

test.use({ expectedErrors: REFUSED });

/** Signs in and opens the settings. */
async function openSettings(page: Page, person: Person): Promise<void> {
  await page.goto('/');
  await signInByDialog(page, person);
  await page.goto('/dashboard/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
}

/** Signs in on another device, a Firefox. `expectSignedOut` checks that its next call ends the session there. */
async function signInElsewhere(browser: Browser, person: Person): Promise<{ expectSignedOut: () => Promise<void> }> {
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

test('a lost phone is signed out from the list of sessions', async ({ page, browser }) => {
  const person = await registerByApi();
  const lost = await signInElsewhere(browser, person);
  await openSettings(page, person);
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1);
  await button(sessions, 'Sign out Firefox on Android').tap();
  await expect(sessions.getByText('No other device is signed in.')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);

  await lost.expectSignedOut();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('a changed password signs out the other devices, and only the new one opens the account', async ({
  page,
  browser,
}) => {
  const person = await registerByApi();
  const renewed = { ...person, password: createPassword() };
  const other = await signInElsewhere(browser, person);
  await openSettings(page, person);
  const form = page.getByRole('region', { name: 'Change password' });
  await field(form, 'Current password').fill(renewed.password);
  await field(form, 'New password').fill(renewed.password);
  await button(form, 'Change Password').tap();
  await expect(field(form, 'Current password')).toHaveAccessibleDescription('The current password is wrong');
  await expect(field(form, 'Current password')).toBeFocused();
  await field(form, 'Current password').fill(person.password);
  await button(form, 'Change Password').tap();
  await expect(page.getByText('Your password is changed. All other sessions are signed out.')).toBeVisible();
  await other.expectSignedOut();
  await mailText(person.email, 'Your Nivida password was changed');

  await tapMenuButton(page, 'Logout');
  await tapMenuButton(page, 'Sign in');
  await submitSignIn(page, person);
  await expect(formAlert(signInDialog(page))).toHaveText('Invalid mobile number or password');
  await submitSignIn(page, renewed);
  await expect(signInDialog(page)).toHaveCount(0);
});

test('a user downloads all personal data, as JSON and as CSV', async ({ page }) => {
  const person = await registerByApi();
  await openSettings(page, person);
  for (const [format, pattern] of [
    ['JSON', /^nivida-my-data-\d{4}-\d\d-\d\d\.json$/],
    ['CSV', /^nivida-my-data-\d{4}-\d\d-\d\d\.csv$/],
  ] as const) {
    const downloading = page.waitForEvent('download');
    await button(page, `Download ${format}`).tap();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(pattern);
    const text = await readFile(await download.path(), 'utf8');
    for (const expectedValue of [person.email, person.mobileNo, 'Verma Builders', 'Himachal Pradesh', 'Shimla'])
      expect(text, format).toContain(expectedValue);
    expect(text).not.toContain('argon2');
  }
});

test('a deleted account is signed out everywhere, and is restored by signing in within the week', async ({
  page,
  browser,
}) => {
  const person = await registerByApi();
  const other = await signInElsewhere(browser, person);
  await openSettings(page, person);
  await button(page.getByRole('region', { name: 'Delete account' }), 'Delete Account').tap();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await button(dialog, 'Delete Account').tap();
  await expect(field(dialog, 'Your password')).toHaveAccessibleDescription('Password is required');
  await field(dialog, 'Your password').fill(createPassword());
  await button(dialog, 'Delete Account').tap();
  await expect(field(dialog, 'Your password')).toHaveAccessibleDescription('The password is wrong');
  await field(dialog, 'Your password').fill(person.password);
  await button(dialog, 'Delete Account').tap();

  await expect(page.getByText(/^Your account is closed\. Sign in before .+ if you want to keep it$/)).toBeVisible();
  await expect(page).toHaveURL('/');
  await expectSignedIn(page, false);
  await other.expectSignedOut();
  await mailText(person.email, 'Your Nivida account will be erased');

  await signInByDialog(page, person);
  await expectSignedIn(page, true);
  await mailText(person.email, 'Your Nivida account is open again');
});
