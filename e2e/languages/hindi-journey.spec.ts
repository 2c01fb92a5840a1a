/** A contractor who reads Hindi: from the search to the receipt, without a connection on the way. */
import type { Page } from '@playwright/test';
import { expectProviderPage, payByUpi } from '../support/checkout.ts';
import { phoneTest as test } from '../support/phone.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { cards, titles } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { expectHindi } from './hindi.ts';

const HOUR_MS = 3_600_000;
const RESULTS = '/hi/tenders/results?state=Himachal+Pradesh';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const offlineBanner = (page: Page) => page.getByRole('button', { name: /^बिना इंटरनेट वाली कॉपी · / });

/** A time as the field for it wants it, by the Indian clock. */
const fieldTime = (at: Date) => new Date(at.getTime() + 5.5 * HOUR_MS).toISOString().slice(0, 16);

async function searchInWords(page: Page, words: string): Promise<void> {
  await page.getByRole('combobox', { name: 'काम, जगह या टेंडर ID' }).fill(words);
  await page.getByRole('button', { name: /टेंडर देखें$/ }).tap();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`“${words}”`);
}

test('all in Hindi: search, bookmark, offline, bid, checklist, reminder, payment and receipt', async ({ phone }) => {
  const { page } = phone;
  await page.clock.install();
  await phone.visit('/hi');
  await storeSession(page, await makeSession());

  const title = await test.step('Hindi words find tenders of a state, which is saved on the phone', async () => {
    await page.goto(RESULTS);
    await page.locator('summary').filter({ hasText: 'क्रम' }).tap();
    await page.locator('summary').filter({ hasText: 'क्रम' }).tap();
    await expect(offlineBanner(page)).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.getByRole('link', { name: /^खोज बदलें/ }).tap();
    await searchInWords(page, 'सड़क');
    await expectHindi(page);
    const [first = ''] = await titles(page);
    return first;
  });

  await test.step('a tender is bookmarked', async () => {
    await button(page, `बुकमार्क: ${title}`).tap();
    await expect(page.getByRole('status').getByText('बुकमार्क हो गया।')).toBeVisible();
    await expectHindi(page);
  });

  await phone.setOffline(true);

  await test.step('without a connection it is found and opened', async () => {
    await page.goto(RESULTS);
    await page.getByRole('link', { name: /^खोज बदलें/ }).tap();
    await expectHindi(page);
    await searchInWords(page, 'सड़क');
    await expect(offlineBanner(page)).toBeVisible();
    await expect.poll(() => titles(page)).toContain(title);
    await expectHindi(page);
    await cards(page).getByRole('link', { name: title }).first().tap();
    await expect(page.getByRole('tab', { name: 'चेकलिस्ट' })).toBeVisible();
    await expectHindi(page);
  });
  const tender = page.url();

  const reminderAt = new Date(Date.now() + 2 * HOUR_MS);
  await test.step('it becomes a bid with a checklist and a reminder', async () => {
    await page.getByRole('tab', { name: 'चेकलिस्ट' }).tap();
    await page.getByRole('checkbox', { name: 'प्राइस बिड / BOQ', includeHidden: true }).tap();
    await expect(page.getByRole('status').filter({ hasText: /^1 तैयार · / })).toBeVisible();
    await expectHindi(page);
    await button(page, 'बोली तैयार करें').tap();
    await expect(page).toHaveURL(/\/hi\/dashboard\/applications\/[0-9a-f-]{36}$/);
    await expectHindi(page);
    await page.getByRole('tab', { name: 'नोट' }).tap();
    await page.getByLabel('कब याद दिलाएँ').fill(fieldTime(reminderAt));
    await button(page, 'सहेजें').tap();
    await expect(page.getByText('सहेजा गया।', { exact: true })).toBeVisible();
    await expectHindi(page);
  });

  const reminder = page.getByText(/^आपका रिमाइंडर, /);
  await test.step('the reminder is shown at its time', async () => {
    await page.goto('/hi/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(reminder).toHaveCount(0);
    await page.clock.fastForward('02:01:00');
    await expect(reminder).toContainText(title);
    await expectHindi(page);
  });

  await phone.setOffline(false);

  await test.step('the documents are paid for', async () => {
    await page.goto(tender);
    await button(page, 'डाउनलोड ₹99').tap();
    await expectHindi(page);
    await button(page, '₹99 का भुगतान करें').tap();
    await expectProviderPage(page, '₹99.00');
    await payByUpi(page, 'success');
    await expect(page).toHaveURL(/\/hi\/tenders\/\d+\?id=/);
    await expect(page.getByRole('dialog', { name: 'भुगतान हो गया!' })).toBeVisible();
    await expectHindi(page);
  });

  await test.step('the receipt is there', async () => {
    await page.goto('/hi/dashboard/payments');
    const orders = page.getByRole('region', { name: 'ऑर्डर और रसीदें' });
    await expect(orders.getByText('₹99.00', { exact: true })).toBeVisible();
    await expectHindi(page);
    const coming = page.waitForEvent('download');
    await orders.getByRole('button', { name: /^रसीद .* PDF$/ }).tap();
    expect((await coming).suggestedFilename()).toMatch(/^nivida-TEST-.*\.pdf$/);
  });
});
