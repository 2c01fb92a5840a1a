/** `/desk/people` and `/desk/audit`: each act on an account, an erasure by two members, and the log of all of it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { mailText } from '../support/mailbox.ts';
import { makeSession, type StoredSession, withServerDatabase } from '../support/session.ts';
import { expect } from '../support/test.ts';
import {
  act,
  auditRows,
  confirmAct,
  expectNoSideways,
  makeMember,
  openDesk,
  showOnPhone,
  deskTest as test,
} from './desk.ts';

// Chromium logs every response with a status of 400 or more.
test.use({ expectedErrors: /^Failed to load resource: the server responded with a status of (403|409) / });

const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const actionsOf = async (id: string) => (await auditRows(id)).map(({ action }) => action);

/** A new account with a name of its own, whose number was locked by wrong passwords. */
async function makeAccount(): Promise<StoredSession & { name: string }> {
  const session = await makeSession();
  const name = `Gurpreet ${randomUUID().slice(0, 8)}`;
  await withServerDatabase(async (client) => {
    await client.query('UPDATE account SET username = $2 WHERE id = $1', [session.user._id, name]);
    await client.query(
      `INSERT INTO sign_in_failure
       VALUES (encode(sha256($1), 'hex'), '', 5, now(), 5, now(), 5, now(), now() + interval '15 minutes')`,
      [session.user.mobileNo],
    );
  });
  return { ...session, name };
}

test('an account is found, opened, unlocked, signed out, exported and given a plan, by keys too, and each act is written down', async ({
  page,
}) => {
  const { user, name } = await makeAccount();
  const member = await makeMember('operator');
  await openDesk(page, member, '/desk/people');
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(name.toLowerCase());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(details(page).getByRole('heading', { name })).toBeVisible();
  await expect(page.locator('body')).not.toContainText(user.email);
  await expect(page.locator('body')).not.toContainText(user.mobileNo.slice(3));
  await expectAccessible(page);

  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('asked by phone');
  await page.keyboard.press('Enter');
  await expect(details(page).getByRole('button', { name: 'Unlock' })).toHaveCount(0);
  await act(page, 'Show address and number', 'must call the user');
  await expect(details(page)).toContainText(user.email);
  await act(page, 'End sessions', 'phone lost');
  await expect(details(page)).toContainText('Signed-in devices: 0');
  const download = page.waitForEvent('download');
  await act(page, 'Export data', 'asked for the data');
  const file = await download;
  expect(file.suggestedFilename()).toBe(`nivida-account-${user._id}.json`);
  expect(JSON.parse(await readFile(await file.path(), 'utf8')).account).toMatchObject({ email: user.email });

  await page.getByRole('button', { name: 'Give a plan' }).click();
  await page.getByRole('dialog').getByLabel('Plan').selectOption('enterprise');
  await page.getByRole('dialog').getByLabel('Last day').fill('2099-03-31');
  await confirmAct(page, 'Give a plan', 'our mistake');
  await expect(details(page)).toContainText('until 31 Mar 2099');
  await act(page, 'End this gift', 'given by mistake');
  await expect(details(page).getByRole('button', { name: 'End this gift' })).toHaveCount(0);
  const rows = (await auditRows(user._id)).map(({ action, actor, reason }) => [action, actor, reason]);
  expect(rows).toEqual(
    [
      ['account.unlocked', 'asked by phone'],
      ['account.opened', 'must call the user'],
      ['account.signed-out', 'phone lost'],
      ['account.exported', 'asked for the data'],
      ['plan.given', 'our mistake'],
      ['plan.ended', 'given by mistake'],
    ].map(([action, reason]) => [action, member.user._id, reason]),
  );

  await page.getByRole('link', { name: 'All events about this account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(7);
  await page.getByLabel('What').selectOption('plan');
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('row', { name: /Plan given.*Meena Rawat.*our mistake/ })).toBeVisible();
  await page.getByLabel('To day').fill('2020-01-01');
  await expect(page.getByText('No event')).toBeVisible();
  await page.getByLabel('To day').fill('');
  await expect(page.getByRole('row')).toHaveCount(3);
  await expectAccessible(page);
  await showOnPhone(page);
  await expectNoSideways(page);
  await page.getByRole('link', { name: user._id }).first().click();
  await expect(details(page).getByRole('heading', { name })).toBeVisible();
  await expectNoSideways(page);
  await expectAccessible(page);
});

test('an erasure is proposed by one owner and confirmed by another; it can be stopped', async ({ page, colleague }) => {
  const { user, name } = await makeAccount();
  const [first, second] = [await makeMember('owner', 'Meena Rawat'), await makeMember('owner', 'Ravi Negi', 6)];
  await openDesk(page, first, `/desk/people/${user._id}`);
  await act(page, 'Erase account', 'asked for by letter');
  await expect(details(page)).toContainText('Meena Rawat proposed to erase this account');
  await expect(page.getByRole('button', { name: 'Withdraw proposal' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Confirm erasure' })).toHaveCount(0);
  await act(page, 'Withdraw proposal', 'wrong account');
  await act(page, 'Erase account', 'the right account now');
  await expect(details(page)).toContainText('the right account now');

  const other = await colleague(second, '/desk/people');
  await other.getByRole('link', { name }).click();
  await expect(details(other)).toContainText('the right account now');
  await other.keyboard.press('e');
  await confirmAct(other, 'Confirm erasure', 'checked with the user');
  // The passkey was shown six minutes ago.
  await other.getByRole('button', { name: 'Show passkey' }).click();
  await expect(details(other)).toContainText('All data will be erased on');
  await mailText(user.email, 'Your Nivida account will be erased');
  expect((await auditRows(user._id)).map(({ action, actor }) => [action, actor])).toEqual([
    ['account.erase.proposed', first.user._id],
    ['account.erase.withdrawn', first.user._id],
    ['account.erase.proposed', first.user._id],
    ['account.deleted', first.user._id],
    ['account.erase.confirmed', second.user._id],
  ]);
  // The first page was loaded before: its act is answered by what the colleague did.
  await act(page, 'Withdraw proposal', 'too late');
  await expect(page.getByText('Ravi Negi decided this already')).toBeVisible();
  await expect(details(page)).toContainText('All data will be erased on');

  await act(other, 'Stop erasure', 'called again');
  await expect(details(other).getByRole('button', { name: 'Erase account' })).toBeVisible();
  expect((await actionsOf(user._id)).at(-1)).toBe('account.restored');
  await other.goto('/desk/staff');
  await expect(other.getByRole('link', { name: 'Ravi Negi' }).first()).toBeVisible();
  await expectAccessible(other);
});

test('support sees no acts of operators and no audit log', async ({ page }) => {
  const { user } = await makeAccount();
  await openDesk(page, await makeMember('support'), `/desk/people/${user._id}`);
  await expect(page.getByRole('button', { name: 'Show address and number' })).toBeVisible();
  for (const label of ['Unlock', 'End sessions', 'Export data', 'Give a plan', 'Erase account'])
    await expect(page.getByRole('button', { name: label })).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Audit log' })).toHaveCount(0);
});
