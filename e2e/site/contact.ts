/** Steps in the form of the contact page. */
import type { Locator, Page } from '@playwright/test';
import { button, field } from '../support/account-dialogs.ts';
import { createEmail } from '../support/test-accounts.ts';

export const agree = (page: Page): Locator =>
  page.getByRole('checkbox', { name: 'I agree to the terms and conditions' });
export const send = (page: Page): Locator => button(page, 'Send Message');
export const sent = (page: Page): Locator => page.getByRole('dialog', { name: 'Message Sent!' });
/** The button below the text. The button in the corner has the same name. */
export const close = (dialog: Locator): Locator => button(dialog, 'Close').last();

/**
 * Fills in the required fields. Each message has its own e-mail address, because an address may send five
 * messages an hour.
 */
export async function fill(page: Page, subject: string): Promise<void> {
  await field(page, 'Name').fill('Asha Verma');
  await field(page, 'Email').fill(createEmail());
  await field(page, 'Subject').fill(subject);
  await field(page, 'Message').fill('Which documents come with the package?');
  await agree(page).check();
}
