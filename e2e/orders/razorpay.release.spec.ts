/** Paying through Razorpay. The server of its protocol is that of the API's tests; its page is answered in the browser. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type RazorpayServer, signRazorpayReturn, startRazorpay } from '../../api/test/payments/razorpay-server.ts';
import { button } from '../support/account-dialogs.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { accessDialog, createBuyer, fillBuyer, statusDialog, tapDownload } from '../support/checkout.ts';
import { Product } from '../support/product.ts';
import { test as base, expect } from '../support/test.ts';

const API = 'https://api.razorpay.com/v1';
const TENDER = '2099_PWD_100001_1';
const NOTICES = `Tender ID,Title,Organisation Chain,Tender Category,Publish Date,Bid Submission End Date
${TENDER},Footbridge over Ashni Khad,PWD,Works,20-Nov-2025 09:00 AM,28-Nov-2099 11:00 AM
`;

/** A shop whose provider is Razorpay. */
const test = base.extend<{ shop: { origin: string; razorpay: RazorpayServer } }>({
  shop: async ({ page }, use, testInfo) => {
    const folder = testInfo.outputPath('product');
    mkdirSync(folder, { recursive: true });
    const razorpay = await startRazorpay(() => new Date());
    const redirect = `const send = fetch; globalThis.fetch = (url, init) => send(String(url).replace('${API}', '${razorpay.origin}'), init);`;
    const product = await Product.start(folder, {
      NODE_ENV: 'test',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(redirect)}`,
      PAYMENT_PROVIDER: 'razorpay',
      RAZORPAY_KEY_ID: 'rzp_live_M1',
      RAZORPAY_KEY_SECRET: 's3cret',
      RAZORPAY_WEBHOOK_SECRET: 'webhook-secret-0123456789',
    });
    writeFileSync(join(folder, 'notices.csv'), NOTICES);
    writeFileSync(join(folder, 'scan.pdf'), '%PDF-1.4 the notice');
    await product.command(
      'import',
      join(folder, 'notices.csv'),
      '--portal',
      'hptenders',
      '--state',
      'Himachal Pradesh',
    );
    await product.command('documents', 'attach', '--tender', TENDER, '--nit', join(folder, 'scan.pdf'));
    await use({ origin: product.origin, razorpay });
    // The page asks the server about its order.
    await page.goto('about:blank');
    await product.down();
    razorpay.close();
  },
});

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Answers as Razorpay's page: its button pays and leads back with the signed fields, its link leads back without. */
async function answerAsProvider(page: Page, razorpay: RazorpayServer): Promise<Record<string, string>[]> {
  const opened: Record<string, string>[] = [];
  await page.route(`${API}/checkout/embedded`, async (route) => {
    const fields = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''));
    opened.push(fields);
    const order = razorpay.orders.find(({ id }) => id === fields.order_id);
    const isPaid = opened.length > 1;
    const back = isPaid ? signRazorpayReturn(razorpay.pay(order?.receipt ?? '')) : {};
    const inputs = Object.entries(back).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
    await route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Provider</title><form method="post" action="${escapeHtml(fields.callback_url ?? '')}">
        ${inputs.join('')}<button>Pay by UPI</button></form><a href="${escapeHtml(fields.cancel_url ?? '')}">Cancel</a>`,
    });
  });
  return opened;
}

/** Our page before the provider's stays, as on a connection on which its script does not arrive. */
async function stayOnOwnPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    HTMLFormElement.prototype.submit = () => undefined;
  });
}

async function buy(page: Page): Promise<void> {
  await tapDownload(page);
  await fillBuyer(accessDialog(page), createBuyer());
  await button(accessDialog(page), 'Pay ₹99').tap();
}

test('a cancelled payment can be repeated, and a paid one is confirmed', async ({ page, shop }) => {
  test.setTimeout(600_000);
  const opened = await answerAsProvider(page, shop.razorpay);
  await page.goto(`${shop.origin}/tenders/1`);
  await buy(page);
  await page.waitForURL(`${API}/checkout/embedded`);
  expect(opened).toMatchObject([{ key_id: 'rzp_live_M1', amount: '9900', currency: 'INR', name: 'Nivida' }]);
  await page.getByRole('link', { name: 'Cancel' }).tap();
  await button(statusDialog(page, 'Payment Failed'), 'Try Again').tap();
  await button(accessDialog(page), 'Pay ₹99').tap();
  await page.waitForURL(`${API}/checkout/embedded`);
  await page.getByRole('button', { name: 'Pay by UPI' }).tap();
  await expect(statusDialog(page, 'Payment Successful!')).toBeVisible();
  expect(shop.razorpay.payments).toHaveLength(1);
});

test('our page before that of the provider has a button, and a way back', async ({ page, shop }) => {
  test.setTimeout(600_000);
  await stayOnOwnPage(page);
  const opened = await answerAsProvider(page, shop.razorpay);
  await page.goto(`${shop.origin}/tenders/1`);
  await buy(page);
  await expect(page.getByRole('heading', { name: 'The payment page opens' })).toBeVisible();
  await expect(page.getByText('Footbridge over Ashni Khad')).toBeVisible();
  await expectFourLooks(page, 'pay-page-en');
  await page.getByRole('button', { name: 'Pay ₹99.00' }).tap();
  await page.waitForURL(`${API}/checkout/embedded`);
  expect(opened).toHaveLength(1);
  await page.goBack();
  await page.getByRole('link', { name: 'Back without paying' }).tap();
  await expect(statusDialog(page, 'Payment Failed')).toBeVisible();
});

test('our page is in the language of the order', async ({ page, shop }) => {
  test.setTimeout(600_000);
  await stayOnOwnPage(page);
  await page.goto(`${shop.origin}/hi/tenders/1`);
  await page.getByRole('button', { name: /₹99/ }).first().tap();
  const dialog = page.getByRole('dialog');
  const { name, mobileNo, email } = createBuyer();
  await dialog.locator('input[autocomplete="name"]').fill(name);
  await dialog.locator('input[type="tel"]').fill(mobileNo);
  await dialog.locator('input[type="email"]').fill(email);
  await dialog.getByRole('button', { name: /₹99/ }).tap();
  await page.waitForURL(/\/api\/pay\//);
  await expect(page.locator('html')).toHaveAttribute('lang', /^hi/);
  await expectFourLooks(page, 'pay-page-hi');
});
