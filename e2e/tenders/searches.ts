/** Steps for two devices of one user, and for their saved searches. */
import { randomUUID } from 'node:crypto';
import type { Locator, Page, Response } from '@playwright/test';
import { button } from '../support/account-dialogs.ts';
import { rowsOf } from '../support/device-rows.ts';
import { phoneTest, TestPhone } from '../support/phone.ts';
import { type StoredSession, storeSession } from '../support/session.ts';
import { expect } from '../support/test.ts';

export const SEARCH_STATE = 'Himachal Pradesh';
export const RESULTS = '/tenders/results?state=Himachal+Pradesh';

/** A journey with a second device. */
export const searchTest = phoneTest.extend<{ other: TestPhone }>({
  other: async ({ baseURL }, use, testInfo) => {
    const other = await TestPhone.start(testInfo.outputPath('other'), baseURL ?? '');
    await use(other);
    await other.close();
  },
});

/** The button that saves the search of a list. */
export const save = (page: Page): Locator => button(page, 'Save search');
/** The region of the saved searches. */
export const saved = (page: Page): Locator => page.getByRole('region', { name: 'Saved searches' });
/** The links of the saved searches, newest first, each with its count of new tenders. */
export const savedSearchLinks = (page: Page): Locator => saved(page).getByRole('listitem').getByRole('link');

/** Stores the app and a session on a device. */
export async function signedIn(device: TestPhone, session: StoredSession): Promise<void> {
  await device.visit('/');
  await storeSession(device.page, session);
}

/** Opens the list of searches. Returns when the server has answered. */
export async function openSearches(page: Page): Promise<void> {
  const synced = page.waitForResponse((answer) => answer.url().endsWith('/api/outbox') && answer.ok());
  await page.goto('/tenders');
  await synced;
}

/** Saves a search through the API, as another device would. */
export async function saveOnServer(
  page: Page,
  { token }: StoredSession,
  name: string,
  openedUpTo: number,
): Promise<void> {
  const filter = { state: SEARCH_STATE, district: '', department: '', q: '' };
  const data = { id: randomUUID(), name, filter, openedUpTo };
  const answer = await page.request.post('/api/searches', { data, headers: { Authorization: `Bearer ${token}` } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** True for the server's response to changes of saved searches. */
export async function isSearchAnswer(answer: Response): Promise<boolean> {
  if (!answer.url().endsWith('/api/outbox')) return false;
  // The browser forgets the answer to a page that it has left.
  const body = await answer.json().catch(() => undefined);
  return body?.searches.length > 0;
}

/** Goes online. Returns when the server has accepted the changes of searches. */
export async function reconnect(device: TestPhone): Promise<void> {
  await device.setOffline(false);
  const pending = async () => (await rowsOf<{ kind?: string }>(device.page, 'outbox')).filter(isSearch);
  await expect.poll(pending, { timeout: 120_000 }).toEqual([]);
}

const isSearch = ({ kind }: { kind?: string }): boolean => kind === 'search';
