import { readFile } from 'node:fs/promises';
import { button } from '../support/account-dialogs.ts';
import { expect, test } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';
import { openSettings, REFUSED, signInElsewhere } from './settings.ts';

test.use({ expectedErrors: REFUSED });

test('a lost phone is signed out from the list of sessions', async ({ page, browser }) => {
  const person = await registerByApi();
  const lost = await signInElsewhere(browser, person);
  await openSettings(page, person);
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1);
  await button(sessions, 'Sign out Firefox on Android').tap();
  await expect(sessions.getByText('No other device is signed in.')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);

  await lost.expectSignedOut();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('a user downloads all personal data, as JSON and as CSV', async ({ page }) => {
  const person = await registerByApi();
  await openSettings(page, person);
  for (const [format, pattern] of [
    ['JSON', /^nivida-my-data-\d{4}-\d\d-\d\d\.json$/],
    ['CSV', /^nivida-my-data-\d{4}-\d\d-\d\d\.csv$/],
  ] as const) {
    const downloading = page.waitForEvent('download');
    await button(page, `Download ${format}`).tap();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(pattern);
    const text = await readFile(await download.path(), 'utf8');
    for (const expectedValue of [person.email, person.mobileNo, 'Verma Builders', 'Himachal Pradesh', 'Shimla'])
      expect(text, format).toContain(expectedValue);
    expect(text).not.toContain('argon2');
  }
});
