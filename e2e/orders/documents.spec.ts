import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Download, Page } from '@playwright/test';
import { button, field, signInByDialog } from '../support/account-dialogs.ts';
import {
  accessDialog,
  downloadZip,
  expectInZip,
  expectProviderPage,
  mailedDocumentsLink,
  payByUpi,
  statusDialog,
  tapDownload,
  tapYourDocuments,
} from '../support/checkout.ts';
import { mailText } from '../support/mailbox.ts';
import { phoneTest as test } from '../support/phone.ts';
import { openTenders, tenderHeading } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { type Person, registerByApi } from '../support/test-accounts.ts';

const STATE = 'Himachal Pradesh';
const PAID = 'Payment Successful!';

interface TenderSummary {
  _id: string;
  title: string;
  nit_works: number;
}

/** Two open tenders of the state that have different documents. */
async function twoTenders(request: APIRequestContext): Promise<[TenderSummary, TenderSummary]> {
  const tenders = (await openTenders(request, STATE)) as unknown as TenderSummary[];
  const [first, second] = tenders.filter(({ nit_works }) => nit_works === 1);
  return [first as TenderSummary, second as TenderSummary];
}

const section = (page: Page, name: string) => page.getByRole('region', { name });

/** The file that an action downloads. */
async function saveDownload(page: Page, act: () => Promise<void>): Promise<{ download: Download; content: Buffer }> {
  const coming = page.waitForEvent('download');
  await act();
  const download = await coming;
  return { download, content: await readFile(await download.path()) };
}

/** Buys the Basic plan for the state, signed in. */
async function buyBasic(page: Page, person: Person): Promise<void> {
  await page.goto('/pricing');
  await button(page, 'Get Started with Basic').tap();
  const dialog = page.getByRole('dialog', { name: 'Basic plan' });
  for (const [label, value] of [
    ['Name', person.name],
    ['Mobile number', person.mobileNo],
    ['Email', person.email],
  ] as const) {
    await expect(field(dialog, label)).toHaveValue(value);
    await expect(field(dialog, label)).not.toBeEditable();
  }
  const state = dialog.getByRole('combobox', { name: 'State of the plan' });
  await expect(state).toHaveValue(STATE);
  await state.selectOption('');
  await button(dialog, 'Pay ₹5,899').tap();
  await expect(dialog.getByRole('combobox', { name: 'State of the plan' })).toHaveAccessibleDescription(
    'State is required',
  );
  await dialog.getByRole('combobox', { name: 'State of the plan' }).selectOption(STATE);
  await button(dialog, 'Pay ₹5,899').tap();
  await expectProviderPage(page, '₹5,899.00');
  await payByUpi(page, 'success');
}

