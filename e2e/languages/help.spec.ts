/** Help for a first-time bidder: words at a tap, the tour, the pictures. */
import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { expectHindi } from './hindi.ts';

const tour = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.describe('on a new device', () => {
  test.use({ isNewDevice: true });

  test('the tour comes after the first tender, is skipped, and is found again in the menu', async ({ page }) => {
    const [tender] = await openTenders(page.request, 'Uttar Pradesh');
    await page.goto('/tenders');
    await page.keyboard.press('Shift');
    await page.goto(`/tenders/${tender?._id}`);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('tour'))).toBe('"due"');
    await page.locator('button[popovertarget=menu]').tap();
    await page.locator('#menu').getByRole('link', { name: 'Tenders', exact: true }).tap();
    const card = tour(page, 'Nivida in three cards');
    await expect(card.getByRole('heading', { name: 'Search with your own words' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(card).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.locator('button[popovertarget=menu]').tap();
    await page.locator('#menu').getByRole('link', { name: 'Help', exact: true }).tap();
    await page.getByRole('link', { name: 'See how it works in three cards' }).tap();
    for (const name of ['Next', 'Next', 'Got it']) await button(page, name).tap();
    await expect(card).toHaveCount(0);
    await page.getByRole('link', { name: 'See how it works in three cards' }).tap();
    await expect(card).toBeVisible();
    await page.goBack();
    await expect(card).toHaveCount(0);
  });
});

test.describe('in Hindi', () => {
  test.use({ locale: 'hi-IN' });

  test('a word is opened and closed by the keyboard, and leads to all words', async ({ page }) => {
    const [tender] = await openTenders(page.request, 'Uttar Pradesh');
    await page.goto(`/hi/tenders/${tender?._id}`);
    const word = button(page, 'EMD').first();
    await word.focus();
    await page.keyboard.press('Enter');
    const explanation = page.locator('[popover]:popover-open');
    await expect(explanation).toContainText('EMD धरोहर राशि · Earnest money deposit');
    await expect(explanation.locator('[lang="en"]')).toHaveText('Earnest money deposit');
    await expectHindi(page);
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await expect(explanation).toHaveCount(0);
    await expect(word).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'टेंडर के सब शब्द' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/hi/help#emd');
    await expect(page.locator('#emd')).toBeFocused();
    await expectHindi(page);
  });

  test('the tour can be read by everyone', { tag: '@release' }, async ({ page }) => {
    await page.goto('/hi/help#tour');
    await expect(tour(page, 'तीन कार्ड में Nivida').getByRole('heading', { level: 3 })).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });
});
