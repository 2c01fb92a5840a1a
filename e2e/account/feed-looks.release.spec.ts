/** The dialogs of feeds, and the keys in the settings, in four looks and both languages. */
import { expectHindi } from '../languages/hindi.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { noteSecrets } from '../support/secrets.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { expect, test } from '../support/test.ts';
import { RESULTS } from '../tenders/searches.ts';

test.use({ isMobile: false });

for (const language of ['en', 'hi'] as const)
  test(`dialogs of feeds and keys, in ${language}`, async ({ page }) => {
    test.setTimeout(600_000);
    const prefix = language === 'hi' ? '/hi' : '';
    const dialog = page.getByRole('dialog');
    const looks = async (name: string) => {
      await expect(dialog.locator('[aria-busy="true"]')).toHaveCount(0);
      if (language === 'hi') await expectHindi(page);
      await expectFourLooks(page, `${name}-${language}`);
    };
    await page.goto('/');
    await storeSession(page, await makeSession());
    await page.goto(`${prefix}${RESULTS}&q=road`);
    await page.locator('main button[aria-haspopup="dialog"]', { hasText: 'CSV' }).tap();
    await expect(dialog.locator('code')).toHaveCount(3);
    await looks('feeds-list');
    await page.keyboard.press('Escape');
    await page.locator('main button[aria-pressed="false"]').first().tap();
    await page.goto(`${prefix}/tenders`);
    await page.locator('main li button[aria-haspopup="dialog"]').first().tap();
    await expect(dialog.locator('button').last()).toBeEnabled();
    await looks('feeds-search');
    await dialog.locator('button').last().tap();
    await expect(dialog.locator('code')).toHaveCount(3);
    noteSecrets((await dialog.locator('code').first().innerText()).replace(/^.*\/|\.atom$/g, ''));
    await looks('feeds-search-made');
    await page.goto(`${prefix}/dashboard/settings`);
    const keys = page.locator('section[aria-labelledby="api-keys"]');
    await keys.locator('button').last().tap();
    await dialog.getByRole('textbox').fill('Price lists of the office in Shimla');
    await looks('keys-make');
    await dialog.locator('button[type="submit"]').tap();
    await expect(dialog.locator('code')).toHaveCount(2);
    noteSecrets(await dialog.locator('code').first().innerText());
    await looks('keys-made');
    await dialog.locator('button').first().tap();
    await looks('keys');
    await keys.getByRole('listitem').getByRole('button').tap();
    await looks('keys-revoke');
  });
