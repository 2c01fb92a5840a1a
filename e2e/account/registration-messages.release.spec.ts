import { button, field, openRegistration, openRegistrationAt } from '../support/account-dialogs.ts';
import { expectInvalid, expectValid } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';
import { createEmail, createMobile, createPerson } from '../support/test-accounts.ts';

const NOT_10_DIGITS = 'Please enter a valid 10-digit mobile number';
/** R17: all codes are offered, but only India's can sign in. */
const CODES = [
  '+91 India, +1 United States, +44 United Kingdom, +61 Australia, +86 China, +81 Japan, +49 Germany',
  '+33 France, +39 Italy, +34 Spain, +55 Brazil, +27 South Africa, +971 UAE, +966 Saudi Arabia',
  '+65 Singapore, +60 Malaysia, +66 Thailand, +84 Vietnam, +62 Indonesia, +63 Philippines',
].flatMap((line) => line.split(', '));

// The browser itself logs every response with a status of 400 or more, and every broken connection.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (400|429|500)|net::ERR_FAILED)/,
});

test('step 1 names what is missing or wrong, in order, until it is edited', async ({ page }) => {
  const { wizard, next, back } = await openRegistration(page);
  const name = field(wizard, 'Full name');
  const email = field(wizard, 'Email');
  const mobile = field(wizard, 'Mobile number');
  await expect(wizard.getByRole('listitem').filter({ hasText: '1. You' })).toHaveAttribute('aria-current', 'step');
  await expect(back).toBeDisabled();
  await next.tap();
  await expectInvalid(name, 'Name is required');
  await expectInvalid(email, 'Email is required');
  await expectInvalid(mobile, 'Mobile number is required');
  await expect(name).toBeFocused();
  await name.fill('Asha Verma');
  await expectValid(name);
  await expectInvalid(email, 'Email is required');

  await email.fill('asha@');
  await mobile.fill('1234567890');
  await next.tap();
  await expectInvalid(email, 'Please enter a valid email address');
  await expectInvalid(mobile, NOT_10_DIGITS);
  await expect(email).toBeFocused();

  await email.fill(createEmail());
  await mobile.fill('');
  await mobile.pressSequentially('98765432101234');
  await expect(mobile).toHaveValue('9876543210');
  await next.tap();
  await expectInvalid(email, 'Please verify your email with OTP first');
  await expectValid(mobile);
  await expect(wizard.getByRole('listitem').filter({ hasText: '1. You' })).toHaveAttribute('aria-current', 'step');
});

test('step 1 offers 20 country codes and takes the Indian one only', async ({ page }) => {
  const { wizard, next } = await openRegistration(page);
  const code = wizard.getByRole('combobox', { name: 'Country code' });
  await expect(code).toHaveValue('+91');
  await expect(code.getByRole('option')).toHaveText(CODES);
  await field(wizard, 'Mobile number').fill(createMobile());
  for (const other of ['+1', '+971', '+63']) {
    await code.selectOption(other);
    await expectValid(field(wizard, 'Mobile number'));
    await next.tap();
    await expectInvalid(field(wizard, 'Mobile number'), NOT_10_DIGITS);
  }
  await code.selectOption('+91');
  await next.tap();
  await expectValid(field(wizard, 'Mobile number'));
});

test('step 2 names what is missing or wrong, and going back clears it', async ({ page }) => {
  const { wizard, next, back } = await openRegistrationAt(page, 2, createPerson());
  const [password, again] = [field(wizard, 'Password'), field(wizard, 'Confirm password')];
  await next.tap();
  await expectInvalid(password, 'Password is required');
  await expectInvalid(again, 'Please confirm your password');
  await password.fill('Kx-4567');
  await expectValid(password);
  await again.fill('Kx-45678');
  await next.tap();
  await expectInvalid(password, 'Password must be at least 8 characters');
  await password.fill('12345678');
  await expect(wizard.getByText('Weak: easy to guess. Add words that do not belong together.')).toBeVisible();
  await password.fill('orange river seven stones');
  await expect(wizard.getByText('Strong.', { exact: true })).toBeVisible();
  await next.tap();
  await expectInvalid(again, 'Passwords do not match');
  await expectValid(password);
  await again.fill('orange river seven');
  await expectValid(again);
  await next.tap();
  await expectInvalid(again, 'Passwords do not match');

  await back.tap();
  await expect(field(wizard, 'Full name')).toHaveValue('Asha Verma');
  await expect(wizard.getByText('Email verified successfully!')).toBeVisible();
  await next.tap();
  await expect(password).toHaveValue('orange river seven stones');
  await expectValid(again);
});

test('step 3 names what is missing, until it is edited', async ({ page }) => {
  const { wizard } = await openRegistrationAt(page, 3, createPerson());
  await button(wizard, 'Register').tap();
  const company = field(wizard, 'Company name');
  const state = wizard.getByRole('combobox', { name: 'State' });
  const agreed = wizard.getByRole('checkbox', { name: 'I agree to the Terms' });
  const districts = wizard.getByRole('group', { name: 'Districts' });
  const departments = wizard.getByRole('group', { name: 'Departments' });
  await expectInvalid(company, 'Company name is required');
  await expectInvalid(wizard.getByRole('combobox', { name: 'Company type' }), 'Company type is required');
  await expectInvalid(state, 'State is required');
  await expectInvalid(agreed, 'You must agree to the terms and conditions');
  await expect(districts.getByText('At least one district is required', { exact: true })).toBeVisible();
  await expect(departments.getByText('At least one department is required', { exact: true })).toBeVisible();
  await expect(company).toBeFocused();

  await company.fill('Verma Builders');
  await wizard.getByRole('combobox', { name: 'Company type' }).selectOption('Private Limited');
  await state.selectOption('Himachal Pradesh');
  await agreed.check();
  for (const control of [company, wizard.getByRole('combobox', { name: 'Company type' }), state, agreed])
    await expectValid(control);
  await expect(districts.getByText('At least one district is required')).toBeVisible();
  await districts.getByRole('checkbox', { name: 'Shimla', exact: true }).check();
  await expect(districts.getByText('At least one district is required')).toHaveCount(0);
  await departments.getByRole('checkbox', { name: 'PWD', exact: true }).check();
  await expect(departments.getByText('At least one department is required')).toHaveCount(0);
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
