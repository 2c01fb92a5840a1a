import type { Locator, Page } from '@playwright/test';
import { button, field } from '../support/account-dialogs.ts';
import { accessDialog, tapDownload } from '../support/checkout.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

/** How many lines the text of an element takes. */
const lineCount = (text: Locator): Promise<number> =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const tops = [...range.getClientRects()]
      .filter(({ height }) => height > 4)
      .map(({ bottom }) => Math.round(bottom / 8));
    return new Set(tops).size;
  });

async function boxOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error('not shown');
  return box;
}

const bottomOf = async (element: Locator): Promise<number> => {
  const { y, height } = await boxOf(element);
  return y + height;
};

const state = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Browse Tenders by State' }).getByRole('link', { name });

test('on a phone of 360 pixels the figures of home and the names of states have one line', async ({ page }) => {
  await page.goto('/');
  for (const label of ['tenders open now', 'still close today', 'new since yesterday'])
    expect((await boxOf(page.getByText(label, { exact: true }))).height, label).toBeLessThan(24);
  expect(await lineCount(state(page, 'Arunachal Pradesh'))).toBe(1);
});

test('the fields of a payment are above its buttons when the form opens', async ({ page, request }) => {
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  await page.goto(`/tenders/${tender?._id}`);
  await tapDownload(page);
  const dialog = accessDialog(page);
  await expect(dialog.getByText(/^In the package: \d+ files/)).toBeVisible();
  expect(await bottomOf(field(dialog, 'Email'))).toBeLessThanOrEqual((await boxOf(dialog.locator('footer'))).y);
});

test('the fields of the GST invoice are above the buttons when they are opened', async ({ page, request }) => {
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  await page.goto(`/tenders/${tender?._id}`);
  await tapDownload(page);
  const dialog = accessDialog(page);
  await dialog.getByText('GST invoice').tap();
  const footer = await boxOf(dialog.locator('footer'));
  await expect.poll(() => bottomOf(field(dialog, 'GSTIN'))).toBeLessThanOrEqual(footer.y);
});

test.describe('on a phone held sideways', () => {
  test.use({ viewport: { width: 640, height: 360 } });

  test('the last buttons of the menu can be reached, and sign-in shows its fields', async ({ page }) => {
    await page.goto('/');
    await button(page, 'Menu').tap();
    const signIn = button(page, 'Sign in').filter({ visible: true }).last();
    await signIn.scrollIntoViewIfNeeded();
    expect(await bottomOf(signIn)).toBeLessThanOrEqual(360);
    await signIn.tap();
    const dialog = page.getByRole('dialog', { name: 'Welcome Back' });
    await field(dialog, 'Password').focus();
    expect((await boxOf(field(dialog, 'Mobile number'))).y).toBeGreaterThanOrEqual(
      await bottomOf(dialog.locator('header')),
    );
    await expect(button(dialog, 'Sign in')).toBeInViewport({ ratio: 0.5 });
  });
});

test('a country code takes little of the line of its number, and the list names the country', async ({ page }) => {
  await page.goto('/?register=1');
  const code = page.getByRole('dialog').getByRole('combobox', { name: 'Country code' });
  expect((await boxOf(code)).width).toBe(92);
  await expect(code.getByRole('option').first()).toHaveText('+91 India');
  await expect(page.getByRole('dialog').getByText('+91', { exact: true })).toBeVisible();
  await code.selectOption('+971');
  await expect(page.getByRole('dialog').getByText('+971', { exact: true })).toBeVisible();
});

test('the panel "On this phone" is as high as its lines', async ({ page }) => {
  await page.goto('/tenders');
  const panel = page.getByRole('region', { name: 'On this phone' });
  const heading = panel.getByRole('heading', { name: 'On this phone' });
  const text = panel.getByText('Search a state to save it for use without a connection.');
  expect((await boxOf(text)).y - (await bottomOf(heading))).toBeLessThanOrEqual(20);
  expect((await boxOf(button(panel, 'Manage'))).height).toBe(48);
});

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false });

  test('the comparison of plans has the name of a row beside its values', async ({ page }) => {
    await page.goto('/pricing');
    const table = page.getByRole('table', { name: 'What is free and what each plan adds' });
    const row = table
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'Saved searches', exact: true }) });
    await expect(row.getByRole('cell')).toHaveCount(4);
    const [name, first] = [await boxOf(row.getByRole('rowheader')), await boxOf(row.getByRole('cell').first())];
    expect(first.y).toBe(name.y);
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: /net::ERR_INTERNET_DISCONNECTED/ });

    test('a message stands above the one about the connection', async ({ page, context }) => {
      await page.goto('/tenders/results?state=Himachal+Pradesh');
      await page
        .locator('article')
        .first()
        .getByRole('button', { name: /bookmark/i })
        .click();
      const message = page.getByText('Bookmarked.', { exact: true });
      await expect(message).toBeVisible();
      await context.setOffline(true);
      const offline = page.getByText('No connection. You can still use saved tenders.');
      await expect(offline).toBeVisible();
      expect(await bottomOf(message)).toBeLessThan((await boxOf(offline)).y);
    });
  });

  test('the footer says when the tenders were checked', async ({ page }) => {
    await page.goto('/');
    await expect(
      page.getByRole('contentinfo').getByText(/^Tenders checked \d+ \w{3} \d{4}, \d+:\d\d [AP]M$/),
    ).toBeVisible();
  });
});
