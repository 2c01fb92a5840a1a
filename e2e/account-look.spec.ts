import { join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  button,
  createAccount,
  field,
  fillCompany,
  fillPasswords,
  fillPerson,
  pressInMenu,
  resetPassword,
  signIn,
  welcomeBack,
} from './account.ts';
import { expectNoBarriersInAnyLight } from './axe.ts';
import { pressAndHold } from './forms.ts';
import { makeAccount, newEmail, newPerson } from './people.ts';
import { expect, test } from './test.ts';

/** Looks at what is shown and keeps it for the eye: `output/screens/sign-in-phone-dark.png`. */
async function look(page: Page, name: string): Promise<void> {
  await test.step(name, async () => {
    await expectNoBarriersInAnyLight(page);
    const path = join(import.meta.dirname, `output/screens/${name}-phone-dark.png`);
    await page.screenshot({ path, animations: 'disabled' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
}

test('sign-in and reset have no barrier that can be measured', async ({ page }) => {
  await page.goto('/');
  await pressInMenu(page, 'Sign in');
  await look(page, 'sign-in');
  await button(welcomeBack(page), 'Sign in').tap();
  await look(page, 'sign-in-errors');
  await button(welcomeBack(page), 'Forgot password?').tap();
  await look(page, 'reset');
  await field(resetPassword(page), 'Email').fill(newEmail());
  const call = await pressAndHold(page, '/api/auth/forgot-password', () =>
    button(resetPassword(page), 'Send Reset Link').tap(),
  );
  await look(page, 'reset-busy');
  call.release();
  await expect(resetPassword(page).getByText('Check your email')).toBeVisible();
  await look(page, 'reset-sent');
  await page.goto(`/reset-password#token=${'x'.repeat(43)}`);
  await expect(button(page, 'Reset Password')).toBeVisible();
  await look(page, 'reset-link');
});

test('the three steps of the registration have no barrier that can be measured', async ({ page }) => {
  test.slow(); // every step is looked at four times
  const person = newPerson();
  await page.goto('/register');
  const wizard = createAccount(page);
  const next = button(wizard, 'Next');
  await next.tap();
  await wizard.getByText('What we keep, and why').tap();
  await look(page, 'register-1-errors');
  await fillPerson(page, person);
  await look(page, 'register-1');
  await next.tap();
  await next.tap();
  await look(page, 'register-2-errors');
  await fillPasswords(page, person);
  await look(page, 'register-2');
  await next.tap();
  await button(wizard, 'Register').tap();
  await look(page, 'register-3-errors');
  await fillCompany(page, person);
  await look(page, 'register-3');
});

test('profile and settings have no barrier that can be measured', async ({ page }) => {
  test.slow(); // each is looked at twice
  await page.goto('/');
  await signIn(page, await makeAccount());
  await page.goto('/dashboard/profile');
  await look(page, 'profile');
  await field(page, 'Email').fill(newEmail());
  await button(page, 'Update Profile').tap();
  await expect(page.getByPlaceholder('Enter 6-digit OTP')).toBeVisible();
  await field(page, 'Username').fill('');
  await button(page, 'Verify Email').tap();
  await look(page, 'profile-errors');
  await page.goto('/dashboard/settings');
  await expect(page.getByText('No other device is signed in.')).toBeVisible();
  await look(page, 'settings');
  await button(page, 'Change Password').tap();
  await look(page, 'settings-errors');
  await button(page, 'Delete Account').tap();
  await look(page, 'delete-account');
});
