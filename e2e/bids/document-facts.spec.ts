/** What the documents of a tender say, from the file that an operator attaches to the line that a visitor reads. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type APIRequestContext, mergeTests, type Page } from '@playwright/test';
import { boqWorkbook } from '../../api/test/support/generated-documents/boq-workbook.ts';
import { pdfOf } from '../../api/test/support/generated-documents/pdf.ts';
import {
  auditRows,
  deskTest,
  expectNoSideways,
  makeMember,
  openDesk,
  serverCommand,
  showOnPhone,
} from '../desk/desk.ts';
import { expectHindi } from '../languages/hindi.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { button, signInByDialog } from '../support/account-dialogs.ts';
import { accessDialog, expectProviderPage, payByUpi, statusDialog, tapDownload } from '../support/checkout.ts';
import { phoneTest } from '../support/phone.ts';
import { runJobCommand } from '../support/run-job.ts';
import { openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';

const test = mergeTests(phoneTest, deskTest);
// The headless shell shows no PDF.
test.use({ phoneBrowser: process.env.E2E_CHROMIUM });

const STATE = 'Himachal Pradesh';
/** Words that no tender's title has. */
const BOQ_WORDS = 'hexagonal gabion crates';

interface PricedTender {
  _id: string;
  title: string;
  nit_works: number;
  price: number | null;
  emd: string | null;
}

/** The last open tender with an estimate and an EMD that shares its notice with no other. Other journeys use the first ones. */
async function lastPricedTender(request: APIRequestContext) {
  const tenders = (await openTenders(request, STATE)) as unknown as PricedTender[];
  const found = tenders.findLast(
    ({ nit_works, price, emd }) => nit_works === 1 && (price ?? 0) > 100_000 && Number(emd),
  );
  if (!found) throw new Error(`no tender of ${STATE} has an estimate and an EMD`);
  return { ...found, price: found.price ?? 0, emd: Number(found.emd) };
}

const rupees = (amount: number) => `₹${amount.toLocaleString('en-IN', { maximumFractionDigits: 2 })}`;

/** Attaches a notice and a BOQ with these values, as an operator does. */
async function attachDocuments(tenderId: string, folder: string, { estimate, emd, total }: Record<string, number>) {
  await mkdir(folder, { recursive: true });
  const [nit, boq] = [join(folder, 'nit.pdf'), join(folder, 'boq.xls')];
  await writeFile(
    nit,
    await pdfOf([
      [{ cells: ['Notice Inviting Tender'] }, { cells: ['Bids are invited by the Executive Engineer.'] }],
      [
        { cells: ['1.', 'Estimated Cost', `Rs. ${estimate}/-`] },
        { cells: ['2.', 'Earnest Money Deposit', `Rs. ${emd}/-`] },
      ],
      [{ cells: ['The bidder shall upload scanned copies of these documents: PAN card and GST registration.'] }],
    ]),
  );
  await writeFile(
    boq,
    boqWorkbook({
      format: 'biff8',
      items: [
        [10, (total ?? 0) / 20],
        [5, (total ?? 0) / 10],
      ],
      cells: { B14: `Providing and laying ${BOQ_WORDS} filled with stones` },
    }),
  );
  await serverCommand('documents', 'attach', '--tender', tenderId, '--nit', nit, '--boq', boq);
}

