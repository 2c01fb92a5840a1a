import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { button, field, signInByDialog } from '../support/account-dialogs.ts';
import { phoneTest, TestPhone } from '../support/phone.ts';
import { makeSession, type StoredSession, storeSession } from '../support/session.ts';
import { cards, offlineBanner, openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';

const STATE = 'Himachal Pradesh';
const RESULTS = '/tenders/results?state=Himachal+Pradesh';

const test = phoneTest.extend<{ other: TestPhone }>({
  other: async ({ baseURL }, use, testInfo) => {
    const other = await TestPhone.start(testInfo.outputPath('other'), baseURL ?? '');
    await use(other);
    await other.close();
  },
});

const save = (page: Page): Locator => button(page, 'Save search');
const saved = (page: Page): Locator => page.getByRole('region', { name: 'Saved searches' });
/** The names of the saved searches, newest first, each with its count of new tenders. */
const savedSearchLinks = (page: Page): Locator => saved(page).getByRole('listitem').getByRole('link');

/** Stores the app and a session on a device. */
async function signedIn(device: TestPhone, session: StoredSession): Promise<void> {
  await device.visit('/');
  await storeSession(device.page, session);
}

/** Opens the list of searches; returns when the server has answered. */
async function openSearches(page: Page): Promise<void> {
  const synced = page.waitForResponse((answer) => answer.url().endsWith('/api/searches') && answer.ok());
  await page.goto('/tenders');
  await synced;
}

/** Saves a search by the API, as another device would. */
async function saveOnServer(page: Page, { token }: StoredSession, name: string, openedUpTo: number): Promise<void> {
  const filter = { state: STATE, district: '', department: '', q: '' };
  const data = { id: randomUUID(), name, filter, openedUpTo };
  const answer = await page.request.post('/api/searches', { data, headers: { Authorization: `Bearer ${token}` } });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await button(page, `Rename ${from}`).tap();
  const dialog = page.getByRole('dialog', { name: 'Rename saved search' });
  await field(dialog, 'Name').fill(to);
  await button(dialog, 'Save').tap();
  await expect(dialog).toHaveCount(0);
  await expect(savedSearchLinks(page)).toContainText([to]);
}

/** Goes online; returns when the server has accepted the change. */
async function reconnect(device: TestPhone, method: 'POST' | 'PATCH' | 'DELETE'): Promise<void> {
  const taken = device.page.waitForResponse(
    (answer) => answer.url().includes('/api/searches') && answer.request().method() === method,
  );
  await device.setOffline(false);
  expect((await taken).ok()).toBe(true);
}

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

test.describe('conflicting edits end the same on both devices', () => {
  /** Both devices show the search, then both lose the signal. */
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
    await reconnect(other, 'PATCH');
    await reconnect(phone, 'PATCH');
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
    await reconnect(other, 'DELETE');
    await reconnect(phone, 'POST');
    for (const { page } of [phone, other]) {
      await openSearches(page);
      await expect(savedSearchLinks(page)).toContainText(['Still wanted']);
    }
  });
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
