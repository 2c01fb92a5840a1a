import type { Page } from '@playwright/test';
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
import { mailedLink, mailText } from '../support/mailbox.ts';
import { expect, test } from '../support/test.ts';
import { createPerson, registerByApi } from '../support/test-accounts.ts';

declare global {
  interface Window {
    /** Set by a script that should not have run. */
    broken?: true;
    /** What the browser reported of the Content Security Policy. */
    reports: string[];
  }
}

const SCRIPT = `"'><img src=x onerror=broken=1><script>broken=1</script>`;
const HREF = 'javascript:broken=1';

/** Records each report of the Content Security Policy. */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    window.reports = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      window.reports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
});

/** No script ran, none was added to the page, and the policy had nothing to stop. */
async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate(() => [window.broken, window.reports])).toEqual([undefined, []]);
  await expect(
    page.locator(
      'img[src="x"], script:not([src], [type$="json"], [type="importmap"]), [onerror], a[href^="javascript:"]',
    ),
  ).toHaveCount(0);
}

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

test.describe('the mailbox of this machine', () => {
  // it is no page of the app and has no icon
  test.use({ expectedErrors: /status of 404 .*\/favicon\.ico\)$/ });

  test('shows a script in a mail as text', async ({ page }) => {
    const person = await registerByApi({ ...createPerson(), name: SCRIPT });
    await page.request.post('/api/auth/forgot-password', { data: { email: person.email } });
    await mailedLink(person.email);
    await page.goto('/dev/mail');
    const own = page.getByRole('row').filter({ hasText: person.email });
    await own.getByRole('link', { name: 'Choose a new password for Nivida' }).tap();
    await expect(page.getByText(`Hello ${SCRIPT},`)).toBeVisible();
    await expectInert(page);
  });
});

test('a script in words, addresses and shared texts is shown as text', async ({ page }) => {
  const words = encodeURIComponent(SCRIPT);
  for (const address of [
    `/tenders/results?state=Kerala&q=${words}`,
    `/tenders/results?state=${words}&district=${words}&department=${words}`,
    `/tenders?q=${words}&state=${words}`,
    `/share?title=${words}&text=${words}&url=${encodeURIComponent(HREF)}`,
    `/dashboard?${words}#${words}`,
    `/reset-password#token=${words}`,
    `/?register=1&x=${words}`,
  ]) {
    await test.step(address, async () => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
      await expectInert(page);
    });
  }
});

test('a script in a saved search is stored and shown as text', async ({ page }) => {
  await page.goto(`/tenders/results?state=Kerala&q=${encodeURIComponent(SCRIPT)}`);
  await button(page, 'Save search').tap();
  await expect(button(page, 'Save search')).toHaveAttribute('aria-pressed', 'true');
  // The button is pressed at once; the message follows when the search is stored.
  await expect(page.getByText(/^Search saved: /)).toBeVisible();
  await page.goto('/tenders');
  await expect(page.getByRole('region', { name: 'Saved searches' })).toContainText('<img src=x onerror=broken=1>');
  await expectInert(page);
});

test.describe('of a user who logs out', () => {
  // a call that has begun is answered after the logout
  test.use({ expectedErrors: /status of 401/ });

  test('a script in stored values of the browser is shown as text', async ({ page }) => {
    const person = await registerByApi();
    await page.goto('/');
    await signInByDialog(page, person);
    await page.evaluate(
      ([script, href]) => {
        const user = JSON.parse(localStorage.getItem('user') ?? '{}');
        localStorage.setItem('user', JSON.stringify({ ...user, username: script, email: href }));
        localStorage.setItem('bookmarkedTenders', JSON.stringify([script, href]));
        sessionStorage.setItem(
          'registrationDraft',
          JSON.stringify({ step: 1, name: script, email: script, state: script }),
        );
      },
      [SCRIPT, HREF] as const,
    );
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(SCRIPT);
    await expectInert(page);
    await page.goto('/bookmarks');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectInert(page);
    await tapMenuButton(page, 'Logout');
    await page.goto('/register');
    await expect(field(registrationDialog(page), 'Full name')).toHaveValue(SCRIPT);
    await expectInert(page);
  });
});
