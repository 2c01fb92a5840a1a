import type { Page } from '@playwright/test';
import { phoneTest as test } from '../support/phone.ts';
import { cards, offlineBanner, openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

const STATE = 'Himachal Pradesh';

const status = (page: Page) => page.getByRole('main').getByRole('status');
/** What Android sends to the share target of the installed app. */
async function share(page: Page, text: string): Promise<void> {
  await page.evaluate((shared) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: '/share', enctype: 'multipart/form-data' });
    const field = document.createElement('textarea');
    Object.assign(field, { name: 'text', value: shared });
    form.append(field);
    document.body.append(form);
    form.submit();
  }, text);
}

test('a list shared from WhatsApp and an old CSV become bookmarks, also without a connection', async ({
  phone,
  request,
}) => {
  const { page } = phone;
  const [one, two, three] = await openTenders(request, STATE);
  const numberOf = (tender: typeof one) => tender?.source_tender_id ?? '';

  await test.step('a shared message with several numbers shows their tenders, ticked', async () => {
    await phone.visit('/');
    await share(
      page,
      `Sir pls check\n${numberOf(one)}\n*${numberOf(two)?.toLowerCase()}*\n2026_NONE_1_1\n${'रोड '.repeat(200)}`,
    );
    await expect(page).toHaveURL('/add-tenders');
    await expect(status(page)).toHaveText('2 tenders found. 1 line not found. 2 lines without a tender number.');
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);
    await expect(page.getByRole('textbox', { name: 'Not found' })).toHaveValue('2026_NONE_1_1');
  });

  await test.step('one tap bookmarks them, one tap undoes it', async () => {
    await page.getByRole('button', { name: 'Bookmark 2 tenders' }).tap();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.getByRole('button', { name: 'Bookmark 2 tenders' }).tap();
    await page.getByRole('link', { name: 'Show the bookmarks' }).tap();
    const saved = page.getByRole('region', { name: 'Saved on this phone' });
    await expect(saved.getByRole('heading', { level: 3 })).toHaveText([one?.title ?? '', two?.title ?? '']);
    await saved.getByRole('link', { name: 'Open your list of tenders' }).tap();
    await page.getByRole('button', { name: 'Remove the list' }).tap();
    await expect(page.getByRole('textbox', { name: 'Your list' })).toBeVisible();
  });

  await test.step('a CSV that is chosen offline waits, and is looked up when the phone is online', async () => {
    await phone.setOffline(true);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a CSV file' }).tap();
    const table = `Work,Our no,Tender\n"${three?.title.replaceAll('"', '""')}",7,${numberOf(three)}\n`;
    await (await chooser).setFiles({ name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await expect(status(page)).toHaveText('0 tenders found. 1 line waits for a connection.');
    await expect(page.getByRole('heading', { name: 'Waiting for a connection' })).toBeVisible();
    await phone.setOffline(false);
    await expect(status(page)).toHaveText('1 tender found.');
    await expect(page.getByRole('main').getByText(three?.title ?? '')).toBeVisible();
  });
});

test('several ids in the search field show their tenders, online and offline, and name the unknown one', async ({
  phone,
  request,
}) => {
  const { page } = phone;
  const [one, two] = await openTenders(request, STATE);
  const ids = [one?.source_tender_id, '2026_NONE_1_1', two?.source_tender_id];
  await phone.visit(`/tenders/results?state=${encodeURIComponent(STATE)}`);
  await expect(offlineBanner(page)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Saving ${STATE}` })).toHaveCount(0);
  await page.goto(`/tenders?state=${encodeURIComponent(STATE)}`);
  await page.getByRole('combobox', { name: /^Work, place or tender ID/ }).fill(ids.join(', '));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tenders\/results\?/);
  for (const isOffline of [false, true]) {
    await phone.setOffline(isOffline);
    if (isOffline) await page.reload();
    await expect(cards(page).getByRole('heading')).toHaveText([one?.title ?? '', two?.title ?? '']);
    const unknown = page.getByRole('textbox', { name: isOffline ? 'Waiting for a connection' : 'Not found' });
    await expect(unknown).toHaveValue('2026_NONE_1_1');
  }
  await cards(page).first().getByRole('link').tap();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
});
