import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { rowsOf } from '../support/device-rows.ts';
import { type TestPhone, phoneTest as test } from '../support/phone.ts';
import { makeSession, type StoredSession, storeSession } from '../support/session.ts';
import {
  cards,
  choosePlace,
  factValue,
  firstPageOf,
  offlineBanner,
  openTenders,
  resultCount,
  tenderHeading,
  titles,
} from '../support/tenders.ts';
import { expect } from '../support/test.ts';

const STATE = 'Himachal Pradesh';
const RESULTS = '/tenders/results?state=Himachal+Pradesh';

/** The server's answer to a search in the state: the total, and the titles of the first page. */
async function onServer(request: APIRequestContext, search: Record<string, string>) {
  const answer = await request.get('/api/tenders', { params: { state: STATE, limit: 10, notices: 1, ...search } });
  const { total, tenders } = (await answer.json()) as { total: number; tenders: { title: string }[] };
  expect(total).toBeGreaterThan(0);
  return { total, titles: tenders.map(({ title }) => title) };
}

/**
 * Opens the state's list and saves the state by the first tap. Returns when the whole state is on the phone.
 */
async function saveState({ page, visit }: { page: Page; visit: () => Promise<void> }) {
  await visit();
  await expect(cards(page).first()).toBeVisible();
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);
}

/** The list equals the server's and is marked as an offline copy. */
async function expectOfflineList(page: Page, expected: { total: number; titles: string[] }) {
  await expect(resultCount(page)).toHaveText(firstPageOf(expected.total));
  await expect.poll(() => titles(page)).toEqual(expected.titles);
  await expect(offlineBanner(page)).toBeVisible();
}

const bookmark = (page: Page, title: string) => page.getByRole('button', { name: `Bookmark: ${title}`, exact: true });
const viewDetails = (list: Locator, title: string) =>
  list
    .getByRole('listitem')
    .filter({ hasText: title })
    .getByRole('link', { name: /^View Details/ });
const savedHere = (page: Page) => page.getByRole('region', { name: 'Saved on this phone' });

test('after one visit a state is searched, narrowed and sorted without a network', async ({ phone, request }) => {
  const tender = (await openTenders(request, STATE)).find(({ district }) => district !== null);
  const word = /\p{L}{6,}/u.exec(tender?.title ?? '')?.[0] ?? '';
  const district = tender?.district ?? '';
  const { page } = phone;
  await saveState({ page, visit: () => phone.visit(RESULTS) });

  const closed = await onServer(request, { open: '0' });
  await test.step('all closed tenders come from the server', async () => {
    await page.goto(`${RESULTS}&open=0`);
    await expect(resultCount(page)).toHaveText(firstPageOf(closed.total));
    await expect(offlineBanner(page)).toHaveCount(0);
  });
  await phone.setOffline(true);

  await test.step('without a network the list says which closed tenders are missing', async () => {
    await page.reload();
    await expect(offlineBanner(page)).toBeVisible();
    const missing = 'Only the last 30 days are on this phone. Older ones need a connection.';
    await expect(page.getByText(missing)).toBeVisible();
    await page.goto(RESULTS);
  });

  await test.step('a saved page shows its age until the list of the phone is shown, which shows its own', async () => {
    expect(await (await page.reload())?.text()).toContain('<html data-saved="Saved ');
    await expect(offlineBanner(page)).toBeVisible();
    await expect(page.locator('html[data-saved]')).toHaveCount(0);
  });

  await test.step('words', async () => {
    await page.getByRole('link', { name: /^Change the search/ }).tap();
    await page.getByRole('combobox', { name: 'Work, place or tender ID' }).fill(word);
    await page.getByRole('button', { name: /^Show (\d+ )?tenders?$/ }).tap();
    await expect(page.getByRole('heading', { level: 1, name: `Tenders for “${word}” in ${STATE}` })).toBeAttached();
    await expectOfflineList(page, await onServer(request, { q: word }));
  });

  await test.step('conditions in the words', async () => {
    await page.goto(`${RESULTS}&q=20+lakh+se+kam`);
    await expectOfflineList(page, await onServer(request, { q: '20 lakh se kam' }));
    await expect(page.getByRole('link', { name: 'Remove Value up to ₹20 Lakh' })).toBeVisible();
  });

  await test.step('a district', async () => {
    await page.goto(RESULTS);
    await page.getByRole('button', { name: 'Filters', exact: true }).tap();
    const filters = page.getByRole('dialog', { name: 'Filters' });
    await choosePlace(filters, 'District', district);
    const there = await onServer(request, { district });
    await filters.getByRole('button', { name: `Show ${there.total} tender` }).tap();
    await expectOfflineList(page, there);
  });

  await test.step('sorting', async () => {
    await page.goto(RESULTS);
    await page.locator('summary').filter({ hasText: 'Sort by' }).tap();
    await page.getByRole('group', { name: 'Sort by' }).getByRole('button', { name: 'Closing Date' }).tap();
    await expect(page).toHaveURL(`${RESULTS}&sort=closing_date`);
    const soonest = await onServer(request, { sort: 'closing_date', order: 'asc' });
    await expectOfflineList(page, soonest);
    await page.reload();
    await expectOfflineList(page, soonest);
  });
});

