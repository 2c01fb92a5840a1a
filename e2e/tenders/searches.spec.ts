import { button, signInByDialog } from '../support/account-dialogs.ts';
import { makeSession } from '../support/session.ts';
import { cards } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';
import {
  isSearchAnswer,
  openSearches,
  RESULTS,
  reconnect,
  SEARCH_STATE,
  save,
  saved,
  savedSearchLinks,
  signedIn,
  searchTest as test,
} from './searches.ts';

test('a search saved without a connection on one device is seen on another', async ({ phone, other }) => {
  const session = await makeSession();
  await signedIn(phone, session);
  await phone.page.goto(`${RESULTS}&q=road`);
  await expect(cards(phone.page).first()).toBeVisible();
  await phone.setOffline(true);
  await save(phone.page).tap();
  await expect(
    phone.page.getByText(`Search saved: road · ${SEARCH_STATE}. Sent when there is a connection.`),
  ).toBeVisible();
  await expect(save(phone.page)).toHaveAttribute('aria-pressed', 'true');
  await phone.restartOffline();
  await phone.page.goto('/tenders');
  await expect(savedSearchLinks(phone.page)).toContainText([`road · ${SEARCH_STATE}`]);
  await reconnect(phone);

  await signedIn(other, session);
  await openSearches(other.page);
  await expect(savedSearchLinks(other.page)).toContainText([`road · ${SEARCH_STATE}`]);
  await savedSearchLinks(other.page).tap();
  await expect(other.page).toHaveURL(`${RESULTS}&q=road`);
  await expect(save(other.page)).toHaveAttribute('aria-pressed', 'true');
});

test('a signed-out visitor’s search is stored, also when its page is left at once, and joins the account at sign-in', {
  tag: '@release',
}, async ({ page }) => {
  const person = await registerByApi();
  await page.goto(`${RESULTS}&q=water`);
  await save(page).tap();
  await page.goto('/tenders');
  await expect(savedSearchLinks(page)).toContainText([`water · ${SEARCH_STATE}`]);
  await button(page, `Delete water · ${SEARCH_STATE}`).tap();
  await expect(saved(page)).toHaveCount(0);
  await button(page, 'Undo').tap();
  await expect(savedSearchLinks(page)).toContainText([`water · ${SEARCH_STATE}`]);

  const taken = page.waitForResponse(isSearchAnswer);
  await signInByDialog(page, person);
  expect((await taken).ok()).toBe(true);
  await expect(savedSearchLinks(page)).toContainText([`water · ${SEARCH_STATE}`]);
});
