import type { Locator, Page } from '@playwright/test';
import { button, signInByDialog } from '../support/account-dialogs.ts';
import { makeSession } from '../support/session.ts';
import { cards, offlineBanner, openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';
import { openSearches, reconnect, STATE, saved, savedSearchLinks, saveOnServer, signedIn, test } from './searches.ts';

const RESULTS = '/tenders/results?state=Himachal+Pradesh';

const save = (page: Page): Locator => button(page, 'Save search');

test('a search saved without signal on one device is seen on another', async ({ phone, other }) => {
  const session = await makeSession();
  await signedIn(phone, session);
  await phone.page.goto(`${RESULTS}&q=road`);
  await expect(cards(phone.page).first()).toBeVisible();
  await phone.setOffline(true);
  await save(phone.page).tap();
  await expect(phone.page.getByText(`Search saved: road · ${STATE}. Sent when there is signal.`)).toBeVisible();
  await expect(save(phone.page)).toHaveAttribute('aria-pressed', 'true');
  await phone.restartOffline();
  await phone.page.goto('/tenders');
  await expect(savedSearchLinks(phone.page)).toContainText([`road · ${STATE}`]);
  await reconnect(phone, 'POST');

  await signedIn(other, session);
  await openSearches(other.page);
  await expect(savedSearchLinks(other.page)).toContainText([`road · ${STATE}`]);
  await savedSearchLinks(other.page).tap();
  await expect(other.page).toHaveURL(`${RESULTS}&q=road`);
  await expect(save(other.page)).toHaveAttribute('aria-pressed', 'true');
});

test('a signed-out visitor’s search is stored, also when its page is left at once, and joins the account at sign-in', async ({
  page,
}) => {
  const person = await registerByApi();
  await page.goto(`${RESULTS}&q=water`);
  await save(page).tap();
  await page.goto('/tenders');
  await expect(savedSearchLinks(page)).toContainText([`water · ${STATE}`]);
  await button(page, `Delete water · ${STATE}`).tap();
  await expect(saved(page)).toHaveCount(0);
  await button(page, 'Undo').tap();
  await expect(savedSearchLinks(page)).toContainText([`water · ${STATE}`]);

  const taken = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/searches') && answer.request().method() === 'POST',
  );
  await signInByDialog(page, person);
  expect((await taken).ok()).toBe(true);
  await expect(savedSearchLinks(page)).toContainText([`water · ${STATE}`]);
});

test('new tenders since a search was opened are counted until its list is opened', async ({ phone }) => {
  const { page } = phone;
  const session = await makeSession();
  await saveOnServer(page, session, 'Hills', 0);
  const tenders = await openTenders(page.request, STATE);
  await signedIn(phone, session);
  await page.goto(`${RESULTS}&district=Shimla`);
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await expect(offlineBanner(page)).toBeVisible();

  await page.goto('/tenders');
  await expect(savedSearchLinks(page)).toHaveText([`Hills${tenders.length} new`]);
  await page.goto('/dashboard');
  await expect(page.getByRole('region', { name: 'Saved searches' })).toContainText(`${tenders.length} new`);
  await page.goto('/tenders');
  await savedSearchLinks(page).tap();
  await expect(cards(page).first()).toBeVisible();
  await expect(save(page)).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await expect(savedSearchLinks(page)).toHaveText(['HillsNothing new']);
});