test('without a network a tender id opens its tender when another app shares it, and lists it when it is searched; words from home are searched in what is saved', async ({
  phone,
  request,
}) => {
  const [tender] = await openTenders(request, STATE);
  const id = tender?.source_tender_id ?? '';
  const { page } = phone;
  await saveState({ page, visit: () => phone.visit(RESULTS) });
  await phone.setOffline(true);
  await page.goto(`/share?text=${encodeURIComponent(`Please look at ${id}`)}`);
  await expect(page).toHaveURL(`/tenders/${tender?._id}`);
  await expect(tenderHeading(page, tender?.title ?? '')).toBeVisible();
  await page.goto(`/tenders/results?q=${id}`);
  await expect.poll(() => titles(page)).toEqual([tender?.title]);
  await expect(page.getByText('Only the states on this phone were searched.')).toBeVisible();

  const word = /\p{L}{6,}/u.exec(tender?.title ?? '')?.[0] ?? '';
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Work, place, department or tender ID' }).fill(word);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tenders\/results\?q=/);
  await expectOfflineList(page, await onServer(request, { q: word }));
  await expect(page.getByText(`Only the states on this phone were searched. Saved here: ${STATE}.`)).toBeVisible();
});

test('without a network a tender is opened, bookmarked, ticked off and shared, also after a restart of the browser', async ({
  phone,
  request,
}) => {
  const expected = await onServer(request, {});
  await saveState({ page: phone.page, visit: () => phone.visit(RESULTS) });
  await phone.setOffline(true);
  const title = expected.titles[2] ?? '';

  await test.step('opened for the first time', async () => {
    const { page } = phone;
    await cards(page).nth(2).getByRole('link').tap();
    await expect(tenderHeading(page, title)).toBeVisible();
    // The figures of its office can say it too.
    await expect(page.getByText('Offline copy · Saved').first()).toBeVisible();
    await page.getByRole('tab', { name: 'Bidding Details' }).tap();
    await expect(factValue(page, 'Bid submission ends')).toContainText(/\d{1,2}:\d{2} (AM|PM)/);
  });

  await test.step('bookmarked', async () => {
    const { page } = phone;
    await bookmark(page, title).tap();
    await expect(page.getByText('Bookmarked.', { exact: true })).toBeVisible();
    await expect(bookmark(page, title)).toHaveAttribute('aria-pressed', 'true');
  });

  const priceBid = () => phone.page.getByRole('checkbox', { name: 'Price bid / BOQ', includeHidden: true });
  await test.step('a document ticked off in the checklist', async () => {
    await phone.page.getByRole('tab', { name: 'Checklist' }).tap();
    await priceBid().tap();
    await expect(phone.page.getByText('1 done', { exact: true })).toBeVisible();
    await expect(
      phone.page.getByRole('status').filter({ hasText: /^1 ready · \d+ to fix · \d+ to ask$/ }),
    ).toBeVisible();
  });

  await test.step('shared', async () => {
    const { page } = phone;
    await page.getByRole('button', { name: 'Share tender' }).tap();
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text.length).toBeLessThan(300);
    expect(text).toMatch(/^Closing: /m);
    expect(text).toContain(new URL(page.url()).pathname);
  });

  await test.step('reloaded', async () => {
    const { page } = phone;
    await page.reload();
    await expect(tenderHeading(page, title)).toBeVisible();
    await expect(bookmark(page, title)).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('after a restart', async () => {
    await phone.restartOffline();
    const { page } = phone;
    await page.goto(RESULTS);
    await expectOfflineList(page, expected);
    await expect(bookmark(page, title)).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('link', { name: 'Bookmarked tenders: 1' }).first().tap();
    await viewDetails(savedHere(page), title).tap();
    await expect(tenderHeading(page, title)).toBeVisible();
    await page.getByRole('tab', { name: 'Checklist' }).tap();
    await expect(priceBid()).toBeChecked();
  });
});

test.describe('a signed-in user', () => {
  /** The ids of the user's bookmarks on the server. */
  async function bookmarked(request: APIRequestContext, { token }: StoredSession): Promise<string[]> {
    const answer = await request.get('/api/tenders/bookmarked', { headers: { Authorization: `Bearer ${token}` } });
    const { tenders } = (await answer.json()) as { tenders: { _id: string }[] };
    return tenders.map(({ _id }) => _id);
  }

  /** Opens the state's list signed in, and cuts the network when `ready` has resolved. */
  async function listOffline(phone: TestPhone, ready = async () => {}): Promise<StoredSession> {
    const session = await makeSession();
    await phone.visit('/');
    await storeSession(phone.page, session);
    const synced = phone.page.waitForResponse('**/api/outbox');
    await phone.page.goto(RESULTS);
    expect((await synced).status()).toBe(200);
    await expect(cards(phone.page).first()).toBeVisible();
    await ready();
    await phone.setOffline(true);
    return session;
  }

  test('a bookmark made without a network survives a restart and reaches the server once', async ({
    phone,
    request,
  }) => {
    const [tender] = (await onServer(request, {})).titles;
    const session = await listOffline(phone);
    await bookmark(phone.page, tender ?? '').tap();
    await expect(phone.page.getByText('Saved on this phone. Sent when there is a connection.')).toBeVisible();

    await phone.restartOffline();
    const { page } = phone;
    await page.goto('/bookmarks');
    await expect(page.getByRole('heading', { level: 3, name: tender ?? '', exact: true })).toBeVisible();
    await expect(page.getByText('1 change saved on this phone. Sent when there is a connection.')).toBeVisible();
    expect(await bookmarked(request, session)).toEqual([]);
    expect(phone.answeredChanges).toEqual([]);

    await phone.setOffline(false);
    await expect(page.getByText('1 change saved on this phone.')).toHaveCount(0);
    const [id = ''] = await bookmarked(request, session);
    await expect(viewDetails(page.getByRole('main'), tender ?? '')).toHaveAttribute('href', `/tenders/${id}`);

    // The next start requests the server's bookmarks and has nothing to send.
    const asked = page.waitForResponse('**/api/outbox');
    await page.reload();
    await asked;
    await expect(page.getByRole('heading', { level: 3, name: tender ?? '', exact: true })).toBeVisible();
    expect(await bookmarked(request, session)).toEqual([id]);
    // The change was sent once, or its answer was lost with the page (support/phone.ts).
    expect([[], [[{ id, refusal: null }]]]).toContainEqual(phone.answeredChanges);
  });

  test('a bookmark made without a network is sent by the browser after the app was closed', async ({
    phone,
    request,
  }) => {
    const [title = ''] = (await onServer(request, {})).titles;
    const wake = await phone.backgroundSync();
    const session = await listOffline(phone, async () => {
      // The service worker sends with a token that the app has stored.
      await expect
        .poll(async () => (await rowsOf<{ key: string }>(phone.page, 'settings')).map(({ key }) => key))
        .toContain('send tokens');
    });
    await bookmark(phone.page, title).tap();
    await expect(phone.page.getByText('Saved on this phone. Sent when there is a connection.')).toBeVisible();
    await phone.page.goto('about:blank');
    await phone.setOffline(false);
    await wake();
    await expect.poll(() => bookmarked(request, session)).toHaveLength(1);
  });

  test('eleven taps without a network are one call', { tag: '@release' }, async ({ phone, request }) => {
    const [title = ''] = (await onServer(request, {})).titles;
    const session = await listOffline(phone);
    const { page } = phone;
    for (let taps = 1; taps <= 11; taps++) {
      const isAdded = taps % 2 === 1;
      await bookmark(page, title).tap();
      await expect(bookmark(page, title)).toHaveAttribute('aria-pressed', String(isAdded));
      const stored = isAdded ? 'Saved on this phone. Sent when there is a connection.' : 'Bookmark removed.';
      await expect(page.getByText(stored, { exact: true })).toBeVisible();
    }
    const syncResponse = page.waitForResponse('**/api/outbox');
    await phone.setOffline(false);
    await syncResponse;

    // Leaves by a link: when a page is left while the answer is read, the next start would send the change
    // again.
    await page.getByRole('link', { name: /^Bookmarked tenders/ }).tap();
    await expect(page.getByRole('heading', { level: 3, name: title, exact: true })).toBeVisible();
    await expect.poll(() => bookmarked(request, session)).toHaveLength(1);
    // The service worker may have sent the change. Its calls are not recorded here.
    expect(phone.answeredChanges.flat().length).toBeLessThanOrEqual(1);
  });
});

test('without a network the message and the action bar of a tender do not cover each other', {
  tag: '@release',
}, async ({ phone }) => {
  const { page } = phone;
  await phone.visit(RESULTS);
  await cards(page).first().getByRole('link').tap();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await phone.setOffline(true);
  const message = page.getByText('No connection. You can still use saved tenders.');
  await expect(message).toBeInViewport();
  const download = page.getByRole('button', { name: /^(Download|Ask for)/ }).filter({ visible: true });
  // Scrolls up from the end of the page, where the bar has its own place, to where the bar is fixed at the
  // lower edge.
  const covered = await download.evaluate(
    (button, line) => {
      const bar = button.closest('div');
      scrollTo(0, document.documentElement.scrollHeight);
      const heights = Array.from({ length: 40 }, () => {
        scrollBy(0, -20);
        const [one, other] = [bar?.getBoundingClientRect(), line?.getBoundingClientRect()];
        return one && other ? Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) : Number.NaN;
      });
      return Math.round(Math.max(...heights));
    },
    await message.elementHandle(),
  );
  expect(covered).toBeLessThanOrEqual(0);
});
