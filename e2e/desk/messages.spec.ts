/** `/desk/messages`: acts on messages of users, two members at once, and the end of a role on an open desk. */
import { randomUUID } from 'node:crypto';
import { type Page, request } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { mailText } from '../support/mailbox.ts';
import { makeSession } from '../support/session.ts';
import { expect } from '../support/test.ts';
import {
  act,
  auditRows,
  expectNoSideways,
  makeMember,
  openDesk,
  serverCommand,
  showOnPhone,
  deskTest as test,
} from './desk.ts';

// Chromium logs every response with a status of 400 or more.
test.use({ expectedErrors: /^Failed to load resource: the server responded with a status of (401|409) / });

/** A user writes to support. */
async function writeMessage(subject: string, text: string): Promise<{ id: string; email: string }> {
  const { token, user } = await makeSession();
  const client = await request.newContext({
    baseURL: process.env.E2E_ORIGIN ?? '',
    extraHTTPHeaders: { Authorization: `Bearer ${token}` },
  });
  const id = randomUUID();
  const answer = await client.post('/api/support/threads', {
    data: { id, subject, message: { id: randomUUID(), text } },
  });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  await client.dispose();
  return { id, email: user.email };
}

const RECEIPT = Buffer.from('%PDF-1.7 a receipt');

const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const answerField = (page: Page) => page.getByRole('textbox', { name: /^Your answer/ });
const actionsOf = async (id: string) => (await auditRows(id)).map(({ action }) => action);

test('a message is found, opened, answered, closed and opened again, by keys too, and each act is written down', async ({
  page,
}) => {
  const word = randomUUID().slice(0, 8);
  const { id, email } = await writeMessage(`Receipt ${word}`, 'My receipt has the wrong name.');
  const member = await makeMember('support');
  await openDesk(page, member, '/desk/messages');
  await expect(page.getByRole('link', { name: `Receipt ${word}` })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(details(page).getByRole('heading', { name: `Receipt ${word}` })).toBeVisible();
  await expect(details(page)).not.toContainText(email);
  await expectAccessible(page);

  await act(page, 'Show address and number', 'must call the buyer');
  await expect(details(page)).toContainText(email);

  await page.keyboard.press('e');
  await page.keyboard.type('We have sent a new one.');
  const files = page.getByRole('region', { name: 'Files of the answer' });
  await files.locator('input').setInputFiles({ name: 'receipt.pdf', mimeType: 'application/pdf', buffer: RECEIPT });
  await expect(files).toContainText('receipt.pdf');
  await answerField(page).press('Control+Enter');
  await expect(details(page).getByRole('list', { name: 'Messages' })).toContainText('We have sent a new one.');
  await expect(answerField(page)).toHaveValue('');
  await expect(details(page).getByRole('button', { name: /^receipt\.pdf/ })).toBeVisible();
  expect(await mailText(email, `Answer: Receipt ${word}`)).toContain('A file belongs to this answer.');

  await page.getByRole('button', { name: 'Close conversation' }).press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('the question is answered');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Open again' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Close conversation' })).toBeVisible();
  const rows = await auditRows(id);
  expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
    ['thread.contact-opened', 'must call the buyer'],
    ['thread.answered', 'Answer to a message'],
    ['thread.closed', 'the question is answered'],
    ['thread.reopened', 'Undone: the question is answered'],
  ]);
  for (const { actor } of rows) expect(actor).toBe(member.user._id);

  await showOnPhone(page);
  await expectNoSideways(page);
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await expect(page.getByRole('link', { name: `Receipt ${word}` })).toBeVisible();
  await expectNoSideways(page);
  await expectAccessible(page);
});

test('two members answer one message: the second sees the first answer, and the text is still there', async ({
  page,
  colleague,
}) => {
  const word = randomUUID().slice(0, 8);
  const { id } = await writeMessage(`Twice ${word}`, 'Is the site visit on Monday?');
  await openDesk(page, await makeMember('support', 'Meena Rawat'), `/desk/messages/${id}`);
  const other = await colleague(await makeMember('operator', 'Ravi Negi'), `/desk/messages/${id}`);
  await answerField(other).fill('Yes, at ten.');
  await answerField(page).fill('Yes, on Monday.');
  await expect(page.getByText('Ravi Negi is writing an answer.')).toBeVisible();
  await other.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(details(other).getByRole('list', { name: 'Messages' })).toContainText('Yes, at ten.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Your text is still here.');
  await expect(details(page).getByRole('list', { name: 'Messages' })).toContainText('Yes, at ten.');
  await expect(answerField(page)).toHaveValue('Yes, on Monday.');
  expect(await actionsOf(id)).toEqual(['thread.answered']);
});

test('an open desk ends within a minute of the end of its role; one that was not used asks for the passkey', async ({
  page,
  colleague,
}) => {
  const member = await makeMember('support');
  await page.clock.install();
  await openDesk(page, member, '/desk/messages');
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await serverCommand('staff', 'remove', member.user.mobileNo.replace('+91', ''), '--reason', 'left the firm');
  await page.clock.fastForward(60_000);
  await expect(page.getByText('Please sign in to see that page. It opens right after.')).toBeVisible();
  await expect(page.getByText('Meena Rawat')).toHaveCount(0);
  expect(await auditRows(member.user._id)).toMatchObject([{ action: 'staff.revoked', reason: 'left the firm' }]);

  const other = await colleague(await makeMember('support', 'Ravi Negi', 31), '/desk/messages');
  await other.getByRole('button', { name: 'Show passkey' }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
});
