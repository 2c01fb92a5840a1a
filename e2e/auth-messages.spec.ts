import type { Page } from '@playwright/test';
import { button, field, pressInMenu, redBox, resetPassword, sendSignIn, welcomeBack } from './account.ts';
import { expectBusy, expectFine, expectWrong, failOnce, failures, pressAndHold } from './forms.ts';
import { makeAccount, newEmail, newMobile, newPassword } from './people.ts';
import { expect, test } from './test.ts';

const NOT_10_DIGITS = 'Please enter a valid 10-digit mobile number';

// The browser itself logs every answer of 400 and more, and every broken connection.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (400|401|500)|net::ERR_FAILED)/,
});

test.describe('the sign-in', () => {
  async function open(page: Page) {
    await page.goto('/');
    await pressInMenu(page, 'Sign in');
    const dialog = welcomeBack(page);
    return { dialog, mobile: field(dialog, 'Mobile number'), password: field(dialog, 'Password') };
  }

  test('names what is missing or wrong, until it is edited', async ({ page }) => {
    const { dialog, mobile, password } = await open(page);
    const send = button(dialog, 'Sign in');
    await send.tap();
    await expectWrong(mobile, 'Mobile number is required');
    await expectWrong(password, 'Password is required');
    await expect(mobile).toBeFocused();

    await mobile.fill('98765');
    await expectFine(mobile);
    await expectWrong(password, 'Password is required');
    await password.fill('12345');
    await expectFine(password);
    await send.tap();
    await expectWrong(mobile, NOT_10_DIGITS);
    await expectWrong(password, 'Password must be at least 6 characters');

    await mobile.fill('5876543210');
    await password.fill('123456');
    await send.tap();
    await expectWrong(mobile, NOT_10_DIGITS);
    await expectFine(password);
    await expect(redBox(dialog)).toHaveCount(0);

    await mobile.fill('');
    await mobile.pressSequentially('98765432109');
    await expect(mobile).toHaveValue('9876543210');
    await expect(dialog.getByRole('combobox', { name: 'Country code' }).getByRole('option')).toHaveText(['+91 India']);
  });

  test('tells nobody whether the number or the password was wrong', async ({ page }) => {
    const { mobileNo } = await makeAccount();
    const { dialog } = await open(page);
    for (const typed of [mobileNo, newMobile()]) {
      await sendSignIn(page, { mobileNo: typed, password: newPassword() });
      await expect(redBox(dialog)).toHaveText('Invalid mobile number or password');
      await expect(dialog).toBeVisible();
    }
  });

  for (const [name, failure, message] of failures('Failed to login')) {
    test(`fails in a red box when ${name}, and goes on from there`, async ({ page }) => {
      const person = await makeAccount();
      const { dialog } = await open(page);
      await failOnce(page, '/api/auth/login', failure);
      await sendSignIn(page, person);
      await expect(redBox(dialog)).toHaveText(message);
      await button(dialog, 'Sign in').tap();
      await expect(dialog).toHaveCount(0);
    });
  }

  test('is sent once, behind a spinner', async ({ page }) => {
    const person = await makeAccount();
    const { dialog, password } = await open(page);
    const call = await pressAndHold(page, '/api/auth/login', () => sendSignIn(page, person));
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
    await pressInMenu(page, 'Sign in');
    await button(welcomeBack(page), 'Forgot password?').tap();
    const dialog = resetPassword(page);
    return { dialog, email: field(dialog, 'Email'), send: button(dialog, 'Send Reset Link') };
  }

  test('names what is missing or wrong, until it is edited', async ({ page }) => {
    const { email, send } = await open(page);
    await send.tap();
    await expectWrong(email, 'Email is required');
    await email.fill('asha.verma');
    await expectFine(email);
    await send.tap();
    await expectWrong(email, 'Please enter a valid email address');
    await expect(email).toBeFocused();
  });

  for (const [name, failure, message] of failures('Failed to process request')) {
    test(`fails in a red box when ${name}`, async ({ page }) => {
      const { dialog, email, send } = await open(page);
      await failOnce(page, '/api/auth/forgot-password', failure);
      const address = newEmail();
      await email.fill(address);
      await send.tap();
      await expect(redBox(dialog)).toHaveText(message);
      await expect(email).toHaveValue(address);
    });
  }

  test('is sent once, behind a spinner, and tells nobody whether there is an account', async ({ page }) => {
    const { dialog, email, send } = await open(page);
    const nobody = newEmail();
    await email.fill(nobody);
    const call = await pressAndHold(page, '/api/auth/forgot-password', () => send.tap());
    await expectBusy(dialog);
    call.release();
    await expect(dialog.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect(dialog.getByText(`We've sent password reset instructions to ${nobody}`)).toBeVisible();
    expect(call.calls()).toBe(1);
  });

  test('by a link names what is wrong, and a link that does not work leads to a new one', async ({ page }) => {
    await page.goto(`/reset-password#token=${'x'.repeat(43)}`);
    const [password, again] = [field(page, 'New password'), field(page, 'Confirm password')];
    const send = button(page, 'Reset Password');
    await send.tap();
    await expectWrong(password, 'Password is required');
    await expectWrong(again, 'Please confirm your password');
    await password.fill('1234567');
    await again.fill('12345678');
    await send.tap();
    await expectWrong(password, 'Password must be at least 8 characters');
    await password.fill(newPassword());
    await send.tap();
    await expectWrong(again, 'Passwords do not match');
    await again.fill(await password.inputValue());

    await failOnce(page, '/api/auth/reset-password', { status: 500, json: {} });
    await send.tap();
    await expect(page.getByRole('alert')).toHaveText('Failed to reset password');
    await send.tap();
    await expect(page.getByRole('alert')).toHaveText(
      'This link does not work. Use the link of the newest mail, or request a new one.',
    );
    await button(page, 'Request a new link').tap();
    await expect(resetPassword(page)).toBeVisible();
  });
});