/** The lines of a topic on the tender's page. */
const topic = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('the lines of an attached notice are shown with their pages, lead to the page of the bought file, and can be hidden', async ({
  phone,
  page: desk,
  request,
}, testInfo) => {
  test.slow();
  const tender = await lastPricedTender(request);
  const { _id: id } = tender;
  const stated = { estimate: tender.price * 2, emd: tender.emd + 1_234, total: tender.price * 3 };
  const path = `/tenders/${id}`;
  const emdLine = () => topic(phone.page, 'EMD').locator('details').first();

  await test.step('an operator attaches the notice and the BOQ; jobs read and index them', async () => {
    await attachDocuments(id, testInfo.outputPath('documents'), stated);
    await runJobCommand('read-documents', new Date());
    // The server's worker may have been faster.
    await expect
      .poll(async () => {
        const { files } = await (await request.get(`/api/tenders/${id}/reading`)).json();
        return files.map(({ name, state }: Record<string, string>) => `${name} ${state}`);
      })
      .toEqual(['nit.pdf done', 'boq.xls done']);
    await runJobCommand('index-documents', new Date());
  });

  await test.step('a visitor sees where portal, notice and BOQ differ, and each line with its page', async () => {
    await phone.visit(`${path}#documents`);
    const { page } = phone;
    const differences = page.getByRole('region', { name: 'Differences between portal and documents' });
    await expect(differences.getByRole('listitem').filter({ hasText: 'Estimated value differs:' })).toHaveText(
      `Estimated value differs:Portal: ${rupees(tender.price)}nit.pdf, p. 2: ${rupees(stated.estimate)}Total of boq.xls: ${rupees(stated.total)}`,
    );
    await expect(differences.getByRole('listitem').filter({ hasText: 'EMD differs:' })).toHaveText(
      `EMD differs:Portal: ${rupees(tender.emd)}nit.pdf, p. 2: ${rupees(stated.emd)}`,
    );
    await expect(emdLine()).toContainText('The document says, p. 2');
    await expect(emdLine()).toContainText(`Earnest Money Deposit Rs. ${stated.emd}/-`);
    await expect(topic(page, 'Documents to upload')).toContainText('The document says, p. 3');
    await expectAccessible(page);
  });

  await test.step('the line stands beside the row of the checklist that it concerns', async () => {
    const { page } = phone;
    await page.getByRole('tab', { name: 'Checklist' }).tap();
    const line = page.locator('li').filter({ has: page.getByText(`Earnest Money Deposit Rs. ${stated.emd}/-`) });
    await line.getByRole('link', { name: 'The document says, p. 2' }).tap();
    await expect(emdLine()).toHaveAttribute('open', '');
    await expect(emdLine()).toBeInViewport();
  });

  await test.step('words of the BOQ find the tender as a hit of its document', async () => {
    const { page } = phone;
    await page.goto(`/tenders/results?${new URLSearchParams({ state: STATE, q: BOQ_WORDS })}`);
    const heading = page.getByRole('heading', { name: '1 tender has all words only in its documents' });
    await expect(heading).toBeVisible();
    const card = page.locator('ol > li').filter({ has: page.getByRole('link', { name: tender.title, exact: true }) });
    await expect(card).toContainText('Found in the BOQ, item 1.01:');
    await expect(card.locator('mark')).toHaveText(BOQ_WORDS.split(' '));
  });

  await test.step('with the bought package on the phone a tap opens the notice at the page', async () => {
    const { page } = phone;
    const person = await registerByApi();
    await page.goto('/');
    await signInByDialog(page, person);
    await page.goto(path);
    await tapDownload(page);
    await button(accessDialog(page), 'Pay ₹99').tap();
    await expectProviderPage(page, '₹99.00');
    await payByUpi(page, 'success');
    await expect(button(statusDialog(page, 'Payment Successful!'), 'Download')).toBeVisible();
    await page.goto('/dashboard/payments');
    await page.getByRole('button', { name: /^Save on this phone · / }).tap();
    await expect(page.getByText('On this phone', { exact: true })).toBeVisible();
    await phone.setOffline(true);
    await page.goto(`${path}#documents`);
    await emdLine().locator('summary').tap();
    const opening = page.waitForEvent('popup');
    await button(page, 'Open page 2').tap();
    const viewer = await opening;
    await expect
      .poll(() => viewer.url())
      .toMatch(new RegExp(`^blob:${new URL(page.url()).origin}/[0-9a-f-]{36}#page=2$`));
    // The viewer is an extension of the browser, in a frame of the opened page.
    await expect
      .poll(() => viewer.frames().filter((frame) => frame.url().startsWith('chrome-extension://')))
      .toHaveLength(1);
    await viewer.close();
    await phone.setOffline(false);
  });

  await test.step('an operator hides the line with the keyboard, in Hindi', async () => {
    const member = await makeMember('support');
    await openDesk(desk, member, `/hi/desk/documents/${id}`);
    const says = desk.getByRole('region', { name: 'दस्तावेज़ों में क्या लिखा है' });
    const line = says
      .getByRole('listitem')
      .filter({ has: desk.getByRole('blockquote'), hasNot: desk.getByRole('list') });
    const emd = line.filter({ hasText: `Earnest Money Deposit Rs. ${stated.emd}/-` });
    await expect(emd).toContainText('मिली, जाँची नहीं');
    await expectHindi(desk);
    await expectAccessible(desk);
    await button(emd, 'छिपाएँ').focus();
    await desk.keyboard.press('Enter');
    const dialog = desk.getByRole('dialog', { name: 'यह पंक्ति छिपाएँ?' });
    await expect(dialog.getByRole('textbox')).toBeFocused();
    await desk.keyboard.type('not of this work');
    await desk.keyboard.press('Enter');
    await expect(emd).toContainText('उपयोगकर्ताओं से छिपी');
    await expectHindi(desk);
    expect((await auditRows(String(id))).at(-1)).toMatchObject({
      actor: member.user._id,
      reason: 'not of this work',
    });
    await showOnPhone(desk);
    await expectNoSideways(desk);
    await expectAccessible(desk);
  });

  await test.step('visitors do not see it any more', async () => {
    const { page } = phone;
    await page.reload();
    await expect(topic(page, 'Documents to upload')).toBeVisible();
    await expect(page.getByText(`Rs. ${stated.emd}/-`)).toHaveCount(0);
    await expect(page.getByText('EMD differs:')).toHaveCount(0);
    await expect(page.getByText('Estimated value differs:')).toBeVisible();
  });
});
