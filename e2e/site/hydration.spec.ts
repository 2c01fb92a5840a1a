/**
 * Tests the page as the server renders it: before the app's code has loaded, and while the app hydrates it.
 */
import { cards, LATER_PAGE, openTenders, placeButton, tenderHeading } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import {
  APP,
  expectNothingMoves,
  HYDRATION_LIST,
  HYDRATION_STATE,
  holdApp,
  STILL_PAGES,
  waitForHydration,
} from './hydration.ts';

test('a menu that is opened before the app runs stays open', async ({ page }) => {
  const release = await holdApp(page);
  await page.goto('/about', { waitUntil: 'commit' });
  await page.locator('button[popovertarget=menu]').tap();
  const menu = page.locator('#menu');
  await expect(menu).toBeVisible();
  release();
  await waitForHydration(page);
  await expect(menu.getByRole('link', { name: 'Contact' })).toBeVisible();
  await menu.getByRole('link', { name: 'Contact' }).tap();
  await expect(page).toHaveURL('/contact');
  await expect(menu).toBeHidden();
});

test.describe('without any script', () => {
  test.use({ javaScriptEnabled: false });

  test('a list is read, and leads to its pages, its tenders and their closing hours', async ({ page }) => {
    await page.goto(HYDRATION_LIST);
    await expect(cards(page)).toHaveCount(10);
    const title = await cards(page).first().getByRole('heading').innerText();
    const closing = await cards(page).first().locator('time').innerText();
    await page.getByRole('link', { name: 'Page 2' }).click();
    await expect(page.getByText(LATER_PAGE)).toBeVisible();
    await page.goBack();
    await page.getByRole('link', { name: title }).click();
    await expect(tenderHeading(page, title)).toBeVisible();
    await expect(page.getByText(closing, { exact: true }).filter({ visible: true }).first()).toBeVisible();
  });

  for (const [address, heading, text] of [
    ['/', 'Government tenders, down to the closing hour.', 'tenders open now'],
    ['/tenders', 'Find tenders', 'States with tenders now'],
    ['/pricing', 'Plans', '₹5,899'],
    ['/privacy', 'Privacy Policy', 'Who is responsible'],
  ] as const) {
    test(`${address} is read`, async ({ page }) => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(page.getByRole('main')).toContainText(text);
    });
  }

  test('tenders are searched by words and by state', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('searchbox').fill('road');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/tenders/results?q=road');
    await expect(cards(page).first()).toBeVisible();

    await page.goto('/tenders');
    await page.getByRole('combobox', { name: 'State' }).selectOption(HYDRATION_STATE);
    await page.getByRole('button', { name: 'Show tenders' }).click();
    await expect(page).toHaveURL(/\/tenders\/results\?q=&state=Uttar\+Pradesh/);
    await expect(cards(page)).toHaveCount(10);
  });

  test.describe('on a wide screen', () => {
    test.use({ viewport: { width: 1280, height: 800 } });

    test('a list is filtered', async ({ page }) => {
      await page.goto(HYDRATION_LIST);
      const filters = page.getByRole('complementary', { name: 'Filters' });
      await filters.getByRole('combobox', { name: 'Category' }).selectOption('Works');
      await filters.getByRole('button', { name: 'Show tenders' }).click();
      await expect(page).toHaveURL(/category=Works/);
      await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('Works');
    });
  });
});

test.describe('nothing moves on a phone when the app hydrates', () => {
  test.use({ viewport: { width: 360, height: 640 } });

  for (const address of STILL_PAGES)
    test(address, async ({ page }) => {
      await expectNothingMoves(page, address);
    });
});

test('the app hydrates the page of the server, and renders no second one', async ({ page }) => {
  const release = await holdApp(page);
  await page.goto(HYDRATION_LIST, { waitUntil: 'commit' });
  const card = await cards(page).first().elementHandle();
  release();
  await waitForHydration(page);
  expect(await card?.evaluate((element) => element.isConnected)).toBe(true);
});

test('a list on a device whose clock is an hour fast shows the server’s closings', { tag: '@release' }, async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(HYDRATION_LIST);
  const closings = await cards(other).locator('time').allInnerTexts();
  await other.close();
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.goto(HYDRATION_LIST);
  await expect.poll(() => cards(page).locator('time').allInnerTexts()).toEqual(closings);
});

test('words are searched before the app is loaded', { tag: '@release' }, async ({ page }) => {
  await page.route(APP, () => undefined);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('searchbox').fill('road');
  await page.getByRole('button', { name: 'Search' }).tap();
  await expect(page).toHaveURL('/tenders/results?q=road');
});

