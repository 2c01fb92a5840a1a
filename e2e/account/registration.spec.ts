import {
  button,
  expectSignedIn,
  field,
  fillCompany,
  fillPasswords,
  formAlert,
  openRegistrationAt,
} from '../support/account-dialogs.ts';
import { expectBusy, expectInvalid, expectValid, failNextCall, holdResponse } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';
import { createMobile, createPassword, createPerson, registerByApi } from '../support/test-accounts.ts';

// Chromium logs every answer of 400 and more, and every broken connection.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (400|409|429|500)|net::ERR_FAILED)/,
});

test('after a change of the state the districts and departments of both states stay, and the others go', async ({
  page,
}) => {
  const { wizard } = await openRegistrationAt(page, 3, createPerson());
  const state = wizard.getByRole('combobox', { name: 'State' });
  const districts = wizard.getByRole('group', { name: 'Districts' });
  const departments = wizard.getByRole('group', { name: 'Departments' });
  await expect(districts.getByText('Choose a state first')).toBeVisible();
  await state.selectOption('Himachal Pradesh');
  for (const name of ['Hamirpur', 'Shimla']) await districts.getByRole('checkbox', { name, exact: true }).check();
  for (const name of ['Agriculture', 'PWD']) await departments.getByRole('checkbox', { name, exact: true }).check();
  await expect(districts.getByText('2 chosen')).toBeVisible();

  await state.selectOption('Uttar Pradesh');
  await expect(districts.getByRole('checkbox', { name: 'Shimla', exact: true })).toHaveCount(0);
  await expect(districts.getByText('1 chosen')).toBeVisible();
  await expect(districts.getByRole('checkbox', { name: 'Hamirpur', exact: true })).toBeChecked();
  await expect(departments.getByText('1 chosen')).toBeVisible();
  await expect(departments.getByRole('checkbox', { name: 'Agriculture', exact: true })).toBeChecked();

  await state.selectOption('Himachal Pradesh');
  await expect(districts.getByRole('checkbox', { name: 'Shimla', exact: true })).not.toBeChecked();
  await expect(districts.getByRole('checkbox', { name: 'Hamirpur', exact: true })).toBeChecked();
});

test('a refused registration shows the error and returns to the step of the wrong field', async ({ page }) => {
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
  await expectSignedIn(page, true);
  // the next registration in this tab starts empty
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(person.companyName);
});
