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
import { expect, test } from '../support/test.ts';
import { createPassword, registerByApi } from '../support/test-accounts.ts';
import { openSettings, REFUSED, signInElsewhere } from './settings.ts';

test.use({ expectedErrors: REFUSED });

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
