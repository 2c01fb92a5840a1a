/** The app in another language: its addresses, the switch, the history, and what is there without a connection. */
import type { Page } from '@playwright/test';
import { waitForWholeApp } from '../support/phone.ts';
import { expect, test } from '../support/test.ts';

test.use({ serviceWorkers: 'allow', expectedErrors: /net::ERR_INTERNET_DISCONNECTED/ });

const menu = (page: Page) => page.locator('#menu');

async function switchTo(page: Page, language: 'English' | 'हिन्दी'): Promise<void> {
  await page.locator('button[popovertarget=menu]').tap();
  await menu(page).getByRole('link', { name: language }).tap();
}

test('is switched without a reload, and stays in links, in the history and without a connection', async ({
  page,
  context,
}) => {
  await page.goto('/tenders');
  await waitForWholeApp(page);
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  const isSamePage = page.locator('body[data-same-page]');

  await switchTo(page, 'हिन्दी');
  await expect(page).toHaveURL(/\/hi\/tenders$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
  await page.locator('button[popovertarget=menu]').tap();
  await menu(page).getByRole('link', { name: 'संपर्क' }).tap();
  await expect(page).toHaveURL(/\/hi\/contact$/);
  await expect(isSamePage).toBeAttached();

  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/[^i]\/tenders$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-IN');
  await expect(menu(page).getByText('Contact')).toBeAttached();

  await context.setOffline(true);
  await page.goto('/hi/analysis');
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
  await expect(menu(page).getByText('संपर्क')).toBeAttached();
  await switchTo(page, 'English');
  await expect(menu(page).getByText('Contact')).toBeAttached();
  await expect(page).toHaveURL(/[^i]\/analysis$/);
});

test('holds for a page to which the user goes back after a reload', { tag: '@release' }, async ({ page }) => {
  await page.goto('/hi/tenders');
  await switchTo(page, 'English');
  await expect(page).toHaveURL(/[^i]\/tenders$/);
  await page.reload();
  await page.goBack();
  await expect(page).toHaveURL(/\/hi\/tenders$/);
  await expect(menu(page).getByText('संपर्क')).toBeAttached();
});

test.describe('a browser in Hindi', () => {
  test.use({ locale: 'hi-IN' });

  test('is offered Hindi once; the choice holds for the next start at home', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('status').getByRole('button', { name: 'हिन्दी' }).tap();
    await expect(page).toHaveURL(/\/hi$/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');

    await page.goto('/?src=pwa');
    await expect(page).toHaveURL(/\/hi\?src=pwa$/);
    await switchTo(page, 'English');
    await expect(page).toHaveURL(/[^i]\/\?src=pwa$/);
    await page.goto('/?src=pwa');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-IN');
    await expect(page).toHaveURL(/[^i]\/\?src=pwa$/);
  });
});
