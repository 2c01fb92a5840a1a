import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from '../support/accessibility.ts';
import { withServerDatabase } from '../support/session.ts';
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

const PDF = Buffer.from('%PDF-1.7 a notice');
const pdf = (name: string, buffer = PDF) => ({ name, mimeType: 'application/pdf', buffer });
const TITLES = ['Footbridge over Ashni Khad', 'Retaining wall at Tara Devi'];

/** Imports two tenders, both asked for; the second one for longer. Returns their ids. */
async function importRequestedTenders(folder: string): Promise<{ id: number; source: string }[]> {
  const sources = TITLES.map((_, index) => `2099_DESK_${index + 1}_1`);
  const file = join(folder, 'notices.csv');
  const rows = TITLES.map(
    (title, index) => `${sources[index]},${title},PWD,Works,20-Nov-2025 09:00 AM,28-Nov-2099 11:00 AM`,
  );
  const head = 'Tender ID,Title,Organisation Chain,Tender Category,Publish Date,Bid Submission End Date';
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${[head, ...rows].join('\n')}\n`);
  await serverCommand('import', file, '--portal', 'deskportal', '--state', 'Mizoram');
  const stored: { id: number; source: string }[] = [];
  await withServerDatabase(async (client) => {
    for (const [index, source] of sources.entries()) {
      const found = await client.query<{ id: number }>('SELECT id FROM tender WHERE source_id = $1', [source]);
      const id = found.rows[0]?.id ?? 0;
      await client.query(
        `INSERT INTO document_request (tender_id, email, requested_at, language)
         VALUES ($1, 'ravi@works.example', now() - $2::int * interval '1 day', 'en')`,
        [id, index + 1],
      );
      stored.push({ id, source });
    }
  });
  return stored;
}

test('files are attached to one tender and to many, refused with advice, replaced and removed', async ({
  page,
}, testInfo) => {
  const member = await makeMember('support');
  const actor = member.user._id;
  const [bridge, wall] = await importRequestedTenders(testInfo.outputDir);
  if (!bridge || !wall) throw new Error('no tender was stored');
  await openDesk(page, member, '/desk/documents');
  const rows = page.getByRole('table').locator('[data-row]');
  await expect(rows).toHaveCount(2);
  // The longest waiting is first.
  await expect(rows.first()).toHaveText('Retaining wall at Tara Devi');
  await expectAccessible(page);

  const attach = async (picker: string, files: ReturnType<typeof pdf>[], reason: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: picker, exact: true }).click();
    await (await chooser).setFiles(files);
    const dialog = page.getByRole('dialog', { name: 'Attach files' });
    await dialog.getByLabel('Reason').fill(reason);
    return dialog;
  };

  await test.step('to one tender, the kind by its name; a program is refused with advice', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 2, name: 'Footbridge over Ashni Khad' })).toBeVisible();
    const files = [pdf('Tendernotice_1.pdf'), pdf('Plan.pdf', Buffer.from('MZ'))];
    const dialog = await attach('Choose files', files, 'asked by users');
    await expect(dialog.getByLabel('Kind of Tendernotice_1.pdf')).toHaveValue('nit');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Attach' }).press('Enter');
    const panel = page.getByRole('region', { name: 'Details' });
    await expect(panel.getByText('2 of 2 files done')).toBeVisible();
    await expect(panel.getByText('It is a program or holds one. Such files are never attached.')).toBeVisible();
    await expect(panel.getByText('Buyers get this package')).toBeVisible();
    await expect(panel.getByRole('list', { name: 'Files of the tender' })).toContainText('Notice (NIT)');
    expect(await auditRows(String(bridge.id))).toMatchObject([
      { action: 'documents.attached', actor, reason: 'asked by users' },
      { action: 'documents.attached', actor, reason: 'asked by users' },
    ]);
  });

  await test.step('replaced and removed, on a phone', async () => {
    await showOnPhone(page);
    await expectNoSideways(page);
    await expect(page.locator('h1:visible')).toHaveCount(1);
    const dialog = await attach('Replace', [pdf('new.pdf', Buffer.from('%PDF-1.7 a newer notice'))], 'a newer notice');
    await dialog.getByRole('button', { name: 'Attach' }).click();
    await expect(page.getByRole('status').filter({ hasText: '3 of 3 files done' })).toBeVisible();
    await expectAccessible(page);
    await act(page, 'Remove', 'of another tender');
    await expect(page.getByText('No files yet')).toBeVisible();
    expect((await auditRows(String(bridge.id))).slice(2)).toMatchObject([
      { action: 'documents.attached', actor, reason: 'a newer notice' },
      { action: 'documents.removed', actor, reason: 'of another tender' },
    ]);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await expectNoSideways(page);
  });

  await test.step('to many tenders by the names of files', async () => {
    const names = [`${bridge.source} Notice.pdf`, `${wall.source} Notice.pdf`, 'Notice.pdf'];
    const dialog = await attach(
      'Choose files of many tenders',
      names.map((name) => pdf(name)),
      'notices of today',
    );
    await expect(dialog.getByText('Left out: begin its name with the tender ID')).toBeVisible();
    await dialog.getByRole('button', { name: 'Attach' }).click();
    await expect(page.getByRole('status').filter({ hasText: '5 of 5 files done' })).toBeVisible();
    for (const { id } of [bridge, wall])
      await expect(async () =>
        expect((await auditRows(String(id))).at(-1)).toMatchObject({
          action: 'documents.attached',
          reason: 'notices of today',
          detail: { files: ['Notice.pdf'] },
        }),
      ).toPass();
  });
});
