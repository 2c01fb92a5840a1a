/** Rates for the items of a BOQ: without a network, after a killed browser, on two phones. */
import type { Page } from '@playwright/test';
import { rowsOf } from '../support/device-rows.ts';
import { phoneTest, TestPhone } from '../support/phone.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { storeBoq } from './boq.ts';

const rate = (page: Page, no: string) => page.getByLabel(`Rate of item ${no}`, { exact: true });

interface StoredRate {
  kind: string;
  fields: { row?: number; rate?: string };
}
const storedRates = async (page: Page) =>
  (await rowsOf<StoredRate>(page, 'records'))
    .filter(({ kind }) => kind === 'rate')
    .map(({ fields }) => `${fields.row} ${fields.rate}`)
    .sort();
const unsent = async (page: Page) => (await rowsOf(page, 'outbox')).length;

phoneTest(
  'rates that are typed without a network survive a killed browser, and reach the server later',
  async ({ phone, request }) => {
    test.slow();
    const session = await makeSession();
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    await storeBoq(tender?._id ?? '', session.user._id, 12);
    await phone.page.goto('/');
    await storeSession(phone.page, session);
    // Chromium writes localStorage with some seconds of delay. A crash would sign the user out.
    await phone.restart();
    const address = `/tenders/${tender?._id}/boq`;
    await phone.visit(address);
    await expect(rate(phone.page, '1.01')).toBeVisible();
    await phone.setOffline(true);

    await test.step('the keyboard goes from field to field', async () => {
      const { page } = phone;
      await rate(page, '1.01').tap();
      await page.keyboard.type('110.5');
      await page.keyboard.press('Enter');
      await page.keyboard.type('९०');
      await page.keyboard.press('Enter');
      await expect(rate(page, '1.03')).toBeFocused();
      await page.keyboard.type('5300');
      await expect.poll(() => storedRates(page)).toEqual(['13 110.5', '14 90', '15 5300']);
    });
    await phone.kill({ isOffline: true });
    await phone.page.goto(address);
    const { page } = phone;
    await expect(rate(page, '1.03')).toHaveValue('5300');
    await expect(page.getByText('9 of 12 without a rate').first()).toBeVisible();
    await expect(page.getByText('So far: ₹18,940.75')).toBeVisible();
    await phone.setOffline(false);
    await page.reload();
    await expect.poll(() => unsent(page)).toBe(0);
    const answer = await request.get('/api/bids/changes', { headers: { authorization: `Bearer ${session.token}` } });
    const { records } = (await answer.json()) as { records: StoredRate[] };
    expect(records.map(({ fields }) => fields.rate).sort()).toEqual(['110.5', '5300', '90']);
  },
);

phoneTest(
  'two phones enter rates of one BOQ without a network, and both then have all of them',
  { tag: '@release' },
  async ({ phone: first, baseURL, request }, testInfo) => {
    test.slow();
    const session = await makeSession();
    const [, tender] = await openTenders(request, 'Himachal Pradesh');
    await storeBoq(tender?._id ?? '', session.user._id, 12);
    const second = await TestPhone.start(testInfo.outputPath('second'), baseURL ?? '');
    const address = `/tenders/${tender?._id}/boq`;
    for (const phone of [first, second]) {
      await phone.page.goto('/');
      await storeSession(phone.page, session);
      await phone.visit(address);
      await expect(rate(phone.page, '1.01')).toBeVisible();
      await phone.setOffline(true);
    }
    await rate(first.page, '1.01').fill('100');
    await rate(first.page, '1.02').fill('200');
    await expect.poll(() => storedRates(first.page)).toHaveLength(2);
    await rate(second.page, '1.02').fill('222');
    await rate(second.page, '1.03').fill('300');
    await expect.poll(() => storedRates(second.page)).toHaveLength(2);
    for (const phone of [first, second]) {
      await phone.setOffline(false);
      await phone.page.reload();
      await expect.poll(() => unsent(phone.page)).toBe(0);
    }
    await first.page.reload();
    for (const { page } of [first, second]) {
      await expect.poll(() => storedRates(page)).toEqual(['13 100', '14 222', '15 300']);
      await expect(rate(page, '1.02')).toHaveValue('222');
    }
    await second.close();
  },
);
