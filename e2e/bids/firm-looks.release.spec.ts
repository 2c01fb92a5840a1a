/** The screens of firms in four looks and both languages. */
import type { Page } from '@playwright/test';
import { expectHindi } from '../languages/hindi.ts';
import { sendFirmBid } from '../support/bids.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { makeSession, type StoredSession, storeSession, withServerDatabase } from '../support/session.ts';
import { expect, test } from '../support/test.ts';
import { foundFirm, giveFirmPlan, nameAccount, sendInvitation } from './firms.ts';

test.use({
  isMobile: false,
  // The calls of a member whose firm is closed.
  expectedErrors: /status of 403/,
});

const FIRM = 'Verma Builders and Sons';

async function makeMember(name: string): Promise<StoredSession> {
  const session = await makeSession();
  await nameAccount(session, name);
  return session;
}

async function openAs(page: Page, session: StoredSession, address: string): Promise<void> {
  await page.goto('/');
  await page.evaluate(() => localStorage.clear());
  await storeSession(page, session);
  await page.goto(address);
}

for (const language of ['en', 'hi'] as const)
  test(`firms, in ${language}`, async ({ page, request }) => {
    test.setTimeout(900_000);
    const prefix = language === 'hi' ? '/hi' : '';
    const firms = `${prefix}/dashboard/firms`;
    const panel = page.locator('section[aria-labelledby^="firm-"]');
    const dialog = page.getByRole('dialog');
    const looks = async (name: string) => {
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      if (language === 'hi') await expectHindi(page);
      await expectFourLooks(page, `firms-${name}-${language}`);
    };
    const asha = await makeMember('Asha Verma');
    const ravi = await makeMember('Ravi Negi');
    const meena = await makeMember('Meenakshi Thakur-Chauhan');

    await openAs(page, asha, firms);
    await expect(page.locator('main button[aria-haspopup="dialog"]')).toBeVisible();
    await looks('none');
    await page.locator('main button[aria-haspopup="dialog"]').tap();
    await expect(dialog).toBeVisible();
    await looks('new');
    await page.keyboard.press('Escape');

    const alone = await foundFirm(request, asha, [], FIRM);
    await giveFirmPlan(alone);
    await page.goto(firms);
    await expect(panel).toHaveCount(1);
    await looks('alone');

    const team = await foundFirm(request, asha, [ravi, meena], 'Negi Roads');
    await sendInvitation(request, asha, team, 'kiran.of.the.long.address@builders.example');
    await page.goto(firms);
    await expect(panel).toHaveCount(2);
    await panel
      .last()
      .locator('button', { hasText: /Work in this firm|इस फ़र्म/ })
      .tap();
    await looks('team');
    await test.step('the offer', async () => {
      await page.route('**/plan-offer', (route) =>
        route.fulfill({
          json: {
            ...{ pricePaise: 2_999_900, totalPaise: 2_402_700 },
            credits: [{ planId: 'premium', unusedDays: 200, paise: 597_200 }],
            invoice: { firm: 'Negi Roads', address: '2 The Mall, Shimla 171001', gstin: '02AAACB1234C1ZR' },
          },
        }),
      );
      await panel.last().locator('button[aria-haspopup="dialog"][data-look="main"]').tap();
      await expect(dialog.locator('table')).toBeVisible();
      await looks('offer');
      await page.keyboard.press('Escape');
    });
    await panel.last().locator('li').nth(1).locator('button').tap();
    await expect(dialog).toBeVisible();
    await looks('remove');
    await page.keyboard.press('Escape');

    await giveFirmPlan(team);
    const bid = await sendFirmBid(request, asha.token, team);
    for (const [name, address] of [
      ['switch-bids', '/dashboard/applications'],
      ['switch-documents', '/dashboard/documents'],
      ['switch-figures', '/dashboard/analytics'],
      ['switch-rates', '/dashboard/rates'],
      ['bid', bid],
      ['checklist', `${bid}#documents`],
      ['comments', `${bid}#comments`],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(prefix + address);
      await expect(page.locator('main h1')).toBeVisible();
      if (name.startsWith('switch')) await expect(page.locator('main select').first()).toHaveValue(team);
      await looks(name);
    }

    await withServerDatabase((client) =>
      client.query(
        `UPDATE entitlement SET starts_at = now() - interval '2 year', ends_at = now() - interval '1 day' WHERE firm_id = $1`,
        [team],
      ),
    );
    await page.goto(firms);
    await expect(panel.last().locator('button[data-look="main"]')).toHaveCount(1);
    await looks('expired');
    await page.goto(`${prefix}/dashboard/applications`);
    await expect(page.locator('main select').first()).toHaveValue(team);
    await looks('switch-expired');

    await openAs(page, ravi, firms);
    await expect(panel).toHaveCount(1);
    await looks('member');
    await panel.locator('button').last().tap();
    await page.goto(`${prefix}/dashboard/applications`);
    await expect(page.locator('main h1')).toBeVisible();
    await withServerDatabase((client) =>
      client.query('UPDATE firm_member SET left_at = now() WHERE firm_id = $1 AND user_id = $2', [team, ravi.user._id]),
    );
    await page.goto(firms);
    await expect(page.locator('main').getByText('Negi Roads')).toBeVisible();
    await looks('lost');
  });
