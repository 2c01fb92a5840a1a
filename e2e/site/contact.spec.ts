import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { field, tapMenuButton } from '../support/account-dialogs.ts';
import { expectInvalid, expectValid } from '../support/forms.ts';
import { mailText } from '../support/mailbox.ts';
import { phoneTest as test } from '../support/phone.ts';
import { makeSession, type StoredSession, storeSession } from '../support/session.ts';
import { expect } from '../support/test.ts';
import { agree, close, fill, send, sent } from './contact.ts';

const SUPPORT = 'support@nivida.example';

test('an empty form is not sent: every missing field is named, the first one has the focus', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/contact');
  await send(page).tap();
  for (const [label, message] of [
    ['Name', 'Name is required'],
    ['Email', 'Email is required'],
    ['Subject', 'Subject is required'],
    ['Message', 'Message is required'],
  ] as const)
    await expectInvalid(field(page, label), message);
  await expectInvalid(agree(page), 'You must agree to the terms and conditions');
  await expect(field(page, 'Name')).toBeFocused();
  await field(page, 'Name').fill('J');
  await expectValid(field(page, 'Name'));
  await agree(page).check();
  await expectValid(agree(page));
  expect(calls).not.toContain('/api/contact');
});

test('a message is sent, confirmed, and reaches support with the sender’s address', async ({ page }) => {
  const subject = `A question ${randomUUID().slice(0, 8)}`;
  await page.goto('/contact');
  await fill(page, subject);
  const from = await field(page, 'Email').inputValue();
  await field(page, 'Mobile number').fill('9876543210');
  await field(page, 'Company').fill('Verma Builders');
  await send(page).tap();
  await expect(sent(page).getByText("Thank you for your message! We'll get back to you soon.")).toBeVisible();
  await close(sent(page)).tap();
  await expect(sent(page)).toHaveCount(0);
  for (const label of ['Name', 'Email', 'Mobile number', 'Company', 'Subject', 'Message'])
    await expect(field(page, label)).toHaveValue('');
  await expect(agree(page)).not.toBeChecked();

  const text = await mailText(SUPPORT, `Message: ${subject}`);
  for (const part of ['Asha Verma', from, '9876543210', 'Verma Builders', 'Which documents come with the package?'])
    expect(text).toContain(part);
});

test('a message written without a connection survives a restart and arrives once', async ({ phone }) => {
  const subject = `From the hills ${randomUUID().slice(0, 8)}`;
  await phone.visit('/contact');
  await expect(send(phone.page)).toBeVisible();
  await phone.setOffline(true);
  await fill(phone.page, subject);
  await send(phone.page).tap();
  await expect(phone.page.getByText('Your message will be sent when there is a connection')).toBeVisible();
  await expect(field(phone.page, 'Subject')).toHaveValue('');

  await phone.restartOffline();
  const { page } = phone;
  await page.goto('/contact');
  await expect(page.getByText(subject, { exact: true })).toBeVisible();
  await phone.setOffline(false);
  await expect(page.getByText(`Your message “${subject}” was sent.`)).toBeVisible();
  await expect(page.getByText(subject, { exact: true })).toHaveCount(0);
  expect(await mailText(SUPPORT, `Message: ${subject}`)).toContain('Which documents come with the package?');

  // The next start sends nothing.
  await page.reload();
  await expect(send(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  await mailText(SUPPORT, `Message: ${subject}`);
});

test('a message written without a connection is sent by the browser after the app was closed', {
  tag: '@release',
}, async ({ phone }) => {
  const subject = `From a closed app ${randomUUID().slice(0, 8)}`;
  const wake = await phone.backgroundSync();
  await phone.visit('/contact');
  await phone.setOffline(true);
  await fill(phone.page, subject);
  await send(phone.page).tap();
  await expect(phone.page.getByText('Your message will be sent when there is a connection')).toBeVisible();
  await phone.page.goto('about:blank');
  await phone.setOffline(false);
  await wake();
  expect(await mailText(SUPPORT, `Message: ${subject}`)).toContain('Which documents come with the package?');

  // The next start shows the message to the user and sends nothing.
  await phone.visit('/contact');
  await expect(phone.page.getByText(`Your message “${subject}” was sent.`)).toBeVisible();
  await mailText(SUPPORT, `Message: ${subject}`);
});

/** The status of a call that uses a session's token. */
async function statusOf(request: APIRequestContext, { token }: StoredSession): Promise<number> {
  const answer = await request.get('/api/tenders/bookmarked', { headers: { Authorization: `Bearer ${token}` } });
  return answer.status();
}

test('the next user of the phone does not see what a user typed or queued', async ({ phone, request }) => {
  test.slow(); // A failed attempt is retried after up to 80 seconds.
  const subject = `A private question ${randomUUID().slice(0, 8)}`;
  const session = await makeSession();
  await phone.visit('/');
  await storeSession(phone.page, session);
  const { page } = phone;
  await page.goto('/contact');
  await expect(field(page, 'Name')).toHaveValue('Asha Verma');
  await phone.setOffline(true);
  await fill(page, subject);
  await send(page).tap();
  const waits = page.getByText('Your message waits on this phone until it is sent.');
  await expect(waits).toBeVisible();
  await field(page, 'Message').fill('A half-typed question');

  await tapMenuButton(page, 'Logout');
  await expect(page).toHaveURL('/');
  await page.goto('/contact');
  await expect(send(page)).toBeVisible();
  for (const label of ['Name', 'Email', 'Message']) await expect(field(page, label)).toHaveValue('');
  await expect(waits).toHaveCount(0);

  expect(await statusOf(request, session)).toBe(200);
  await phone.setOffline(false);
  await expect.poll(() => statusOf(request, session), { timeout: 100_000 }).toBe(401);
  await expect(page.getByText(subject)).toHaveCount(0);
});
