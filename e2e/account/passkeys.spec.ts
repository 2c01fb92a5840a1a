/** Passkeys with Chromium's virtual authenticator: adding, signing in, the second step, a lost device, no connection. */
import type { CDPSession, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import {
  button,
  expectSignedIn,
  field,
  formAlert,
  signInDialog,
  submitSignIn,
  tapMenuButton,
} from '../support/account-dialogs.ts';
import { mailText } from '../support/mailbox.ts';
import { noteSecrets } from '../support/secrets.ts';
import { expect, test } from '../support/test.ts';
import { createMobile, registerByApi } from '../support/test-accounts.ts';
import { openSettings } from './settings.ts';

// Chromium logs every response with a status of 400 or more, and calls without a connection.
test.use({
  expectedErrors:
    /^Failed to load resource: (the server responded with a status of (400|401|403|409) |net::ERR_INTERNET)/,
});

const OFFLINE = 'You are offline. A passkey needs a connection, because the server checks it.';

/** A device with a screen lock; `remove` loses it with its passkeys. */
async function addDevice(cdp: CDPSession) {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    remove: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    unlocks: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

/**
 * The headless browser shows no list of passkeys in a field. The page gets the same promise, and the test chooses the
 * passkey in place of the list.
 */
async function chooseInField(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => true;
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = ({ mediation, ...options }: CredentialRequestOptions = {}) => {
      if (mediation !== 'conditional') return get(options);
      return new Promise((resolve, reject) => {
        const choosePasskey = () => get(options).then(resolve, reject);
        Object.assign(window, { choosePasskey });
        options.signal?.addEventListener('abort', () => {
          Reflect.deleteProperty(window, 'choosePasskey');
          reject(options.signal?.reason);
        });
      });
    };
  });
}

const passkeys = (page: Page) => page.getByRole('region', { name: 'Passkeys' });

async function addPasskey(page: Page, name?: string): Promise<void> {
  await button(passkeys(page), 'Add a passkey').tap();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await expect(field(dialog, 'Name of the passkey')).toHaveValue(/^Chrome on /);
  if (name) await field(dialog, 'Name of the passkey').fill(name);
  await expectAccessible(page);
  await button(dialog, 'Add').tap();
}

