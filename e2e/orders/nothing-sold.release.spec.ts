import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { button, registerByDialog } from '../support/account-dialogs.ts';
import { TestPhone } from '../support/phone.ts';
import { Product } from '../support/product.ts';
import { expect, test } from '../support/test.ts';
import { createPerson } from '../support/test-accounts.ts';

const TENDER = '2099_PWD_100001_1';
const NOTICES = `Tender ID,Title,Organisation Chain,Tender Category,Publish Date,Bid Submission End Date
${TENDER},Footbridge over Ashni Khad,PWD,Works,20-Nov-2025 09:00 AM,28-Nov-2099 11:00 AM
`;
const SALES_WORDS = /₹99|\b(?:plans?|pricing|prices|trial|subscription|purchase|payments?|refunds?)\b/i;

test(
  'where nothing is sold, a member registers, reads and downloads without a price on any screen',
  {
    tag: '@release',
  },
  async ({ browserName: _ }, testInfo) => {
    const folder = testInfo.outputDir;
    const data = testInfo.outputPath('product/data');
    mkdirSync(data, { recursive: true });
    const mails = join(process.env.E2E_DATA_DIR ?? '', 'mail');
    mkdirSync(mails, { recursive: true });
    // This server uses the mailbox of the other journeys, because their steps look there for codes.
    symlinkSync(mails, join(data, 'mail'));
    const product = await Product.start(testInfo.outputPath('product'), {
      NODE_ENV: 'test',
      PAYMENT_PROVIDER: 'none',
      FREE_PLAN: 'premium',
    });
    const phone = await TestPhone.start(testInfo.outputPath('profile'), product.origin);
    try {
      writeFileSync(join(folder, 'notices.csv'), NOTICES);
      writeFileSync(join(folder, 'scan.pdf'), '%PDF-1.4 the notice');
      const place = ['--portal', 'hptenders', '--state', 'Himachal Pradesh'];
      await product.command('import', join(folder, 'notices.csv'), ...place);
      await product.command('documents', 'attach', '--tender', TENDER, '--nit', join(folder, 'scan.pdf'));
      const { page } = phone;
      const person = createPerson();
      const expectNoSales = async () => expect(await page.locator('body').innerText()).not.toMatch(SALES_WORDS);

      await test.step('the address of the prices says that it is free here', async () => {
        await phone.visit('/pricing');
        await expect(page.getByRole('heading', { name: 'Free here' })).toBeVisible();
        await expectNoSales();
        await phone.visit('/');
        await expect(button(page, 'Get Started Free')).toBeVisible();
        await expectNoSales();
      });

      await test.step('documents need an account', async () => {
        await phone.visit('/tenders/1');
        await button(page, 'Download').tap();
        const dialog = page.getByRole('dialog', { name: 'Tender documents' });
        await expect(dialog.getByText('The documents are free here. Sign in to download them.')).toBeVisible();
        await expectNoSales();
        await phone.visit('/register');
        await registerByDialog(page, person);
        await expectNoSales();
      });

      await test.step('a member downloads them', async () => {
        await phone.visit('/tenders/1');
        await button(page, 'Download').tap();
        const dialog = page.getByRole('dialog', { name: 'Tender documents' });
        await expect(dialog.getByText('Free here. The same NIT again this month is not counted twice.')).toBeVisible();
        await expectNoSales();
        await button(dialog, 'Download').tap();
        await expect(page).toHaveURL(/\/d\//);
      });

      await test.step('the page of documents shows the states of alerts, and no orders', async () => {
        await phone.visit('/dashboard/payments');
        await expect(page.getByRole('heading', { name: 'Documents & EMD', level: 1 })).toBeVisible();
        await expect(button(page, 'Choose states').or(button(page, 'Change states'))).toBeVisible();
        await expectNoSales();
      });
    } finally {
      await phone.close();
      await product.down();
    }
  },
);
