import type { Page } from '@playwright/test';
import {
  button,
  field,
  formAlert,
  openSignIn,
  resetPasswordDialog,
  signInDialog,
  submitSignIn,
  tapMenuButton,
} from '../support/account-dialogs.ts';
import { callFailures, expectBusy, expectInvalid, expectValid, failNextCall, holdResponse } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';
import { createEmail, createMobile, createPassword, type Person, registerByApi } from '../support/test-accounts.ts';

const NOT_10_DIGITS = 'Please enter a valid 10-digit mobile number';

// Chromium logs every response with a status of 400 or more, and every broken connection.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (400|401|500)|net::ERR_FAILED)/,
});

test.describe('the sign-in', () => {
  let registered: Promise<Person> | undefined;
  /** An account that the tests of this file share. */
  const account = (): Promise<Person> => {
    registered ??= registerByApi();
    return registered;
  };

  test('names what is missing or wrong, until it is edited', async ({ page }) => {
    const { dialog, mobile, password } = await openSignIn(page);
    const send = button(dialog, 'Sign in');
    await send.tap();
    await expectInvalid(mobile, 'Mobile number is required');
    await expectInvalid(password, 'Password is required');
    await expect(mobile).toBeFocused();

    await mobile.fill('98765');
    await expectValid(mobile);
    await expectInvalid(password, 'Password is required');
    await password.fill('12345');
    await expectValid(password);
    await send.tap();
    await expectInvalid(mobile, NOT_10_DIGITS);
    await expectInvalid(password, 'Password must be at least 6 characters');

    await mobile.fill('5876543210');
    await password.fill('123456');
    await send.tap();
    await expectInvalid(mobile, NOT_10_DIGITS);
    await expectValid(password);
    await expect(formAlert(dialog)).toHaveCount(0);

    await mobile.fill('');
    await mobile.pressSequentially('98765432109');
    await expect(mobile).toHaveValue('9876543210');
    await expect(dialog.getByRole('combobox', { name: 'Country code' }).getByRole('option')).toHaveText(['+91 India']);
  });

  test('does not say whether the number or the password was wrong', async ({ page }) => {
    const { mobileNo } = await account();
    const { dialog } = await openSignIn(page);
    for (const typed of [mobileNo, createMobile()]) {
      await submitSignIn(page, { mobileNo: typed, password: createPassword() });
      await expect(formAlert(dialog)).toHaveText('Invalid mobile number or password');
      await expect(dialog).toBeVisible();
    }
  });

  test('is sent once, behind a spinner', async ({ page }) => {
    const person = await account();
    const { dialog, password } = await openSignIn(page);
    const call = await holdResponse(page, '/api/auth/login', () => submitSignIn(page, person));
    await expectBusy(dialog);
    await password.press('Enter');
    expect(call.calls()).toBe(1);
    call.release();
    await expect(dialog).toHaveCount(0);
  });
});

test.describe('the reset', () => {
  async function open(page: Page) {
    await page.goto('/');
    await tapMenuButton(page, 'Sign in');
    await button(signInDialog(page), 'Forgot password?').tap();
    const dialog = resetPasswordDialog(page);
    return { dialog, email: field(dialog, 'Email'), send: button(dialog, 'Send Reset Link') };
  }

  test('names what is missing or wrong, until it is edited', async ({ page }) => {
    const { email, send } = await open(page);
    await send.tap();
    await expectInvalid(email, 'Email is required');
    await email.fill('asha.verma');
    await expectValid(email);
    await send.tap();
    await expectInvalid(email, 'Please enter a valid email address');
    await expect(email).toBeFocused();
  });

  test('shows why it fails, in a red box', async ({ page }) => {
    const { dialog, email, send } = await open(page);
    const address = createEmail();
    await email.fill(address);
    for (const [name, failure, message] of callFailures('Failed to process request'))
      await test.step(name, async () => {
        await failNextCall(page, '/api/auth/forgot-password', failure);
        await send.tap();
        await expect(formAlert(dialog)).toHaveText(message);
        await expect(email).toHaveValue(address);
      });
  });

  test('is sent once, behind a spinner, and does not say whether there is an account', async ({ page }) => {
    const { dialog, email, send } = await open(page);
    const unknown = createEmail();
    await email.fill(unknown);
    const call = await holdResponse(page, '/api/auth/forgot-password', () => send.tap());
    await expectBusy(dialog);
    call.release();
    await expect(dialog.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect(dialog.getByText(`We've sent password reset instructions to ${unknown}`)).toBeVisible();
    expect(call.calls()).toBe(1);
  });

  test('by a link names what is wrong, and a link that does not work leads to a new one', async ({ page }) => {
    await page.goto(`/reset-password#token=${'x'.repeat(43)}`);
    const [password, again] = [field(page, 'New password'), field(page, 'Confirm password')];
    const send = button(page, 'Reset Password');
    await send.tap();
    await expectInvalid(password, 'Password is required');
    await expectInvalid(again, 'Please confirm your password');
    await password.fill('1234567');
    await again.fill('12345678');
    await send.tap();
    await expectInvalid(password, 'Password must be at least 8 characters');
    await password.fill(createPassword());
    await send.tap();
    await expectInvalid(again, 'Passwords do not match');
    await again.fill(await password.inputValue());

    await failNextCall(page, '/api/auth/reset-password', { status: 500, json: {} });
    await send.tap();
    await expect(page.getByRole('alert')).toHaveText('Failed to reset password');
    await send.tap();
    await expect(page.getByRole('alert')).toHaveText(
      'This link does not work. Use the link of the newest mail, or request a new one.',
    );
    await button(page, 'Request a new link').tap();
    await expect(resetPasswordDialog(page)).toBeVisible();
  });
});
