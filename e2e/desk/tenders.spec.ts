/** `/desk/tenders`: a reader's report reaches the desk, the stages are opened, a field is corrected, the tender is hidden. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { withServerDatabase } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import {
  auditRows,
  confirmAct,
  expectNoSideways,
  makeMember,
  openDesk,
  showOnPhone,
  deskTest as test,
} from './desk.ts';

// Chromium logs every response with a status of 400 or more, and each call without a connection.
const LOGGED = /^Failed to load resource: (the server responded with a status of 401 |net::ERR_INTERNET_DISCONNECTED)/;
test.use({ expectedErrors: LOGGED });

const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const stages = (page: Page) =>
  details(page).getByRole('list', { name: 'Stages of the tender' }).locator('li > details > summary');

test('a report of a reader reaches the desk; a field is corrected, the tender hidden, and both are taken back', async ({
  page,
  request,
}) => {
  const tender = (await openTenders(request, 'Kerala')).at(-1);
  if (!tender) throw new Error('no tender');
  const word = randomUUID().slice(0, 8);
  // A demonstration has no file.
  await withServerDatabase(async (client) => {
    const cells = {
      'Tender ID': tender.source_tender_id,
      'Work Description': `${word} <b>${'a'.repeat(1_500)}</b>`,
      निधि: '',
    };
    await client.query('INSERT INTO tender_source_header (digest, columns) VALUES ($1, $2)', [
      word,
      JSON.stringify(Object.keys(cells)),
    ]);
    await client.query(
      `INSERT INTO tender_source_row (tender_id, is_listed, header, digest, cells, file, line, read_at)
       VALUES ($1, false, $2, '', $3, 'kerala.csv', 1234, now())
       ON CONFLICT (tender_id, is_listed) DO UPDATE SET header = excluded.header, digest = excluded.digest,
         cells = excluded.cells, file = excluded.file, line = excluded.line, read_at = excluded.read_at`,
      [Number(tender._id), word, JSON.stringify(Object.values(cells))],
    );
  });

  await page.goto(`/tenders/${tender._id}`);
  const link = page.getByRole('button', { name: 'Report a mistake' });
  await link.scrollIntoViewIfNeeded();
  await link.press('Enter');
  const form = page.getByRole('dialog', { name: 'Report a mistake' });
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(form.getByRole('combobox')).toHaveAccessibleDescription(/Choose what is wrong/);
  await form.getByRole('combobox').selectOption({ label: 'The value is wrong' });
  await form.getByRole('textbox').fill(`It is ₹5 lakh ${word}`);
  await expectAccessible(page);
  await page.context().setOffline(true);
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Your report of a mistake waits for a connection.')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('Your report of a mistake was sent.')).toBeVisible();

  const member = await makeMember('operator');
  await openDesk(page, member, '/desk/tenders?show=reported');
  const row = page.getByRole('link', { name: tender.title }).first();
  await expect(row).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(tender.source_tender_id);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(details(page)).toContainText(`It is ₹5 lakh ${word}`);
  await expect(stages(page)).toHaveCount(7);
  for (const name of ['Source row', 'Place', 'Department', 'Published', 'Changes', 'Alerts sent'])
    await stages(page).filter({ hasText: name }).first().press('Enter');
  await expect(details(page).getByText('Everyone can see it.')).toBeVisible();
  const cells = details(page).getByRole('table', { name: 'Row of a notice file' });
  await expect(cells.getByRole('row', { name: /^Work Description/ })).toContainText(`${word} <b>aaa`);
  await expect(details(page).getByText('kerala.csv, line 1,234, first read')).toBeVisible();
  await expect(details(page).getByText('Empty: निधि')).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'EMD' });
  await dialog.getByRole('textbox', { name: /^Right value/ }).fill('54321');
  await confirmAct(page, 'Correct', 'the notice says so');
  await expect(details(page).getByText('Corrected by us', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(details(page).getByText('Corrected by us', { exact: true })).toHaveCount(0);

  await details(page).getByRole('button', { name: 'Hide', exact: true }).click();
  await confirmAct(page, 'Hide', 'a test of the portal');
  await expect(details(page).getByRole('button', { name: 'Show again' })).toBeVisible();
  expect((await request.get(`/api/tenders/${tender._id}`)).status()).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(details(page).getByRole('button', { name: 'Hide', exact: true })).toBeVisible();

  await details(page).getByRole('button', { name: 'Close report' }).first().click();
  await confirmAct(page, 'Close report', 'the portal says the same');
  await expect(details(page).getByText('Closed report')).toBeVisible();

  const rows = await auditRows(tender._id);
  expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
    ['tender.corrected', 'the notice says so'],
    ['tender.uncorrected', 'Undone: the notice says so'],
    ['tender.hidden', 'a test of the portal'],
    ['tender.unhidden', 'Undone: a test of the portal'],
    ['tender.report-closed', 'the portal says the same'],
  ]);
  for (const { actor } of rows) expect(actor).toBe(member.user._id);

  await showOnPhone(page);
  await expectNoSideways(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await expectNoSideways(page);
  await expectAccessible(page);
});
