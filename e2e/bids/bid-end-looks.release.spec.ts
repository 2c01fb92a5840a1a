/** Letters, securities and partners of joint bids in four looks and both languages. */
import { expectHindi } from '../languages/hindi.ts';
import { signInWithEndedBids } from '../support/bids.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

test.use({ isMobile: false });

for (const language of ['en', 'hi'] as const) {
  const prefix = language === 'hi' ? '/hi' : '';

  test(`letters and securities, in ${language}`, async ({ page, request }) => {
    test.setTimeout(900_000);
    const bids = await signInWithEndedBids(page, request);
    const dialog = page.getByRole('dialog');
    const buttons = page.locator('main [role="tabpanel"] button[aria-haspopup="dialog"]');
    const looks = async (name: string) => {
      if (language === 'hi') await expectHindi(page);
      await expectFourLooks(page, `${name}-${language}`);
    };
    const open = async (address: string) => {
      await page.goto('about:blank');
      await page.goto(`${prefix}${address}`);
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    };
    const dialogLooks = async (address: string, name: string) => {
      await open(address);
      await expect(buttons.first()).toBeVisible();
      const count = await buttons.count();
      await looks(name);
      for (let at = 0; at < count; at++) {
        await buttons.nth(at).click();
        await expect(dialog.locator('button').last()).toBeVisible();
        await looks(`${name}-dialog-${at + 1}`);
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      }
    };
    await dialogLooks(bids.won('money'), 'securities');
    await dialogLooks(bids.rejected('letters'), 'letters');
    await open(bids.rejected('history'));
    await expect(page.locator('main [role="tabpanel"] time').first()).toBeVisible();
    await looks('letters-history');
    await open('/dashboard/analytics');
    await expect(page.locator('#ledger')).toBeVisible();
    await looks('ledger');
  });

  test(`partners of a joint bid, in ${language}`, async ({ page, request }) => {
    test.setTimeout(600_000);
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    const together = page.locator('details').filter({
      hasText: language === 'hi' ? 'साझेदारों के साथ बोली' : 'Bid together with partners',
    });
    const looks = async (name: string) => {
      if (language === 'hi') await expectHindi(page);
      await expectFourLooks(page, `${name}-${language}`);
    };
    await page.goto(`${prefix}/tenders/${tender?._id}#checklist`);
    await together.locator('summary').click();
    const add = together.locator('button[aria-haspopup="dialog"]');
    await expect(add).toBeVisible();
    await looks('partners-none');
    await add.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('Asha & Co');
    await looks('partners-dialog');
    await dialog.locator('button[type="submit"]').click();
    await expect(dialog).toHaveCount(0);
    await together.getByRole('checkbox').first().click();
    await expect(together.getByRole('checkbox').first()).toBeChecked();
    await expect(page.locator('[aria-labelledby="together"]')).toBeVisible();
    await looks('partners');
  });
}
