import type { Page } from '@playwright/test';
import { expectSignedIn, signInByDialog, tapMenuButton } from '../support/account-dialogs.ts';
import { phoneTest as test } from '../support/phone.ts';
import { cards, openTenders, tenderHeading } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';

const STATE = 'Himachal Pradesh';
const RESULTS = '/tenders/results?state=Himachal+Pradesh';

/** The ids of the signed-in user's bookmarks on the server, newest first. */
async function bookmarksOnServer(page: Page): Promise<string[]> {
  const answer = await page.request.get('/api/tenders/bookmarked', {
    headers: { Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` },
  });
  const { tenders } = (await answer.json()) as { tenders: { _id: string }[] };
  return tenders.map(({ _id }) => _id);
}

const bookmark = (page: Page, title: string) => page.getByRole('button', { name: `Bookmark: ${title}`, exact: true });
/** A bookmarked tender's card. */
const bookmarkCard = (page: Page, title: string) =>
  page.getByRole('main').getByRole('heading', { level: 3, name: title, exact: true });
const EMPTY_TEXT = 'No bookmarked tenders found.';

test('an unsent bookmark survives the sign-out and a restart of the browser, for its user alone', async ({
  phone,
  request,
}) => {
  const [asha, other] = [await registerByApi(), await registerByApi()];
  const [tender] = await openTenders(request, STATE);
  const [title, id] = [tender?.title ?? '', tender?._id ?? ''];

  await test.step('made and signed out without a network', async () => {
    const { page } = phone;
    await phone.visit('/');
    await signInByDialog(page, asha);
    await page.goto(`/tenders/${id}`);
    await expect(tenderHeading(page, title)).toBeVisible();
    await phone.setOffline(true);
    await bookmark(page, title).tap();
    await expect(page.getByText('Saved on this phone. Sent when there is a connection.')).toBeVisible();
    await tapMenuButton(page, 'Logout');
    await expect(page).toHaveURL('/');
    // The count disappears when the user's bookmarks have been deleted.
    await expect(page.getByRole('link', { name: 'Bookmarked tenders', exact: true })).toBeVisible();
  });

  await test.step('after a restart the phone shows no bookmark', async () => {
    await phone.restartOffline();
    await phone.page.goto('/tenders#saved');
    await expect(phone.page.getByText(EMPTY_TEXT)).toBeVisible();
    await expectSignedIn(phone.page, false);
  });

  await test.step('another user does not get it', async () => {
    const { page } = phone;
    await phone.setOffline(false);
    const synced = page.waitForResponse('**/api/outbox');
    await signInByDialog(page, other);
    expect((await synced).status()).toBe(200);
    await page.goto('/bookmarks');
    await expect(page.getByText(EMPTY_TEXT)).toBeVisible();
    expect(await bookmarksOnServer(page)).toEqual([]);
    await tapMenuButton(page, 'Logout');
    await expectSignedIn(page, false);
  });

  await test.step('it comes back with its user', async () => {
    const { page } = phone;
    await signInByDialog(page, asha);
    // Leaves by a link: when a page is left before it has stored the answer, it sends the change again.
    await page
      .getByRole('link', { name: /^Bookmarked tenders/ })
      .first()
      .tap();
    await expect(bookmarkCard(page, title)).toBeVisible();
    await expect.poll(() => bookmarksOnServer(page)).toEqual([id]);
    await expect(page.getByText('1 change saved on this phone.')).toHaveCount(0);
  });
  // The change was sent once, or its answer was lost with the page (support/phone.ts).
  expect([[], [[{ id, refusal: null }]]]).toContainEqual(phone.answeredChanges);
});

test('bookmarks that were made signed out join those of the account at sign-in', async ({ page, request }) => {
  const person = await registerByApi();
  const [first, second] = await openTenders(request, STATE);

  await test.step('one on another device', async () => {
    await page.goto('/');
    await signInByDialog(page, person);
    await page.goto(`/tenders/${first?._id}`);
    await bookmark(page, first?.title ?? '').tap();
    await expect.poll(() => bookmarksOnServer(page)).toEqual([first?._id]);
    await tapMenuButton(page, 'Logout');
    await expectSignedIn(page, false);
  });

  await test.step('one on this device, signed out', async () => {
    await page.goto(`/tenders/${second?._id}`);
    await bookmark(page, second?.title ?? '').tap();
    // The page is left at once, maybe before its database is open.
    await page.goto('/tenders#saved');
    const saved = page.getByRole('region', { name: 'Saved on this phone' });
    await expect(saved.getByRole('heading', { level: 3 })).toHaveText([second?.title ?? '']);
    await expect(saved.getByText('Sign in to have them on all your devices.')).toBeVisible();
  });

  await test.step('both after signing in', async () => {
    await signInByDialog(page, person);
    await page.goto('/bookmarks');
    for (const tender of [first, second]) await expect(bookmarkCard(page, tender?.title ?? '')).toBeVisible();
    await expect.poll(async () => (await bookmarksOnServer(page)).sort()).toEqual([first?._id, second?._id].sort());
  });

  await test.step('none on the phone after signing out', async () => {
    await tapMenuButton(page, 'Logout');
    await expectSignedIn(page, false);
    await page.goto('/tenders#saved');
    await expect(page.getByText(EMPTY_TEXT)).toBeVisible();
    await page.goto(RESULTS);
    await expect(cards(page).first()).toBeVisible();
    await expect(
      page.getByRole('button', { name: /^Bookmark: / }).and(page.locator('[aria-pressed="true"]')),
    ).toHaveCount(0);
  });
});
