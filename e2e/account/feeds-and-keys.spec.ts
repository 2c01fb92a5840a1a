/** Addresses and keys with which programs of a user read lists: made, used and ended. */
import { expectAccessible } from '../support/accessibility.ts';
import { button } from '../support/account-dialogs.ts';
import { noteSecrets } from '../support/secrets.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { cards } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { RESULTS, save, saved } from '../tenders/searches.ts';

test.use({ isMobile: false });

test('a list is read at the address that its dialog shows and its page names', async ({ page, request }) => {
  await page.goto(`${RESULTS}&q=road`);
  const title = await cards(page).first().getByRole('heading').innerText();
  await button(page, 'Feed, CSV, calendar').tap();
  const addresses = page.getByRole('dialog').locator('code');
  await expect(addresses).toHaveCount(3);
  const [atom = '', csv = ''] = await addresses.allInnerTexts();
  await expectAccessible(page);
  expect(await page.locator('link[rel="alternate"][type="application/atom+xml"]').getAttribute('href')).toBe(
    atom.replace(new URL(atom).origin, ''),
  );
  expect(await (await request.get(atom)).text()).toContain('<feed xmlns="http://www.w3.org/2005/Atom"');
  expect(await (await request.get(csv)).text()).toContain(title.replaceAll('"', '""'));
});

test('the private address of a saved search is made, read, replaced and ended', async ({ page, request }) => {
  await page.goto('/');
  await storeSession(page, await makeSession());
  await page.goto(`${RESULTS}&q=road`);
  await save(page).tap();
  await page.goto('/tenders');
  await saved(page)
    .getByRole('button', { name: /^Feed of / })
    .tap();
  const dialog = page.getByRole('dialog');
  const shown = dialog.locator('code').first();
  const readAddress = async () => {
    const address = await shown.innerText();
    noteSecrets(address.replace(/^.*\/|\.atom$/g, ''));
    return address;
  };
  const statusOf = async (address: string) => (await request.get(address)).status();
  await button(dialog, 'Make the address').tap();
  const first = await readAddress();
  expect(await statusOf(first)).toBe(200);
  await button(dialog, 'Make a new address').tap();
  await expect(shown).not.toHaveText(first);
  const second = await readAddress();
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
  await button(dialog, 'End the address').tap();
  await expect(button(dialog, 'Make the address')).toBeVisible();
  expect(await statusOf(second)).toBe(404);
});

test('a key is made, shown once, used by a program and revoked', async ({ page, request }) => {
  await page.goto('/');
  await storeSession(page, await makeSession());
  await page.goto('/dashboard/settings');
  const keys = page.getByRole('region', { name: 'Keys for programs' });
  await button(keys, 'Make a key').tap();
  const dialog = page.getByRole('dialog');
  await button(dialog, 'Make').tap();
  await expect(dialog.getByRole('textbox')).toHaveAccessibleDescription('Name is required');
  await dialog.getByRole('textbox').fill('Price lists');
  await button(dialog, 'Make').tap();
  const key = await dialog.locator('code').first().innerText();
  noteSecrets(key);
  await button(dialog, 'Close').last().tap();
  await expect(page.getByText(key)).toHaveCount(0);
  const statusByKey = async () =>
    (await request.get('/feeds/tenders.csv', { headers: { authorization: `Key ${key}` } })).status();
  expect(await statusByKey()).toBe(200);
  await page.reload();
  await expect(keys.getByText('1 call of')).toBeVisible();
  await button(keys, 'Revoke Price lists').tap();
  await button(dialog, 'Revoke').tap();
  await expect(keys.getByText('You have no key.')).toBeVisible();
  expect(await statusByKey()).toBe(401);
});
