/** Tests of one account on two phones, and of two accounts on one phone. */
import type { Page } from '@playwright/test';
import { tapMenuButton } from '../support/account-dialogs.ts';
import { signInWithBids } from '../support/bids.ts';
import { rowsOf } from '../support/device-rows.ts';
import { TestPhone, phoneTest as test } from '../support/phone.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

interface StoredRecord {
  owner: string;
  kind: string;
  id: string;
  fields: Record<string, unknown>;
  stamps: Record<string, string>;
  deleted?: string;
}

/** The records of a device or of the server in a fixed order, with only the fields that are merged. */
const merged = (records: readonly StoredRecord[]) =>
  records
    .map(({ kind, id, fields, stamps, deleted = null }) => ({ kind, id, fields, stamps, deleted }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

const unsent = async (page: Page): Promise<number> =>
  (await rowsOf<{ kind: string }>(page, 'outbox')).filter(({ kind }) => kind === 'record').length;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

async function saveNote(page: Page, bid: string, note: string): Promise<void> {
  await page.goto(`${bid}#notes`);
  await page.getByLabel('Note', { exact: true }).fill(note);
  await button(page, 'Save').tap();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
}

test('two phones of one account change the same bid without a network; with a connection both and the server are equal', async ({
  phone: first,
  baseURL,
  request,
}, testInfo) => {
  test.slow();
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  const session = await makeSession();
  const second = await TestPhone.start(testInfo.outputPath('second'), baseURL ?? '');
  for (const { page } of [first, second]) {
    await page.goto('/');
    await storeSession(page, session);
  }
  await first.visit(`/tenders/${tender?._id}#checklist`);
  await button(first.page, 'Prepare bid').tap();
  await expect(first.page).toHaveURL(/\/dashboard\/applications\/[\w-]+$/);
  const bid = new URL(first.page.url()).pathname;
  await expect.poll(() => unsent(first.page)).toBe(0);
  await second.visit(bid);
  await expect(button(second.page, 'Move to')).toBeVisible();
  for (const phone of [first, second]) {
    // Opening it stores the checklist's code on the device.
    await phone.visit(`${bid}#documents`);
    await expect(phone.page.getByRole('heading', { name: 'On every bid' })).toBeVisible();
    await phone.setOffline(true);
  }

  await test.step('the first submits, enters the EMD and a note', async () => {
    const { page } = first;
    await page.goto(`${bid}#overview`);
    await button(page, 'Move to').tap();
    await button(page, 'Submitted जमा').tap();
    await page.getByRole('tab', { name: 'Money' }).tap();
    await button(page, 'Add EMD').tap();
    await page.getByLabel('Paid by').selectOption('FDR (fixed deposit)');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).tap();
    await expect(page.getByRole('dialog')).toBeHidden();
    await saveNote(page, bid, 'from the first phone');
  });
  await test.step('the second ticks a row and writes another note later', async () => {
    const { page } = second;
    await page.goto(`${bid}#documents`);
    const row = page.getByRole('checkbox', { name: /^I read the list inside/, includeHidden: true });
    await row.tap();
    await expect(row).toBeChecked();
    await saveNote(page, bid, 'from the second phone');
  });

  for (const phone of [second, first]) {
    await phone.setOffline(false);
    await phone.page.goto('/dashboard/applications');
    await expect.poll(() => unsent(phone.page)).toBe(0);
  }
  const answer = await request.get('/api/bids/changes', { headers: { authorization: `Bearer ${session.token}` } });
  const onServer = merged(((await answer.json()) as { records: StoredRecord[] }).records);
  for (const { page } of [first, second]) {
    await page.goto('/dashboard/applications');
    await expect.poll(async () => merged(await rowsOf<StoredRecord>(page, 'records'))).toEqual(onServer);
  }
  expect(onServer.map(({ kind }) => kind).sort()).toEqual(['bid', 'check', 'deposit']);
  expect(onServer.find(({ kind }) => kind === 'bid')?.fields).toMatchObject({
    stage: 'submitted',
    note: 'from the second phone',
  });
  await first.page.goto(`${bid}#notes`);
  await expect(first.page.getByLabel('Note', { exact: true })).toHaveValue('from the second phone');
  await second.close();
});

test('on a shared phone a second user sees nothing of the first one, who finds everything again', async ({
  phone,
  request,
}) => {
  test.slow();
  const { page } = phone;
  const { first, preparing } = await signInWithBids(page, request);
  const asha = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}') as { _id: string });
  const session = await page.evaluate(() => ({
    token: localStorage.getItem('token') ?? '',
    user: JSON.parse(localStorage.getItem('user') ?? '{}'),
  }));
  await page.goto(preparing('documents'));
  await expect(page.getByText('Own document 6', { exact: true })).toBeVisible();
  await page.goto('/dashboard/analytics');
  await expect(page.getByText('₹50,000').first()).toBeVisible();

  await test.step('signed out without a network, so that the session can return', async () => {
    await page.evaluate(() => {
      localStorage.removeItem('token');
      localStorage.removeItem('user');
    });
  });
  await storeSession(page, await makeSession());
  const addresses: [string, string | RegExp][] = [
    ['/dashboard/applications', 'No bids yet'],
    ['/dashboard/documents', 'No documents yet.'],
    ['/dashboard/analytics', "No office holds your money. Enter an EMD on a bid's page."],
    [preparing('overview'), /bid/],
  ];
  for (const [address, text] of addresses)
    await test.step(address, async () => {
      await page.goto('about:blank');
      await page.goto(address);
      await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
      await expect(page.getByText(/Own document|Boundary wall|FDR-101|ABCDE1234F|Class C|₹25,000/)).toHaveCount(0);
    });
  await page.goto(`/tenders/${first?._id}#checklist`);
  await expect(button(page, 'Prepare bid')).toBeVisible();
  await expect(page.getByText('Own document 6')).toHaveCount(0);
  const owners = async () => (await rowsOf<StoredRecord>(page, 'records')).map(({ owner }) => owner);
  await expect.poll(owners).not.toContain(asha._id);

  await storeSession(page, session);
  await page.goto('/dashboard/applications');
  await expect(page.getByRole('status').filter({ hasText: '3 bids' })).toBeVisible();
  await tapMenuButton(page, 'Logout');
  await expect.poll(owners).toEqual([]);
});
