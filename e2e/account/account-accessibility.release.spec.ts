import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import {
  button,
  field,
  fillCompany,
  fillPasswords,
  fillPerson,
  registrationDialog,
  resetPasswordDialog,
  signInByDialog,
  signInDialog,
  tapMenuButton,
} from '../support/account-dialogs.ts';
import { holdResponse } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';
import { createEmail, createPerson, registerByApi } from '../support/test-accounts.ts';

/** The screen is accessible in both themes and does not scroll sideways. */
async function expectAccessibleScreen(page: Page, name: string): Promise<void> {
  await test.step(name, async () => {
    await expectAccessibleInBothThemes(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
}

test('sign-in and reset are accessible', async ({ page }) => {
  await page.goto('/');
  await tapMenuButton(page, 'Sign in');
  await expectAccessibleScreen(page, 'sign-in');
  await button(signInDialog(page), 'Sign in').tap();
  await expectAccessibleScreen(page, 'sign-in-errors');
  await button(signInDialog(page), 'Forgot password?').tap();
  await expectAccessibleScreen(page, 'reset');
  await field(resetPasswordDialog(page), 'Email').fill(createEmail());
  const call = await holdResponse(page, '/api/auth/forgot-password', () =>
    button(resetPasswordDialog(page), 'Send Reset Link').tap(),
  );
  await expectAccessibleScreen(page, 'reset-busy');
  call.release();
  await expect(resetPasswordDialog(page).getByText('Check your email')).toBeVisible();
  await expectAccessibleScreen(page, 'reset-sent');
  await page.goto(`/reset-password#token=${'x'.repeat(43)}`);
  await expect(button(page, 'Reset Password')).toBeVisible();
  await expectAccessibleScreen(page, 'reset-link');
});

test('the three steps of the registration are accessible', async ({ page }) => {
  const person = createPerson();
  await page.goto('/register');
  const wizard = registrationDialog(page);
  const next = button(wizard, 'Next');
  await next.tap();
  await wizard.getByText('What we store, and why').tap();
  await expectAccessibleScreen(page, 'register-1-errors');
  await fillPerson(page, person);
  await expectAccessibleScreen(page, 'register-1');
  await next.tap();
  await next.tap();
  await expectAccessibleScreen(page, 'register-2-errors');
  await fillPasswords(page, person);
  await expectAccessibleScreen(page, 'register-2');
  await next.tap();
  await button(wizard, 'Register').tap();
  await expectAccessibleScreen(page, 'register-3-errors');
  await fillCompany(page, person);
  await expectAccessibleScreen(page, 'register-3');
});

test('profile and settings are accessible', async ({ page }) => {
  await page.goto('/');
  await signInByDialog(page, await registerByApi());
  await page.goto('/dashboard/profile');
  await expectAccessibleScreen(page, 'profile');
  await field(page, 'Email').fill(createEmail());
  await button(page, 'Update Profile').tap();
  await expect(page.getByPlaceholder('Enter 6-digit OTP')).toBeVisible();
  await field(page, 'Username').fill('');
  await button(page, 'Verify Email').tap();
  await expectAccessibleScreen(page, 'profile-errors');
  await page.goto('/dashboard/settings');
  await expect(page.getByText('No other device is signed in.')).toBeVisible();
  await expectAccessibleScreen(page, 'settings');
  await button(page, 'Change Password').tap();
  await expectAccessibleScreen(page, 'settings-errors');
  await button(page, 'Delete Account').tap();
  await expectAccessibleScreen(page, 'delete-account');
});
