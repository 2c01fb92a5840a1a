import {
  button,
  registrationDialog,
  resetPasswordDialog,
  signInDialog,
  submitSignIn,
  tapMenuButton,
} from '../support/account-dialogs.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { expect, test } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';
import { expectDialogCloses, expectOpensRegistrationOnce } from './auth-dialogs.ts';

test('Welcome Back closes by Escape and by its button, and the focus is back where it was', async ({ page }) => {
  await expectDialogCloses(page, 'Sign in', 'Welcome Back');
});

test('the dialogs lead to each other, one at a time', async ({ page }) => {
  await page.goto('/');
  await tapMenuButton(page, 'Sign in');
  await button(signInDialog(page), 'Sign up').tap();
  await expect(registrationDialog(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await button(registrationDialog(page), 'Sign in').tap();
  await expect(signInDialog(page)).toBeVisible();
  await button(signInDialog(page), 'Forgot password?').tap();
  await expect(resetPasswordDialog(page)).toBeVisible();
  await button(resetPasswordDialog(page), 'Cancel').tap();
  await expect(signInDialog(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(page, 'Menu')).toBeFocused();
});

test('/register opens the registration once, and not for a signed-in user', async ({ page }) => {
  await expectOpensRegistrationOnce(page, '/register');
});

test('a signed-out visitor of the dashboard is sent home, and back to the same page after signing in', {
  tag: '@release',
}, async ({ page }) => {
  const person = await registerByApi();
  for (const address of ['/dashboard/profile', '/dashboard/settings', '/bookmarks']) {
    await test.step(address, async () => {
      await page.goto(address);
      await expect(page).toHaveURL('/');
      await expect(page.getByText('Please sign in to see that page. It opens right after.')).toBeVisible();
      await tapMenuButton(page, 'Sign in');
      await submitSignIn(page, person);
      await expect(page).toHaveURL(address);
      await expect(
        page.getByRole('heading', { level: 1, name: /^(Profile|Settings|Bookmarked tenders)$/ }),
      ).toBeVisible();
      await tapMenuButton(page, 'Logout');
      await expect(page).toHaveURL('/');
      // After the user's own sign-out the app does not offer to sign in and come back.
      await expect(page.getByText('Please sign in to see that page.')).toHaveCount(0);
    });
  }
});

test('a stored user that cannot be read is signed out, and other stored values stay', async ({ page }) => {
  await page.goto('/');
  await storeSession(page, await makeSession());
  await page.evaluate(() => {
    localStorage.setItem('user', '{"_id":');
    localStorage.setItem('other', 'stored');
  });
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/');
  expect(await page.evaluate(() => ['token', 'user', 'other'].map((key) => localStorage.getItem(key)))).toEqual([
    null,
    null,
    'stored',
  ]);
});
