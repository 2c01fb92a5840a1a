import type { Page } from '@playwright/test';
import { decodeJwt } from 'jose';
import {
  button,
  expectSignedIn,
  field,
  formAlert,
  registerByDialog,
  resetPasswordDialog,
  signInByDialog,
  signInDialog,
  submitSignIn,
  tapMenuButton,
} from '../support/account-dialogs.ts';
import { deleteNewerFunctions } from '../support/browser/newer-functions.ts';
import { mailedCode, mailedLink, mailText } from '../support/mailbox.ts';
import { noteSecrets } from '../support/secrets.ts';
import { expect, test } from '../support/test.ts';
import { createEmail, createPassword, createPerson, registerByApi } from '../support/test-accounts.ts';

// Chromium logs every response with a status of 400 or more.
test.use({ expectedErrors: /^Failed to load resource: the server responded with a status of (400|401) / });

/** The length of the session in whole hours, read from the token on the device. */
async function sessionHours(page: Page): Promise<number> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  noteSecrets(token);
  const { iat = 0, exp = 0 } = decodeJwt(token);
  return Math.round((exp - iat) / 3600);
}

test('a company registers with the code from its mail, stays signed in, signs out and in again', async ({ page }) => {
  await deleteNewerFunctions(page.context());
  const person = createPerson();
  await page.goto('/');

  await test.step('the three steps', async () => {
    await tapMenuButton(page, 'Sign up');
    await registerByDialog(page, person);
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good (morning|afternoon|evening), Asha Verma$/);
    expect(await sessionHours(page)).toBe(12);
  });

  await test.step('a reload', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: ', Asha Verma' })).toBeVisible();
    await expect(page).toHaveURL('/dashboard');
  });

  await test.step('out', async () => {
    await tapMenuButton(page, 'Logout');
    await expect(page).toHaveURL('/');
    await expectSignedIn(page, false);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /^(token|user)$/.test(key)))).toEqual(
      [],
    );
  });

  await test.step('in again, remembered', async () => {
    await tapMenuButton(page, 'Sign in');
    await signInDialog(page).getByRole('checkbox', { name: 'Remember me' }).check();
    await submitSignIn(page, person);
    await expect(signInDialog(page)).toHaveCount(0);
    await expectSignedIn(page, true);
    expect(await sessionHours(page)).toBe(30 * 24);
  });
});

test('a forgotten password is replaced by the link of the mail, and the old one no longer works', async ({ page }) => {
  const person = await registerByApi();
  const renewed = { ...person, password: createPassword() };
  await page.goto('/');
  await tapMenuButton(page, 'Sign in');
  await button(signInDialog(page), 'Forgot password?').tap();
  await field(resetPasswordDialog(page), 'Email').fill(person.email);
  await button(resetPasswordDialog(page), 'Send Reset Link').tap();
  await expect(resetPasswordDialog(page).getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(
    resetPasswordDialog(page).getByText(`We've sent password reset instructions to ${person.email}`, { exact: true }),
  ).toBeVisible();
  await resetPasswordDialog(page).getByText('Close', { exact: true }).tap();
  await expect(resetPasswordDialog(page)).toHaveCount(0);

  const link = await mailedLink(person.email);
  await page.goto(link);
  // The address bar no longer shows the token.
  await expect(page).toHaveURL('/reset-password');
  await field(page, 'New password').fill(renewed.password);
  await field(page, 'Confirm password').fill(renewed.password);
  await button(page, 'Reset Password').tap();
  await expect(page.getByText('Your password is changed. Sign in with it; all devices were signed out.')).toBeVisible();
  await button(page.getByRole('main'), 'Sign in').tap();

  await submitSignIn(page, person);
  await expect(formAlert(signInDialog(page))).toHaveText('Invalid mobile number or password');
  await submitSignIn(page, renewed);
  await expect(signInDialog(page)).toHaveCount(0);
  await expectSignedIn(page, true);
  await mailText(person.email, 'Your Nivida password was changed');

  await page.goto('/');
  await page.goto(link);
  await field(page, 'New password').fill(createPassword());
  await field(page, 'Confirm password').fill(await field(page, 'New password').inputValue());
  await button(page, 'Reset Password').tap();
  await expect(page.getByRole('alert')).toHaveText(
    'This link was already used. Sign in with your new password, or request a new link.',
  );
});

test('a changed e-mail address counts when its code is entered', { tag: '@release' }, async ({ page }) => {
  const person = await registerByApi();
  const email = createEmail();
  await page.goto('/');
  await signInByDialog(page, person);
  await page.goto('/dashboard/profile');
  await field(page, 'Username').fill('Asha Devi Verma');
  await field(page, 'Email').fill(email);
  await button(page, 'Update Profile').tap();
  await expect(
    page.getByText(`We sent a code to ${email}. Enter it to change your email; until then it stays ${person.email}.`),
  ).toBeVisible();

  await page.getByPlaceholder('Enter 6-digit OTP').fill(await mailedCode(email));
  await button(page, 'Verify Email').tap();
  await expect(page.getByText('Profile updated successfully!', { exact: true })).toBeVisible();
  expect(await mailText(person.email, 'The e-mail address of your Nivida account was changed')).toContain(email);

  await page.reload();
  await expect(field(page, 'Email')).toHaveValue(email);
  await expect(field(page, 'Username')).toHaveValue('Asha Devi Verma');
  await expect(page.getByRole('region', { name: 'Your dashboard' })).toContainText('Asha Devi Verma');
});
