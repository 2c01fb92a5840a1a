import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { signInWithBids, signInWithEndedBids } from '../support/bids.ts';
import { cards, openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

test('every screen of the bid desk is accessible on a phone, in light and dark', async ({ page, request }) => {
  test.slow();
  const { first, preparing, own } = await signInWithBids(page, request);
  const screens: [address: string, text: string, open?: string][] = [
    ['/dashboard/applications', 'My Applications', 'Add a bid by hand'],
    [preparing('overview'), 'Office', 'Move to'],
    [preparing('documents'), 'Own document 6'],
    [preparing('money'), 'Cash this bid locks', 'Change'],
    [preparing('result'), 'Save the result'],
    [preparing('notes'), 'Bid ID of the portal'],
    [own('history'), 'No dates yet.'],
    [own('documents'), 'Tender fee proof'],
    ['/dashboard/analytics', 'Money that is locked', 'Letter'],
    ['/dashboard/documents', 'PAN card', 'Add a document'],
    [`/tenders/${first?._id}#checklist`, 'Own document 6'],
  ];
  for (const [address, text, open] of screens)
    await test.step(address, async () => {
      await page.goto('about:blank');
      await page.goto(address);
      await expect(page.getByText(text, { exact: true }).filter({ visible: true }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      // When a page is higher than the screen, sticky bars cover controls until the page is scrolled.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: 360, height });
      await expectAccessibleInBothThemes(page);
      await page.setViewportSize({ width: 360, height: 640 });
      if (!open) return;
      await page.getByRole('button', { name: open }).first().tap();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessibleInBothThemes(page, 'dialog');
    });
});

/** A screen: its address, a text of it, the name of a button, and what that button opens. */
type EndScreen = [address: string, text: string, button?: string];

async function expectEndScreens(page: Page, screens: readonly EndScreen[], width: number): Promise<void> {
  for (const [address, text, button] of screens)
    await test.step(address, async () => {
      await page.goto('about:blank');
      await page.goto(address);
      await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const { height: screenHeight } = page.viewportSize() ?? { height: 640 };
      // When a page is higher than the screen, sticky bars cover controls until the page is scrolled.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height });
      await expectAccessibleInBothThemes(page);
      await page.setViewportSize({ width, height: screenHeight });
      if (!button) return;
      await page.getByRole('button', { name: button }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessibleInBothThemes(page, 'dialog');
    });
}

const endScreens = (bids: Awaited<ReturnType<typeof signInWithEndedBids>>): EndScreen[] => [
  ['/dashboard/applications', 'The bank guarantee of your'],
  [bids.won('money'), 'of ₹5,00,000.33', 'Performance security: a part came back'],
  [bids.won('money'), 'of ₹5,00,000.33', 'Performance security: renewed'],
  [bids.won('money'), 'of ₹5,00,000.33', 'Continue as retention money'],
  [bids.won('letters'), 'Letters with the facts of this bid.', 'Clarification'],
  [bids.rejected('letters'), 'Kept letters', 'RTI application'],
  [bids.rejected('letters'), 'Kept letters', 'Ask for the EMD back'],
  ['/dashboard/analytics', '₹4,00,000.32'],
];

test('letters, guarantees and their notes are accessible on a phone, in light and dark, in English and Hindi', async ({
  page,
  request,
}) => {
  test.slow();
  const bids = await signInWithEndedBids(page, request);
  await expectEndScreens(page, endScreens(bids), 360);
  await expectEndScreens(
    page,
    [
      ['/hi/dashboard/applications', 'बैंक गारंटी'],
      [`/hi${bids.won('money')}`, '₹5,00,000.33 में से', 'परफ़ॉर्मेंस सिक्योरिटी: कुछ राशि वापस आई'],
      [`/hi${bids.rejected('letters')}`, 'रखे हुए पत्र', 'RTI आवेदन'],
    ],
    360,
  );
});

test('partners of a joint bid are accessible on a phone, in light and dark', async ({ page, request }) => {
  test.slow();
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  for (const language of ['', '/hi']) {
    await page.goto('about:blank');
    await page.goto(`${language}/tenders/${tender?._id}#checklist`);
    const isHindi = language !== '';
    await page.getByText(isHindi ? 'साझेदारों के साथ बोली' : 'Bid together with partners').tap();
    if (!isHindi) {
      await page.getByRole('button', { name: 'Add partner' }).tap();
      await expectAccessibleInBothThemes(page, 'dialog');
      await page.getByLabel('Name of the firm').fill('Asha & Co');
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).tap();
      const chosen = page.getByRole('checkbox', { name: 'Bid with Asha & Co' });
      await chosen.tap();
      await expect(chosen).toBeChecked();
      await page.getByLabel('Rule for joint bids in the NIT').selectOption({ index: 2 });
    }
    await expect(page.locator('[aria-labelledby="together"]')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    // When a page is higher than the screen, sticky bars cover controls until the page is scrolled.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: 360, height });
    await expectAccessibleInBothThemes(page, '[aria-labelledby="may-i-bid"]');
    await page.setViewportSize({ width: 360, height: 640 });
  }
});

test('a card with the mark of the user’s bid is as high as the others', async ({ page, request }) => {
  await signInWithBids(page, request);
  await page.goto('/tenders/results?state=Himachal+Pradesh');
  const marked = cards(page).filter({ has: page.getByText('Preparing', { exact: true }) });
  await expect(marked).toHaveCount(1);
  await expect.poll(async () => Math.abs(((await marked.boundingBox())?.height ?? 0) - 104)).toBeLessThanOrEqual(2);
});

test('a bid with twelve documents and a deposit is printed on one page', async ({ page, request }) => {
  const { preparing } = await signInWithBids(page, request);
  await page.goto(preparing('documents'));
  await expect(page.getByText('Own document 6', { exact: true })).toBeVisible();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false });

  test('the board, a bid and the money are accessible in light and dark, and the keyboard moves a card', async ({
    page,
    request,
  }) => {
    test.slow();
    const { preparing, first } = await signInWithBids(page, request);
    await expectAccessibleInBothThemes(page);
    await test.step('by the keyboard', async () => {
      const column = (name: RegExp) => page.getByRole('region', { name });
      const menu = page.getByRole('button', { name: `Move to another stage: ${first?.title}` });
      await expect(column(/^Preparing/).getByRole('article')).toHaveCount(2);
      await menu.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Opened खुली' }).focus();
      await page.keyboard.press('Enter');
      await expect(column(/^Opened/).getByRole('link', { name: first?.title ?? '' })).toBeVisible();
      await expect(column(/^Preparing/).getByRole('article')).toHaveCount(1);
      await expect(menu).toBeFocused();
    });
    const screens = [
      [preparing('documents'), 'Own document 6'],
      [preparing('money'), 'Cash this bid locks'],
      ['/dashboard/analytics', 'Money that is locked'],
      ['/dashboard/documents', 'PAN card'],
    ] as const;
    for (const [address, text] of screens) {
      await page.goto('about:blank');
      await page.goto(address);
      await expect(page.getByText(text, { exact: true }).filter({ visible: true }).first()).toBeVisible();
      await expectAccessibleInBothThemes(page);
    }
  });

  test('letters and guarantees are accessible in light and dark', async ({ page, request }) => {
    test.slow();
    const bids = await signInWithEndedBids(page, request);
    await expectEndScreens(page, endScreens(bids).slice(1), 1280);
  });
});
