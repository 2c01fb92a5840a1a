import { field, registrationDialog, signInByDialog, tapMenuButton } from '../support/account-dialogs.ts';
import { mailedLink } from '../support/mailbox.ts';
import { expect, test } from '../support/test.ts';
import { createPerson, registerByApi } from '../support/test-accounts.ts';
import { expectInert, HREF, recordReports, SCRIPT } from './script-injection.ts';

test.beforeEach(({ page }) => recordReports(page));

test.describe('the mailbox of this machine', () => {
  // It is not a page of the app and has no icon.
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

test.describe('of a user who logs out', () => {
  // A call that began before the logout is answered after it.
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
