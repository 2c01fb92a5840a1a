import { button, field, registrationDialog, signInDialog, tapMenuButton } from '../support/account-dialogs.ts';
import { expect, test } from '../support/test.ts';
import { expectDialogCloses, expectOpensRegistrationOnce } from './auth-dialogs.ts';

test('Create Account closes by Escape and by its button, and the focus is back where it was', async ({ page }) => {
  await expectDialogCloses(page, 'Sign up', 'Create Account');
});

test('typed values stay after a tap beside the form', async ({ page }) => {
  await page.goto('/');
  await tapMenuButton(page, 'Sign in');
  await field(signInDialog(page), 'Password').fill('half a passw');
  await page.touchscreen.tap(180, 4);
  await expect(field(signInDialog(page), 'Password')).toHaveValue('half a passw');
});

test('Start Free Trial opens the registration and gets the focus back', async ({ page }) => {
  await page.goto('/');
  await button(page, 'Start Free Trial').tap();
  await expect(registrationDialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(registrationDialog(page)).toHaveCount(0);
  await expect(button(page, 'Start Free Trial')).toBeFocused();

  await button(page, 'Learn More').tap();
  await button(page, 'Get Started').tap();
  await expect(registrationDialog(page)).toBeVisible();
});

test('/?register=1 opens the registration once, and not for a signed-in user', async ({ page }) => {
  await expectOpensRegistrationOnce(page, '/?register=1');
});
