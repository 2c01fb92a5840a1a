import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { button, field } from '../support/account-dialogs.ts';
import { TestPhone } from '../support/phone.ts';
import { Product } from '../support/product.ts';
import { expect, test } from '../support/test.ts';

const TENDER = '2099_PWD_100001_1';
const NOTICES = `Tender ID,Title,Organisation Chain,Tender Category,Cover Documents,Publish Date,Bid Submission End Date
${TENDER},Footbridge over Ashni Khad,PWD,Works,"[[""Fee"","".pdf"",""Affidavit on stamp paper""]]",20-Nov-2025 09:00 AM,28-Nov-2099 11:00 AM
`;

test(
  'missing documents are requested without a connection, and sold when their NIT is attached',
  { tag: '@release' },
  async ({ browserName: _ }, testInfo) => {
    const folder = testInfo.outputDir;
    const product = await Product.start(testInfo.outputPath('product'), { NODE_ENV: 'test' });
    const phone = await TestPhone.start(testInfo.outputPath('profile'), product.origin);
    try {
      writeFileSync(join(folder, 'notices.csv'), NOTICES);
      await product.command(
        'import',
        join(folder, 'notices.csv'),
        '--portal',
        'hptenders',
        '--state',
        'Himachal Pradesh',
      );
      const { page } = phone;
      await phone.visit('/tenders/1');

      await test.step('the bidder’s own documents stand apart from those that can be bought', async () => {
        await page.getByRole('tab', { name: 'Documents' }).tap();
        const panel = page.getByRole('tabpanel', { name: 'Documents' });
        const uploads = panel.getByRole('region', { name: 'What you must upload' });
        await expect(uploads.getByText('Affidavit on stamp paper')).toBeVisible();
        await expect(panel.getByText('₹99')).toHaveCount(0);
      });

      await test.step('requested without a connection', async () => {
        await phone.setOffline(true);
        await button(page, 'Ask for the documents').tap();
        const dialog = page.getByRole('dialog', { name: 'Ask for the documents' });
        await button(dialog, 'Ask').tap();
        await expect(field(dialog, 'Email')).toHaveAccessibleDescription('Email is required');
        await field(dialog, 'Email').fill('ravi@works.example');
        await button(dialog, 'Ask').tap();
        await expect(button(page, 'You have asked')).toBeDisabled();
        const savedNote = page.getByText('Saved on this phone. Sent when there is a connection.');
        await expect(savedNote.filter({ visible: true }).first()).toBeVisible();
      });

      await test.step('sent with a connection, and counted for the operator', async () => {
        await phone.setOffline(false);
        await expect(page.getByText('Your request for documents was sent.')).toBeVisible();
        expect(await product.command('documents', 'list', '--asked')).toBe(
          `1\t${TENDER}\tcloses 28 Nov 2099, 11:00 AM\tFootbridge over Ashni Khad\n1 tenders\n`,
        );
      });

      await test.step('sold as the attached files', async () => {
        writeFileSync(join(folder, 'scan.pdf'), '%PDF-1.4 the notice');
        await product.command('documents', 'attach', '--tender', TENDER, '--nit', join(folder, 'scan.pdf'));
        await page.reload();
        await button(page, 'Download ₹99').tap();
        const dialog = page.getByRole('dialog', { name: 'Tender documents' });
        await expect(dialog.getByText(`${TENDER} · NIT`, { exact: true })).toBeVisible();
        await expect(dialog.getByText('scan.pdf')).toBeVisible();
        await expect(dialog.getByText('NIT & BOQ')).toHaveCount(0);
      });
    } finally {
      await phone.close();
      await product.down();
    }
  },
);
