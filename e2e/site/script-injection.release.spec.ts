import {
  button,
  field,
  fillCompany,
  fillPasswords,
  fillPerson,
  registrationDialog,
  signInByDialog,
  tapMenuButton,
} from '../support/account-dialogs.ts';
import { mailText } from '../support/mailbox.ts';
import { expect, test } from '../support/test.ts';
import { createPerson, registerByApi } from '../support/test-accounts.ts';
import { expectInert, HREF, recordReports, SCRIPT } from './script-injection.ts';

test.beforeEach(({ page }) => recordReports(page));

test('a script typed into the registration is stored and shown as text', async ({ page }) => {
  const base = createPerson();
  const person = {
    ...base,
    name: SCRIPT,
    companyName: SCRIPT,
    address: `${HREF}\n${SCRIPT}`,
    email: `o'n=x.${base.email}`,
  };
  await page.goto('/register');
  await fillPerson(page, person);
  await expectInert(page);
  await button(registrationDialog(page), 'Next').tap();
  await fillPasswords(page, person);
  await button(registrationDialog(page), 'Next').tap();
  await fillCompany(page, person);
  await button(registrationDialog(page), 'Register').tap();
  await expect(registrationDialog(page)).toHaveCount(0);
  await expectInert(page);

  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(SCRIPT);
  await expectInert(page);
  await page.goto('/dashboard/profile');
  await expect(field(page, 'Username')).toHaveValue(SCRIPT);
  await expectInert(page);
  await page.goto('/dashboard/settings');
  await expect(page.getByText('No other device is signed in.')).toBeVisible();
  await expectInert(page);
  await tapMenuButton(page, 'Logout');
  await signInByDialog(page, person);
  await expectInert(page);
});

test('a script typed into the profile is stored and shown as text, in mails too', async ({ page }) => {
  const person = await registerByApi();
  await page.goto('/');
  await signInByDialog(page, person);
  await page.goto('/dashboard/profile');
  await field(page, 'Username').fill(SCRIPT);
  await button(page, 'Update Profile').tap();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await page.reload();
  await expect(field(page, 'Username')).toHaveValue(SCRIPT);
  await expect(page.getByRole('region', { name: 'Your dashboard' })).toContainText(SCRIPT);
  await expectInert(page);

  await page.request.post('/api/auth/forgot-password', { data: { email: person.email } });
  expect(await mailText(person.email, 'Choose a new password for Nivida')).toContain(`Hello ${SCRIPT},`);
});

test('a script in a saved search is stored and shown as text', async ({ page }) => {
  await page.goto(`/tenders/results?state=Kerala&q=${encodeURIComponent(SCRIPT)}`);
  await button(page, 'Save search').tap();
  await expect(button(page, 'Save search')).toHaveAttribute('aria-pressed', 'true');
  // The button changes at once. The message comes when the search is stored.
  await expect(page.getByText(/^Search saved: /)).toBeVisible();
  await page.goto('/tenders');
  await expect(page.getByRole('region', { name: 'Saved searches' })).toContainText('<img src=x onerror=broken=1>');
  await expectInert(page);
});
