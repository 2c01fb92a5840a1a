/** Every screen of the desk in four looks and both languages, with its first row open. */
import { foundFirm, giveFirmPlan, sendInvitation } from '../bids/firms.ts';
import { expectHindi } from '../languages/hindi.ts';
import { fact, officialFile, rupees } from '../readings/test-readings.ts';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { makeSession, withServerDatabase } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { expectNoSideways, makeMember, openDesk, serverCommand, showOnPhone, deskTest as test } from './desk.ts';

const PATHS = [
  ...['', '/messages', '/orders', '/documents', '/data', '/data/feeds', '/data/keys', '/data/portals'],
  ...['/notices', '/tenders', '/people', '/firms', '/audit', '/staff'],
].map((path) => `/desk${path}`);
const LAPTOP = { width: 1280, height: 800 };

for (const language of ['en', 'hi'] as const)
  test(`in ${language}`, async ({ page }) => {
    test.setTimeout(900_000);
    const member = await makeMember('owner');
    await serverCommand('users', 'unlock', member.user._id, '--reason', 'asked by phone');
    await openDesk(page, member, '/desk');
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    for (const path of PATHS)
      await test.step(path, async () => {
        await page.setViewportSize(LAPTOP);
        await page.goto(language === 'hi' ? `/hi${path}` : path);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        const rows = page.locator('a[data-row]');
        if ((await rows.count()) > 0) {
          await rows.first().click();
          await expect(page.locator('[data-detail]')).toBeVisible();
          await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        }
        if (language === 'hi') await expectHindi(page);
        for (const look of ['laptop', 'phone'] as const) {
          if (look === 'phone') await showOnPhone(page);
          await expectNoSideways(page);
          await expectAccessibleInBothThemes(page);
        }
      });
  });

/** A line as the desk has it. */
const line = (topic: string, page: number, quote: string, fields: object = {}) => ({
  ...{ foundValue: null, decidedAt: null },
  ...fact(topic, page, quote),
  ...fields,
});
const LINES = [
  line('emd', 2, 'Earnest money: Rs. 45,000 (Rupees forty-five thousand only) by demand draft', rupees('45000.00')),
  line('originals', 43, 'The original demand draft must reach the office by hand before 11:00 AM', {
    state: 'confirmed',
  }),
  line('period', 1, 'Time of completion: 9 months', { state: 'corrected', value: { unit: 'months', amount: 9 } }),
  line('priceVariation', 31, 'No price escalation is payable in any case', { state: 'hidden' }),
];

for (const language of ['en', 'hi'] as const)
  test(`the lines of a tender and the keys of a user, in ${language}`, async ({ page, request }) => {
    test.setTimeout(600_000);
    const prefix = language === 'hi' ? '/hi' : '';
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    const member = await makeMember('operator');
    await withServerDatabase((client) =>
      client.query(
        `INSERT INTO api_key (id, user_id, name, hint, key_sha256, created_at)
         VALUES (gen_random_uuid(), $1, 'Price lists', 'nva_abcd', gen_random_uuid()::text, now())`,
        [member.user._id],
      ),
    );
    const files = [officialFile(), officialFile({ id: '3', name: 'Drawings.pdf', state: 'pictures' })];
    await page.route('**/api/desk/documents/*/lines', (route) =>
      route.fulfill({ json: { id: Number(tender?._id), files, lines: LINES } }),
    );
    const looks = async (name: string) => {
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      if (language === 'hi') await expectHindi(page);
      await expectFourLooks(page, `${name}-${language}`);
    };
    await openDesk(page, member, `${prefix}/desk/documents/${tender?._id}`);
    await expect(page.locator('blockquote')).toHaveCount(4);
    await looks('desk-lines');
    await page.locator('li:has(> blockquote)').nth(2).getByRole('button').nth(1).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await looks('desk-correct-line');
    const firm = await foundFirm(page.request, member, [await makeSession()], 'Negi Roads');
    await giveFirmPlan(firm);
    await sendInvitation(page.request, member, firm, 'kiran@builders.example');
    await page.goto(`${prefix}/desk/firms/${firm}`);
    await expect(page.locator('[data-detail] h2')).toBeVisible();
    await looks('desk-firm');
    await page.goto(`${prefix}/desk/people/${member.user._id}`);
    await expect(page.locator('[data-detail] h2')).toBeVisible();
    await looks('desk-person');
  });
