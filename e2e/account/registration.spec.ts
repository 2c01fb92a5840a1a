import {
  button,
  expectSignedIn,
  field,
  fillCompany,
  fillPasswords,
  formAlert,
  openRegistration,
  openRegistrationAt,
} from '../support/account-dialogs.ts';
import { expectBusy, expectInvalid, expectValid, failNextCall, holdResponse } from '../support/forms.ts';
import { mailedCode } from '../support/mailbox.ts';
import { expect, test } from '../support/test.ts';
import { createEmail, createMobile, createPassword, createPerson, registerByApi } from '../support/test-accounts.ts';

// Chromium logs every response with a status of 400 or more.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (400|409|429|500)|net::ERR_FAILED)/,
});

test('the e-mail is proved by the code of its mail, and no other', async ({ page }) => {
  const { wizard } = await openRegistration(page);
  const address = createEmail();
  const [email, otp] = [field(wizard, 'Email'), wizard.getByPlaceholder('Enter 6-digit OTP')];
  await email.fill(address);

  await test.step('asked for', async () => {
    await expect(otp).toHaveCount(0);
    await failNextCall(page, '/api/auth/otp/generate', { status: 500, json: {} });
    await button(wizard, 'Verify Email').tap();
    await expectInvalid(email, 'Error sending OTP');
    await failNextCall(page, '/api/auth/otp/generate', { status: 500, json: { message: 'The post is closed' } });
    await button(wizard, 'Verify Email').tap();
    await expectInvalid(email, 'The post is closed');
    const call = await holdResponse(page, '/api/auth/otp/generate', () => button(wizard, 'Verify Email').tap());
    await expectBusy(wizard);
    call.release();
    await expect(otp).toBeFocused();
    await expect(wizard.getByText(/^New code in (1:00|0:[0-5]\d)$/)).toBeVisible();
  });

  await test.step('entered', async () => {
    const code = await mailedCode(address);
    const verify = button(wizard, 'Verify');
    await verify.tap();
    await expectInvalid(otp, 'Please enter the OTP');
    await otp.pressSequentially('12x3');
    await expect(otp).toHaveValue('12x3');
    await verify.tap();
    await expectInvalid(otp, 'The OTP has 6 digits');
    await otp.fill('');
    await otp.pressSequentially('12345678');
    await expect(otp).toHaveValue('123456');
    await otp.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
    await verify.tap();
    await expectInvalid(otp, 'The code is wrong. 4 tries left');
    await otp.fill(code);
    await expectValid(otp);
    await failNextCall(page, '/api/auth/otp/verify', { status: 500, json: {} });
    await verify.tap();
    await expectInvalid(otp, 'Error verifying OTP');
    const call = await holdResponse(page, '/api/auth/otp/verify', () => verify.tap());
    await expectBusy(wizard);
    call.release();
    await expect(wizard.getByText('Email verified successfully!', { exact: true })).toBeVisible();
    await expect(email).not.toBeEditable();
    await expect(otp).toHaveCount(0);
  });

  await test.step('and another address must be verified again', async () => {
    await button(wizard, 'Change email').tap();
    await expect(email).toBeEditable();
    await expect(button(wizard, 'Verify Email')).toBeVisible();
    // The server sends at most one code a minute to an address.
    await button(wizard, 'Verify Email').tap();
    await expect(email).toHaveAccessibleDescription(
      /^Too many attempts\. Please try again in \d+ (seconds?|minute)\.$/,
    );
  });
});

test('a refused registration shows the error and returns to the step of the wrong field', { tag: '@release' }, async ({
  page,
}) => {
  const taken = await registerByApi();
  const person = { ...createPerson(), mobileNo: taken.mobileNo, password: 'password123' };
  const { wizard, next } = await openRegistrationAt(page, 3, person);
  await fillCompany(page, person);
  const registerButton = button(wizard, 'Register');

  await failNextCall(page, '/api/auth/register', { status: 500, json: {} });
  await registerButton.tap();
  await expect(formAlert(wizard)).toHaveText('Failed to register');
  await failNextCall(page, '/api/auth/register', { status: 500, json: { message: 'Back in a minute' } });
  await registerButton.tap();
  await expect(formAlert(wizard)).toHaveText('Back in a minute');
  const call = await holdResponse(page, '/api/auth/register', () => registerButton.tap());
  await expectBusy(wizard);
  await expect(formAlert(wizard)).toHaveCount(0);
  call.release();

  await test.step('the password', async () => {
    await expect(formAlert(wizard)).toHaveText('This password is too common. Please choose another');
    await expectInvalid(field(wizard, 'Password'), 'This password is too common. Please choose another');
    await fillPasswords(page, { password: createPassword() });
    await expectValid(field(wizard, 'Password'));
    await next.tap();
    await registerButton.tap();
  });

  await test.step('the mobile number', async () => {
    await expect(formAlert(wizard)).toHaveText('An account with this mobile number already exists');
    await expectInvalid(field(wizard, 'Mobile number'), 'An account with this mobile number already exists');
    await expect(field(wizard, 'Mobile number')).toBeFocused();
    await field(wizard, 'Mobile number').fill(createMobile());
    await next.tap();
    await expect(formAlert(wizard)).toHaveCount(0);
    await next.tap();
    await registerButton.tap();
  });
  await expect(wizard).toHaveCount(0);
  // the navigation to the dashboard closes an open menu
  await expect(page).toHaveURL('/dashboard');
  await expectSignedIn(page, true);
});

test('typed values survive a reload, except the passwords', async ({ page }) => {
  const person = createPerson();
  const { wizard, next } = await openRegistrationAt(page, 3, person);
  await fillCompany(page, person);
  const storedText = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(storedText).toContain(person.companyName);
  expect(storedText).not.toContain(person.password);

  await page.goto('/register');
  await expect(field(wizard, 'Password')).toHaveValue('');
  await expect(field(wizard, 'Confirm password')).toHaveValue('');
  await button(wizard, 'Back').tap();
  await expect(field(wizard, 'Full name')).toHaveValue(person.name);
  await expect(field(wizard, 'Email')).toHaveValue(person.email);
  await expect(wizard.getByText('Email verified successfully!')).toBeVisible();
  await expect(field(wizard, 'Mobile number')).toHaveValue(person.mobileNo);
  await next.tap();
  await fillPasswords(page, person);
  await next.tap();
  await expect(field(wizard, 'Company name')).toHaveValue(person.companyName);
  await expect(field(wizard, 'Address')).toHaveValue(person.address);
  await expect(wizard.getByRole('checkbox', { name: 'Shimla', exact: true })).toBeChecked();
  await wizard.getByRole('checkbox', { name: 'I agree to the Terms' }).check();
  await button(wizard, 'Register').tap();
  await expect(wizard).toHaveCount(0);
  await expect(page).toHaveURL('/dashboard');
  await expectSignedIn(page, true);
  // the next registration in this tab starts empty
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(person.companyName);
});
