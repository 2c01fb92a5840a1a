import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { button, field } from '../support/account-dialogs.ts';
import { phoneTest as test } from '../support/phone.ts';
import { serverEnvironment } from '../support/run-job.ts';
import { makeSession, type StoredSession, storeSession } from '../support/session.ts';
import { expect } from '../support/test.ts';

const run = promisify(execFile);
const PDF = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 a letter') };

/** Answers a message as the operator does. */
const answer = (thread: string, text: string) =>
  run(process.execPath, ['api/dist/cli.js', 'messages', 'answer', thread, text], {
    cwd: join(import.meta.dirname, '../..'),
    env: serverEnvironment(),
  });

async function openSupport(page: Page, session: StoredSession): Promise<void> {
  await storeSession(page, session);
  await page.goto('/dashboard/support');
  await expect(page.getByRole('heading', { name: 'No messages yet.' })).toBeVisible();
}

async function write(page: Page, subject: string, text: string): Promise<void> {
  await page.getByRole('link', { name: 'Write to us' }).tap();
  await field(page, 'Subject').fill(subject);
  await field(page, 'Message').fill(text);
}

const threadOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test('a message that is written offline is sent, answered, and read without a connection', async ({ phone }) => {
  test.slow();
  const session = await makeSession();
  await phone.visit('/');
  await openSupport(phone.page, session);
  await expectAccessible(phone.page);
  await phone.setOffline(true);
  await write(phone.page, 'My receipt', 'It has the wrong name.');
  // A reload loses nothing.
  await phone.page.reload();
  await expect(field(phone.page, 'Message')).toHaveValue('It has the wrong name.');
  await phone.page.locator('input[type=file]').last().setInputFiles(PDF);
  await expect(phone.page.getByText('letter.pdf')).toBeVisible();
  await expectAccessible(phone.page);
  await button(phone.page, 'Send Message').tap();
  await expect(phone.page.getByText('Waits for a connection')).toBeVisible();
  await expectAccessible(phone.page);

  await phone.restartOffline();
  const { page } = phone;
  await page.goto('/dashboard/support');
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await page.getByRole('link', { name: /My receipt/ }).tap();
  await expect(page.getByText('Waits for a connection')).toBeVisible();
  await phone.setOffline(false);
  await expect(page.getByText(/^Sent \d/)).toBeVisible({ timeout: 30_000 });

  const thread = threadOf(page);
  await page.goto('/notices');
  await expect(page.getByRole('heading', { level: 1, name: 'Notices' })).toBeVisible();
  await answer(thread, 'We have sent a new one.');
  await page.goto('/dashboard');
  await page.goto('/notices');
  await expect(page.getByRole('link', { name: 'Support has answered: My receipt' })).toBeVisible();
  await page.getByRole('link', { name: 'Support has answered: My receipt' }).tap();
  await expect(page.getByText('We have sent a new one.')).toBeVisible();
  await expect(page.getByText('Nivida support')).toBeVisible();
  await expectAccessible(page);

  await phone.restartOffline();
  await phone.page.goto(`/dashboard/support/${thread}`);
  await expect(phone.page.getByText('We have sent a new one.')).toBeVisible();
  await phone.page.getByRole('button', { name: /letter\.pdf/ }).tap();
  await expect(phone.page.getByRole('dialog', { name: 'letter.pdf' }).getByText(/^PDF, /)).toBeVisible();
  await phone.setOffline(false);
});

test('a message is sent by the browser after the app was closed, with its file', { tag: '@release' }, async ({
  phone,
}) => {
  const session = await makeSession();
  const wake = await phone.backgroundSync();
  await phone.visit('/');
  const tokens = phone.page.waitForResponse('**/api/outbox/tokens');
  await openSupport(phone.page, session);
  await tokens;
  await phone.setOffline(true);
  await write(phone.page, 'From a closed app', 'Is there a drawing?');
  await phone.page.locator('input[type=file]').last().setInputFiles(PDF);
  await expect(phone.page.getByText('letter.pdf')).toBeVisible();
  await button(phone.page, 'Send Message').tap();
  await expect(phone.page.getByText('Waits for a connection')).toBeVisible();
  const thread = threadOf(phone.page);
  await phone.page.goto('about:blank');
  await phone.setOffline(false);
  await wake();
  await expect(() => answer(thread, 'Yes.')).toPass({ timeout: 30_000 });
  await phone.visit(`/dashboard/support/${thread}`);
  await expect(phone.page.getByText('Yes.', { exact: true })).toBeVisible();
});

test('the next user of the phone sees neither messages nor drafts of a user', async ({ phone }) => {
  await phone.visit('/');
  await openSupport(phone.page, await makeSession());
  await write(phone.page, 'A private question', 'Only I may read it.');
  await button(phone.page, 'Send Message').tap();
  await expect(phone.page.getByText(/^Sent \d/)).toBeVisible();
  await field(phone.page, 'Message').fill('A half-typed question');
  const address = phone.page.url();
  await openSupport(phone.page, await makeSession());
  await phone.page.goto(address);
  await expect(phone.page.getByText('It was removed, or it belongs to another account.')).toBeVisible();
  await expect(phone.page.getByText('A private question')).toHaveCount(0);
});
