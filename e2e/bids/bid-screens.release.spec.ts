import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { signInWithBids } from '../support/bids.ts';
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
      // Sticky bars cover controls of a page that is higher than the screen; scrolling uncovers them.
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