test('a plan is bought signed in, and its downloads are counted once for each NIT', async ({ page, request }) => {
  const person = await registerByApi();
  const [first, second] = await twoTenders(request);
  await page.goto('/');
  await signInByDialog(page, person);

  await test.step('bought', async () => {
    await buyBasic(page, person);
    await expect(page).toHaveURL(/\/payment-status\?id=[\w-]{22}$/);
    await expect(page.getByRole('heading', { level: 1, name: PAID })).toBeVisible();
    await expect(page.getByText('Yearly subscription', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Tender' })).toHaveAttribute('href', '/tenders');
    const mail = await mailText(person.email, 'Your test payment for Nivida');
    expect(mail).toContain('We have received ₹5,899.00 for: ');
  });

  await test.step('shown under payments', async () => {
    await page.getByRole('link', { name: 'Your payments' }).tap();
    const plan = section(page, 'Your plan');
    await expect(plan.getByText('Basic', { exact: true })).toBeVisible();
    await expect(plan.getByText('0 of 10 document downloads used this month', { exact: true })).toBeVisible();
    await expect(plan.getByText(`States: ${STATE}`)).toBeVisible();
    await expect(section(page, 'EMD and deposits')).toBeVisible();
  });

  await test.step('its first download', async () => {
    await page.goto(`/tenders/${first._id}`);
    await tapDownload(page);
    await button(accessDialog(page), 'Download with your plan (10 of 10 left this month)').tap();
    await expect(tenderHeading(page, first.title)).toBeVisible();
    expectInZip(await downloadZip(page), 'NIT-summary.pdf');
  });

  await test.step('the same again is not counted, another is', async () => {
    await page.goto(`/tenders/${first._id}`);
    await tapYourDocuments(page);
    await expect(button(accessDialog(page), 'Download again')).toBeVisible();
    await page.goto(`/tenders/${second._id}`);
    await tapDownload(page);
    await expect(button(accessDialog(page), 'Download with your plan (9 of 10 left this month)')).toBeVisible();
    await page.goto('/dashboard/payments');
    await expect(
      section(page, 'Your plan').getByText('1 of 10 document downloads used this month', { exact: true }),
    ).toBeVisible();
    await expect(section(page, 'Your documents').getByText(/^With your plan \d/)).toBeVisible();
  });
});

test('documents bought signed in are in the library: downloaded, mailed again, with their receipt, and saved for offline use', async ({
  phone,
  request,
}) => {
  const person = await registerByApi();
  const [tender] = await twoTenders(request);
  const { page } = phone;
  await phone.visit('/');
  await signInByDialog(page, person);

  await test.step('bought', async () => {
    await page.goto(`/tenders/${tender._id}`);
    await tapDownload(page);
    await expect(field(accessDialog(page), 'Email')).toHaveValue(person.email);
    await expect(field(accessDialog(page), 'Email')).not.toBeEditable();
    await button(accessDialog(page), 'Pay ₹99').tap();
    await expectProviderPage(page, '₹99.00');
    await payByUpi(page, 'success');
    await expect(button(statusDialog(page, PAID), 'Download')).toBeVisible();
    await mailedDocumentsLink(person.email);
  });

  await test.step('they are not sold again', async () => {
    await page.goto(`/tenders/${tender._id}`);
    await tapYourDocuments(page);
    await expect(button(accessDialog(page), 'Download again')).toBeVisible();
    await expect(button(accessDialog(page), 'Pay ₹99')).toHaveCount(0);
  });

  await page.goto('/dashboard/payments');
  const orders = section(page, 'Orders and receipts');
  const documents = section(page, 'Your documents');

  await test.step('the receipt', async () => {
    await expect(orders.getByText('Paid', { exact: true })).toBeVisible();
    await expect(orders.getByText('₹99.00', { exact: true })).toBeVisible();
    const { download, content } = await saveDownload(page, () =>
      orders.getByRole('button', { name: /^Receipt .* PDF$/ }).tap(),
    );
    expect(download.suggestedFilename()).toMatch(/^nivida-TEST-\d\d-\d\d-\d{7}\.pdf$/);
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  });

  await test.step('the mail again', async () => {
    await button(orders, 'Send the email again').tap();
    await expect(
      page.getByText(
        'If this order holds documents, a new link is on its way to the e-mail address it was bought with.',
        { exact: true },
      ),
    ).toBeVisible();
    await mailedDocumentsLink(person.email, 2);
  });

  await test.step('saved on the phone', async () => {
    await expect(documents.getByRole('heading', { name: tender.title, exact: true })).toBeVisible();
    await documents.getByRole('button', { name: /^Save on this phone · / }).tap();
    await expect(documents.getByText('On this phone', { exact: true })).toBeVisible();
  });

  await test.step('opened after a restart without a connection', async () => {
    await phone.restartOffline();
    await phone.page.goto('/dashboard/payments');
    const here = section(phone.page, 'Your documents');
    await expect(here.getByText('You are offline.', { exact: false })).toBeVisible();
    await expect(here.getByRole('button', { name: `Download ${tender.title}` })).toBeDisabled();
    const { content } = await saveDownload(phone.page, () => here.getByRole('button', { name: /^Open/ }).tap());
    expectInZip(content, 'NIT-summary.pdf');
    await expect(section(phone.page, 'Orders and receipts').getByText('Paid', { exact: true })).toBeVisible();
  });
});

test.describe('a link that has ended', () => {
  test.use({ expectedErrors: /^Failed to load resource: the server responded with a status of 404 / });

  test('says so, and where there is a new one', async ({ page }) => {
    await page.goto(`/d/${'A'.repeat(43)}`);
    await expect(page.getByRole('heading', { level: 1, name: 'This link has ended or does not exist' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open Payments' })).toBeVisible();
  });
});
