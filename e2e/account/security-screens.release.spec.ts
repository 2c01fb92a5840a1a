/** Passkeys, support, status and the contact form in Hindi, in both themes. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expectHindi } from '../languages/hindi.ts';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { button } from '../support/account-dialogs.ts';
import { serverEnvironment } from '../support/run-job.ts';
import { noteSecrets } from '../support/secrets.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { expect, test } from '../support/test.ts';

const run = promisify(execFile);
const command = (...args: string[]) =>
  run(process.execPath, ['api/dist/cli.js', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: serverEnvironment(),
  });

/** The screen has no English text, is accessible in both themes and does not scroll sideways. */
async function expectHindiScreen(page: Page, name: string): Promise<void> {
  await test.step(name, async () => {
    await expectHindi(page);
    await expectAccessibleInBothThemes(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
}

test('passkeys and recovery codes are accessible in Hindi', async ({ page }) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto('/hi');
  await storeSession(page, await makeSession());
  await page.goto('/hi/dashboard/settings');
  const passkeys = page.getByRole('region', { name: 'पासकी' });
  await button(passkeys, 'पासकी जोड़ें').tap();
  await expectHindiScreen(page, 'add-passkey');
  await button(page.getByRole('dialog'), 'जोड़ें').tap();
  await expect(passkeys.getByRole('listitem')).toHaveCount(1);
  await passkeys.getByRole('checkbox').tap();
  const codes = page.getByRole('dialog', { name: 'आपके रिकवरी कोड' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  noteSecrets(...(await codes.allTextContents()));
  await expectHindiScreen(page, 'recovery-codes');
  await button(page.getByRole('dialog'), 'मैंने इन्हें रख लिया है').tap();
  await passkeys.scrollIntoViewIfNeeded();
  await expectHindiScreen(page, 'passkeys');
});

test('support, incidents and the contact form are accessible in Hindi', async ({ page }) => {
  const english = `Payments are slow (${randomUUID()}).`;
  const texts = ['--text', `en=${english}`, '--text', 'hi=भुगतान धीमे चल रहे हैं।', '--reason', 'release test'];
  const { stdout } = await command('incidents', 'open', ...texts, '--json');
  const incidents: { id: number; updates: { texts: { en: string } }[] }[] = JSON.parse(stdout);
  const opened = incidents.find(({ updates }) => updates.some((update) => update.texts.en === english));
  try {
    await page.goto('/hi/status');
    await expect(page.getByText('भुगतान धीमे चल रहे हैं।').first()).toBeVisible();
    await expectHindiScreen(page, 'status');
  } finally {
    await command('incidents', 'close', String(opened?.id), ...texts);
  }
  await page.goto('/hi/contact');
  await expectHindiScreen(page, 'contact');
  await storeSession(page, await makeSession());
  await page.goto('/hi/dashboard/support');
  await expectHindiScreen(page, 'support-empty');
});