test('a passkey signs in, also in place of a password; a lost one is replaced with a recovery code', async ({
  page,
}) => {
  const person = await registerByApi();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const phone = await addDevice(cdp);
  await chooseInField(page);
  await openSettings(page, person);
  await expect(passkeys(page).getByText('You have no passkey yet.')).toBeVisible();

  // The lock of the device refuses its user: nothing is added, and the dialog says so.
  await phone.unlocks(false);
  await addPasskey(page, 'Work phone');
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await expect(formAlert(dialog)).toHaveText('No passkey was used. The prompt was closed, or it took too long.');
  await phone.unlocks(true);
  await button(dialog, 'Add').tap();
  await expect(dialog).toHaveCount(0);
  const row = passkeys(page).getByRole('listitem').filter({ hasText: 'Work phone' });
  await expect(row).toContainText('This device');
  await mailText(person.email, 'A passkey was added to your Nivida account');
  await addPasskey(page);
  await expect(formAlert(dialog)).toHaveText('This device already has a passkey of your account.');
  await button(dialog, 'Cancel').tap();

  await passkeys(page).getByRole('checkbox', { name: 'Ask for a passkey after my password, too' }).tap();
  const codesDialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codesDialog.getByRole('listitem')).toHaveCount(10);
  const codes = await codesDialog.getByRole('listitem').allTextContents();
  noteSecrets(...codes);
  await expectAccessible(page);
  await button(codesDialog, 'I have kept them').tap();
  await expect(passkeys(page).getByText('10 of 10 codes are unused.')).toBeVisible();

  await tapMenuButton(page, 'Logout');
  await tapMenuButton(page, 'Sign in');
  await expectAccessible(page);
  await button(signInDialog(page), 'Sign in with a passkey').tap();
  await expect(signInDialog(page)).toHaveCount(0);
  await expectSignedIn(page, true);

  await tapMenuButton(page, 'Logout');
  await tapMenuButton(page, 'Sign in');
  await expect(field(signInDialog(page), 'Mobile number')).toHaveAttribute('autocomplete', 'tel-national webauthn');
  await page.waitForFunction(() => 'choosePasskey' in window);
  await page.evaluate(() => (window as unknown as { choosePasskey: () => Promise<void> }).choosePasskey());
  await expect(signInDialog(page)).toHaveCount(0);
  await expectSignedIn(page, true);

  await tapMenuButton(page, 'Logout');
  await tapMenuButton(page, 'Sign in');
  await submitSignIn(page, person);
  await expect(signInDialog(page).getByText('Your account asks for your passkey too.')).toBeVisible();
  await expectAccessible(page);
  await button(signInDialog(page), 'Use your passkey').tap();
  await expect(signInDialog(page)).toHaveCount(0);

  await page.goto('/dashboard/profile');
  await field(page, 'Mobile number').fill(createMobile());
  // The answer of a server whose session is older than a quarter of an hour.
  const refusal = { code: 'PASSKEY_NEEDED', message: 'Please confirm first that it is you', requestId: '1' };
  await page.route('**/api/user-info/*', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
  await button(page, 'Update Profile').tap();
  await button(page.getByRole('dialog', { name: 'Confirm that it is you' }), 'Use your passkey').tap();
  await expect(page.getByText('Profile updated successfully!', { exact: true })).toBeVisible();
  person.mobileNo = await field(page, 'Mobile number').inputValue();
  await mailText(person.email, 'The mobile number of your Nivida account was changed');

  await phone.remove();
  await tapMenuButton(page, 'Logout');
  await tapMenuButton(page, 'Sign in');
  await submitSignIn(page, person);
  await button(signInDialog(page), 'Use a recovery code').tap();
  await field(signInDialog(page), 'Recovery code').fill('0-AAAAA-AAAAA');
  await button(signInDialog(page), 'Sign in').tap();
  await expect(formAlert(signInDialog(page))).toHaveText('This code is wrong or was already used. Use another one.');
  await field(signInDialog(page), 'Recovery code').fill(codes[4] ?? '');
  await button(signInDialog(page), 'Sign in').tap();
  await expect(signInDialog(page)).toHaveCount(0);
  await mailText(person.email, 'A recovery code was used for your Nivida account');

  await addDevice(cdp);
  await page.goto('/dashboard/settings');
  await expect(passkeys(page).getByText('9 of 10 codes are unused.')).toBeVisible();
  await addPasskey(page, 'New phone');
  await expect(passkeys(page).getByRole('listitem').filter({ hasText: 'New phone' })).toContainText('This device');
  await row.getByRole('button', { name: /^Remove/ }).tap();
  await button(page.getByRole('dialog', { name: 'Remove this passkey?' }), 'Remove').tap();
  await expect(row).toHaveCount(0);
  await mailText(person.email, 'A passkey was removed from your Nivida account');
  await passkeys(page).getByRole('button', { name: 'Rename New phone' }).tap();
  await field(page.getByRole('dialog', { name: 'Rename the passkey' }), 'Name of the passkey').fill('My phone');
  await button(page.getByRole('dialog', { name: 'Rename the passkey' }), 'Save').tap();
  await expect(passkeys(page).getByRole('listitem')).toContainText('My phone');
  await expectAccessible(page);
});

test('without a connection, settings and the sign-in dialog say why a passkey cannot be used', async ({ page }) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await addDevice(cdp);
  await openSettings(page, await registerByApi());
  await expect(passkeys(page).getByText('You have no passkey yet.')).toBeVisible();
  await page.context().setOffline(true);
  await button(passkeys(page), 'Add a passkey').tap();
  await expect(passkeys(page).getByRole('alert').filter({ hasText: OFFLINE })).toBeVisible();
  await page.context().setOffline(false);
  await tapMenuButton(page, 'Logout');
  await tapMenuButton(page, 'Sign in');
  await expect(button(signInDialog(page), 'Sign in with a passkey')).toBeVisible();
  await page.context().setOffline(true);
  await button(signInDialog(page), 'Sign in with a passkey').tap();
  await expect(formAlert(signInDialog(page))).toHaveText(OFFLINE);
});
