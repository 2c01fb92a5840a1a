/** The steps of a buyer from a tender or plan to the downloaded file. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { button, field } from './account-dialogs.ts';
import { mailText } from './mailbox.ts';
import { noteSecrets } from './secrets.ts';
import { expect } from './test.ts';
import { createEmail, createMobile } from './test-accounts.ts';

/** The address of the payment sandbox. Its host differs from the app's, as the real provider's does. */
const PROVIDER = `http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}`;

/** A buyer without an account. */
export interface TestBuyer {
  name: string;
  /** 10 digits. */
  mobileNo: string;
  email: string;
}

export function createBuyer(): TestBuyer {
  return { name: 'Ravi Negi', mobileNo: createMobile(), email: createEmail() };
}

/** The dialog in which documents are bought. */
export const accessDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Tender documents' });

/** The dialog on the tender's page that shows the status of a payment. */
export const statusDialog = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title });

/** Taps Download in the bottom bar of the open tender. */
export async function tapDownload(page: Page): Promise<void> {
  await button(page, 'Download ₹99').tap();
  await expect(accessDialog(page)).toBeVisible();
}

/** Taps the button that replaces Download after the purchase. */
export async function tapYourDocuments(page: Page): Promise<void> {
  await button(page, 'Your documents').tap();
  await expect(accessDialog(page)).toBeVisible();
}

export async function fillBuyer(form: Page | Locator, { name, mobileNo, email }: TestBuyer): Promise<void> {
  await field(form, 'Name').fill(name);
  await field(form, 'Mobile number').fill(mobileNo);
  await field(form, 'Email').fill(email);
}

/** Goes as this buyer from an open tender to the provider's page. */
export async function openProviderPage(page: Page, buyer: TestBuyer): Promise<void> {
  await tapDownload(page);
  await fillBuyer(accessDialog(page), buyer);
  await button(accessDialog(page), 'Pay ₹99').tap();
  await expectProviderPage(page, '₹99.00');
}

/** Waits until the provider's page asks for this amount. */
export async function expectProviderPage(page: Page, amount: string): Promise<void> {
  await page.waitForURL(`${PROVIDER}/pay/**`);
  await expect(page.getByText('TEST MODE, no money moves')).toBeVisible();
  await expect(page.locator('.amount')).toHaveText(amount);
}

/** Pays by UPI on the provider's page. `outcome` is the bank's result (api/sandbox/outcomes.ts). */
export async function payByUpi(page: Page, outcome: string): Promise<void> {
  const upi = page.getByRole('region', { name: 'UPI' });
  await upi.getByRole('combobox', { name: 'UPI ID' }).fill(`${outcome}@sandbox`);
  await upi.getByRole('button', { name: /^Pay ₹/ }).tap();
}

/** The documents link that was mailed to a buyer. `count` as in `mailText`. */
export async function mailedDocumentsLink(email: string, count = 1): Promise<string> {
  const text = await mailText(email, 'Your tender documents', count);
  const [link = ''] = text.match(/^http\S+\/d\/\S+$/m) ?? [];
  noteSecrets(new URL(link).pathname.replace('/d/', ''));
  return link;
}

/** Taps Download on a link's page. Compares the checksum of the ZIP with the page, then returns the ZIP. */
export async function downloadZip(page: Page): Promise<Buffer> {
  const listedChecksum = await page.locator('dd code').innerText();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download \(/ }).tap();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const zip = await readFile(await download.path());
  expect(createHash('sha256').update(zip).digest('hex')).toBe(listedChecksum);
  return zip;
}

/** Checks that a ZIP contains a file with this name. */
export function expectInZip(zip: Buffer, name: string): void {
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(zip.includes(name), `${name} in the ZIP`).toBe(true);
}