test('words and choices entered before the app is loaded are not lost', async ({ page }) => {
  const release = await holdApp(page);
  await page.goto('/tenders', { waitUntil: 'commit' });
  await page.getByLabel('Work, place or tender ID').fill('road');
  await page.getByRole('combobox', { name: 'State' }).selectOption(HYDRATION_STATE);
  release();
  await expect(placeButton(page, 'District')).toBeEnabled();
  await page.getByRole('button', { name: 'Show tenders' }).tap();
  await expect(page).toHaveURL(`/tenders/results?${new URLSearchParams({ state: HYDRATION_STATE, q: 'road' })}`);
});

test('a dialog asked for before the app is loaded opens then', { tag: '@release' }, async ({ page }) => {
  const release = await holdApp(page);
  await page.goto('/', { waitUntil: 'commit' });
  const button = page.getByRole('button', { name: 'Start Free Trial' });
  await button.tap();
  await expect(button).toHaveAttribute('data-waiting');
  release();
  await expect(page.getByRole('dialog', { name: 'Create Account' })).toBeVisible();
  await expect(button).not.toHaveAttribute('data-waiting');
});

test('tenders bookmarked before the app is loaded are bookmarked then', async ({ page }) => {
  const release = await holdApp(page);
  await page.goto(HYDRATION_LIST, { waitUntil: 'commit' });
  const bookmark = (nth: number) =>
    cards(page)
      .nth(nth)
      .getByRole('button', { name: /^Bookmark: / });
  await bookmark(0).tap();
  await bookmark(1).tap();
  await expect(bookmark(1)).toHaveAttribute('data-waiting', 'true');
  release();
  for (const nth of [0, 1]) await expect(bookmark(nth)).toHaveAttribute('aria-pressed', 'true');
  await expect(bookmark(2)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('link', { name: 'Bookmarked tenders: 2' })).toBeVisible();
});

test('a field left empty before the app is loaded shows its error then', { tag: '@release' }, async ({ page }) => {
  const release = await holdApp(page);
  await page.goto('/contact', { waitUntil: 'commit' });
  const name = page.getByRole('textbox', { name: 'Name' });
  // Before the styles have loaded nothing can take the focus. A tap waits for them.
  await name.tap();
  await name.blur();
  release();
  await expect(name).toHaveAccessibleDescription('Name is required');
});

test('a message sent before the app is loaded is sent then, with all that was typed', { tag: '@release' }, async ({
  page,
}) => {
  const release = await holdApp(page);
  await page.goto('/contact', { waitUntil: 'commit' });
  await page.getByLabel('Name').fill('Asha Verma');
  await page.getByRole('textbox', { name: 'Email' }).fill('asha.verma@nivida.example');
  await page.getByLabel('Subject').fill('A question');
  await page.getByRole('textbox', { name: 'Message' }).fill('How do I save a state on my phone?');
  await page.getByRole('checkbox', { name: /^I agree/ }).check();
  await page.getByRole('button', { name: 'Send Message' }).tap();
  await expect(page).toHaveURL('/contact');
  release();
  await expect(page.getByRole('dialog')).toContainText('Message Sent!');
});

test('a tapped tender opens though the app does not come', async ({ page, request }) => {
  const [tender] = await openTenders(request, HYDRATION_STATE);
  await page.route(APP, () => undefined);
  await page.goto(HYDRATION_LIST, { waitUntil: 'commit' });
  await page
    .getByRole('link', { name: tender?.title ?? '' })
    .first()
    .tap();
  await expect(tenderHeading(page, tender?.title ?? '')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test.describe('when the code of a screen cannot be loaded', () => {
  test.use({ expectedErrors: /ERR_FAILED|dynamically imported module/ });

  test('typed words stay, and the page says that its buttons do not work', async ({ page }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/Contact.screen-*.js', async (route) => {
      await promise;
      await route.abort();
    });
    await page.goto('/contact', { waitUntil: 'commit' });
    await page.getByRole('textbox', { name: 'Message' }).fill('How do I save a state on my phone?');
    resolve();
    await expect(page.getByRole('alert')).toContainText('A part of this page could not be loaded');
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('How do I save a state on my phone?');
  });
});

test.describe('a journey fails', () => {
  test.fail();

  test('when the app differs from the page that the server has rendered', async ({ page }) => {
    await page.route('/about', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('<h1>About Us', '<h1>About them') });
    });
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1, name: 'About Us' })).toBeVisible();
  });
});
