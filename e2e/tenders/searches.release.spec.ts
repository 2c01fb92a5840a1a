import type { Page } from '@playwright/test';
import { button, field } from '../support/account-dialogs.ts';
import type { TestPhone } from '../support/phone.ts';
import { makeSession } from '../support/session.ts';
import { cards, offlineBanner, openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import {
  openSearches,
  RESULTS,
  reconnect,
  SEARCH_STATE,
  save,
  saved,
  savedSearchLinks,
  saveOnServer,
  signedIn,
  searchTest as test,
} from './searches.ts';

async function rename(page: Page, from: string, to: string): Promise<void> {
  await button(page, `Rename ${from}`).tap();
  const dialog = page.getByRole('dialog', { name: 'Rename saved search' });
  await field(dialog, 'Name').fill(to);
  await button(dialog, 'Save').tap();
  await expect(dialog).toHaveCount(0);
  await expect(savedSearchLinks(page)).toContainText([to]);
}

// The rules of all conflicts are tested in exchange-searches.test.ts.
test.describe('conflicting edits end the same on both devices', () => {
  /** Both devices show the search. Then both lose the connection. */
  async function share(devices: TestPhone[]): Promise<void> {
    const session = await makeSession();
    await saveOnServer(devices[0]?.page as Page, session, 'Hills', 1_000_000);
    for (const device of devices) {
      await signedIn(device, session);
      await openSearches(device.page);
      await expect(savedSearchLinks(device.page)).toContainText(['Hills']);
      await device.setOffline(true);
    }
  }

  test('the name that reaches the server last wins', async ({ phone, other }) => {
    await share([phone, other]);
    await rename(phone.page, 'Hills', 'From the phone');
    await rename(other.page, 'Hills', 'From the other');
    await reconnect(other);
    await reconnect(phone);
    for (const { page } of [phone, other]) {
      await openSearches(page);
      await expect(savedSearchLinks(page)).toContainText(['From the phone']);
    }
  });

  test('a search deleted on one device and renamed on the other stays', async ({ phone, other }) => {
    await share([phone, other]);
    await button(other.page, 'Delete Hills').tap();
    await expect(saved(other.page)).toHaveCount(0);
    await rename(phone.page, 'Hills', 'Still wanted');
    await reconnect(other);
    await reconnect(phone);
    for (const { page } of [phone, other]) {
      await openSearches(page);
      await expect(savedSearchLinks(page)).toContainText(['Still wanted']);
    }
  });
});

test('new tenders since a search was opened are counted until its list is opened', async ({ phone }) => {
  const { page } = phone;
  const session = await makeSession();
  await saveOnServer(page, session, 'Hills', 0);
  const tenders = await openTenders(page.request, SEARCH_STATE);
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
