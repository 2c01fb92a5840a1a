/** Every screen of the desk in four looks and both languages, with its first row open. */
import { expectHindi } from '../languages/hindi.ts';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { expect } from '../support/test.ts';
import { expectNoSideways, makeMember, openDesk, serverCommand, showOnPhone, deskTest as test } from './desk.ts';

const PATHS = [
  ...['', '/messages', '/orders', '/documents', '/data', '/data/feeds', '/data/keys', '/data/portals'],
  ...['/notices', '/tenders', '/people', '/audit', '/staff'],
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
