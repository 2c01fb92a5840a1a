import { button, field, formAlert, signInByDialog } from '../support/account-dialogs.ts';
import { callFailures, expectBusy, expectInvalid, expectValid, failNextCall, holdResponse } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';

const NOT_10_DIGITS = 'Please enter a valid 10-digit mobile number';

// Chromium logs every response with a status of 400 or more, and every broken connection.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (409|500)|net::ERR_FAILED)/,
});

test('the profile names missing and wrong values, accepts digits only, and shows the result of the update', async ({
  page,
}) => {
  const person = await registerByApi();
  await page.goto('/');
  await signInByDialog(page, person);
  await page.goto('/dashboard/profile');
  const main = page.getByRole('main');
  const [username, email, mobile] = [field(main, 'Username'), field(main, 'Email'), field(main, 'Mobile number')];
  const update = button(main, 'Update Profile');

  await username.fill(' ');
  await email.fill('');
  await mobile.fill('');
  await mobile.pressSequentially('9876a54');
  await expect(mobile).toHaveValue('987654');
  await update.tap();
  await expectInvalid(username, 'Username is required');
  await expectInvalid(email, 'Email is required');
  await expectInvalid(mobile, NOT_10_DIGITS);
  await expect(username).toBeFocused();
  await username.fill('Asha Devi');
  await expectValid(username);
  await expectInvalid(email, 'Email is required');
  await email.fill('asha.verma');
  await update.tap();
  await expectInvalid(email, 'Please enter a valid email address');
  await email.fill(person.email);
  await mobile.fill('');
  await mobile.pressSequentially('987654321098');
  await expect(mobile).toHaveValue('9876543210');

  const taken = await registerByApi();
  await mobile.fill(taken.mobileNo);
  await update.tap();
  await expectInvalid(mobile, 'An account with this mobile number already exists');
  await mobile.fill(person.mobileNo);

  for (const [, failure, message] of callFailures('Failed to update profile')) {
    await failNextCall(page, '/api/user-info/*', failure);
    await update.tap();
    await expect(formAlert(main)).toHaveText(message);
  }
  const call = await holdResponse(page, '/api/user-info/*', () => update.tap());
  await expectBusy(main.locator('section:has(input[name="username"])'));
  await expect(main.getByText('Updating your profile')).toBeAttached();
  call.release();
  await expect(main.getByText('Profile updated successfully!', { exact: true })).toBeVisible();
  await expect(formAlert(main)).toHaveCount(0);
  await page.reload();
  await expect(username).toHaveValue('Asha Devi');
});
