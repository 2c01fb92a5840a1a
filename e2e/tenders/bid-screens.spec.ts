import { randomUUID } from 'node:crypto';
import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { rowsOf } from '../support/device-rows.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { cards, openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

const DAY_MS = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Signs the page in as a new user with bids, deposits, documents and an enlistment on the server. */
async function signInWithBids(page: Page, request: APIRequestContext) {
  const session = await makeSession();
  const tenders = await openTenders(request, 'Himachal Pradesh');
  const stamp = `${String(Date.now()).padStart(13, '0')}-0000-aaaaaaaaaaaaaaaa`;
  const record = (kind: string, fields: Record<string, unknown>, id: string = randomUUID()) => {
    const stamps = Object.fromEntries(Object.keys(fields).map((name) => [name, stamp]));
    return { kind, id, fields, stamps };
  };
  const [preparing, submitted, own] = [randomUUID(), randomUUID(), randomUUID()];
  const [first, second] = tenders;
  const emd = { kind: 'emd', amountPaise: 2_500_000, mode: 'fdr', number: 'FDR-101', bank: 'SBI Shimla' };
  const records = [
    record('bid', { tenderId: first?._id, title: first?.title, stage: 'preparing' }, preparing),
    record('bid', { tenderId: second?._id, title: second?.title, stage: 'submitted' }, submitted),
    record('bid', { title: 'Boundary wall of a school', closingAt: `${day(5)}T06:00:00.000Z` }, own),
    record('deposit', { ...emd, bidId: preparing, state: 'locked', dueOn: day(40) }),
    record('deposit', { ...emd, bidId: submitted, state: 'due_back', dueOn: day(-9), validUntil: day(12) }),
    record('bidDocument', { kind: 'pan', number: 'ABCDE1234F' }),
    record('bidDocument', { kind: 'enlistment', title: 'Class C', validUntil: day(6) }),
    ...Array.from({ length: 6 }, (_, index) =>
      record('check', { tenderId: first?._id, kind: `own:${randomUUID()}`, text: `Own document ${index + 1}` }),
    ),
  ];
  const headers = { authorization: `Bearer ${session.token}` };
  const answer = await request.post('/api/bids/changes', { headers, data: { records } });
  const { results } = (await answer.json()) as { results: { result: string }[] };
  expect(results.filter(({ result }) => result !== 'accepted')).toEqual([]);
  await page.goto('/');
  await storeSession(page, session);
  await page.goto('/dashboard/applications');
  await expect(page.getByRole('status').filter({ hasText: '3 bids' })).toBeVisible();
  const bid = (id: string, part: string) => `/dashboard/applications/${id}#${part}`;
  return {
    first,
    preparing: bid.bind(null, preparing),
    submitted: bid.bind(null, submitted),
    own: bid.bind(null, own),
  };
}

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
    [own('history'), 'Nothing is dated yet.'],
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

test('overdue money is among the notices and on the dashboard, beside documents that expire', async ({
  page,
  request,
}) => {
  await signInWithBids(page, request);
  for (const address of ['/dashboard', '/notices']) {
    await page.goto(address);
    await expect(page.getByText('₹25,000 is overdue.')).toBeVisible();
    await expect(page.getByText(/Class C: Expires in \d days/)).toBeVisible();
  }
  await page.getByRole('link', { name: 'Ask for it with a ready letter' }).tap();
  await expect(page.getByRole('heading', { name: 'Money that is locked' })).toBeVisible();
});

test('an own entry has a checklist with its own marks', async ({ page, request }) => {
  const { own } = await signInWithBids(page, request);
  await page.goto(own('documents'));
  await expect(page.getByText(/^Own entry · closes /)).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Tender fee proof' });
  await row.getByRole('checkbox').tap();
  await expect(row.getByText('✓ Ready')).toBeVisible();
  const storedKinds = async () => (await rowsOf<{ kind: string }>(page, 'records')).map(({ kind }) => kind);
  await expect.poll(storedKinds).toContain('check');
  await page.reload();
  await expect(row.getByText('✓ Ready')).toBeVisible();
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
});
