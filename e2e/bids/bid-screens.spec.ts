import { signInWithBids } from '../support/bids.ts';
import { withEachFont } from '../support/browser/each-font.ts';
import { holdRecords, rowsOf } from '../support/device-rows.ts';
import { expect, test } from '../support/test.ts';

/** Runs in each page from the start. Records the layout shifts of its parts. */
function recordShift(): void {
  const shifts: unknown[] = Object.assign(window, { shifts: [] }).shifts;
  const record = (entry: PerformanceEntry & { sources?: { node: Node | null }[] }) =>
    shifts.push({ ...entry.toJSON(), texts: entry.sources?.map(({ node }) => node?.textContent?.slice(0, 80)) });
  new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({
    type: 'layout-shift',
    buffered: true,
  });
}

test('overdue money is among the notices and on the dashboard, which does not move, beside documents that expire', async ({
  page,
  request,
}) => {
  await signInWithBids(page, request);
  await page.addInitScript(recordShift);
  const expectMoneyAndDocument = async (address: string) => {
    await page.goto(address);
    await expect(page.getByText('₹25,000 is overdue.')).toBeVisible();
    await expect(page.getByText(/Class C: Expires in \d days/)).toBeVisible();
  };
  await expectMoneyAndDocument('/dashboard');
  // The state is saved meanwhile. Its tenders that close soon are shown above the rest on the next visit.
  await expect(page.getByText(/ on this phone$/)).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
  await expectMoneyAndDocument('/notices');
  await page.getByRole('link', { name: 'Ask for it with a ready letter' }).tap();
  await expect(page.getByRole('heading', { name: 'Money that is locked' })).toBeVisible();
});

test('a reminder of a bid is on the dashboard and among the notices from its time on, until it is done', async ({
  page,
  request,
}) => {
  const { own, ownTitle } = await signInWithBids(page, request);
  const save = async (time: string) => {
    await page.goto(own('notes'));
    await page.getByLabel('Remind me').fill(time);
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  };
  const reminder = page.getByText(/^Your reminder of 5 Jan 2026, 10:00 AM/);
  await save('2099-01-05T10:00');
  await expect(page.getByText(/^Your reminder of/)).toHaveCount(0);
  await save('2026-01-05T10:00');
  await expect(reminder).toBeVisible();
  for (const address of ['/dashboard', '/notices']) {
    await page.goto(address);
    await expect(reminder.getByRole('link', { name: ownTitle })).toBeVisible();
  }
  await page.getByRole('button', { name: `Done with the reminder of ${ownTitle}` }).tap();
  await expect(reminder).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).tap();
  await expect(reminder).toBeVisible();
});

test('an own entry has a checklist with its own marks', { tag: '@release' }, async ({ page, request }) => {
  const { own, ownTitle } = await signInWithBids(page, request);
  await page.goto(own('documents'));
  await expect(page.getByText(/^Own entry · closes /)).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Tender fee proof' });
  await expect(row.getByRole('checkbox')).toBeVisible();
  await page.evaluate(holdRecords);
  await row.getByRole('checkbox').tap();
  const done = page.getByText('1 done', { exact: true });
  await expect(done).toBeVisible();
  await expect(row).toHaveCount(0);
  // The page is left before the mark is in the database.
  await page.reload();
  await done.tap();
  await expect(row.getByText('✓ Ready')).toBeVisible();
  const storedKinds = async () => (await rowsOf<{ kind: string }>(page, 'records')).map(({ kind }) => kind);
  await expect.poll(storedKinds).toContain('check');

  await test.step('and its closing can be changed', async () => {
    await page.goto(own('overview'));
    await page.getByRole('button', { name: 'Change name, office or closing' }).tap();
    await page.getByLabel('Closes, Indian time').fill('2030-01-05T11:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).tap();
    await expect(page.getByText('5 Jan 2030, 11:00 AM')).toBeVisible();
  });

  await test.step('its card says how many documents are left', async () => {
    await page.getByRole('link', { name: 'All my applications' }).tap();
    const card = page.getByRole('article').filter({ hasText: ownTitle });
    await expect(card.getByText(/^1 of \d+ documents missing/)).toBeVisible();
  });
});

test(
  'on a phone the parts of a bid, its closing and its documents are in view and inside the screen, in each font',
  { tag: '@release' },
  async ({ baseURL, request }, testInfo) => {
    await withEachFont(testInfo, baseURL, async (phone, font) => {
      const { submitted } = await signInWithBids(phone, request);
      await phone.goto('/dashboard/applications');
      const cards = phone.getByRole('article');
      await expect(cards.first()).toBeVisible();
      for (const closing of await cards.locator('time').all()) {
        const box = await closing.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), font).toBeLessThanOrEqual(360);
      }
      expect(await phone.evaluate(() => document.documentElement.scrollWidth), font).toBe(360);
      await expect(phone.getByRole('button', { name: 'Dashboard pages' })).toBeVisible();

      await phone.goto(submitted('history'));
      const tabs = phone.getByRole('tab');
      await expect(tabs).toHaveCount(6);
      await expect(phone.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true');
      for (const tab of await tabs.all()) {
        await expect(tab, font).toBeInViewport({ ratio: 1 });
        const { x = -1, width = 0 } = (await tab.boundingBox()) ?? {};
        expect(x, font).toBeGreaterThanOrEqual(0);
        expect(x + width, font).toBeLessThanOrEqual(360);
      }
    });
  },
);
