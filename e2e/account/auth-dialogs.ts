/** Checks how the dialogs of the account open and close. */
import type { Page } from '@playwright/test';
import { button, registrationDialog, tapMenuButton } from '../support/account-dialogs.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { expect } from '../support/test.ts';

/** A dialog closes by Escape and by its button. The focus returns to where it was. */
export async function expectDialogCloses(page: Page, opener: 'Sign in' | 'Sign up', title: string): Promise<void> {
  await page.goto('/');
  const dialog = page.getByRole('dialog', { name: title });
  for (const close of [() => page.keyboard.press('Escape'), () => button(dialog, 'Close').tap()]) {
    await tapMenuButton(page, opener);
    await expect(dialog.getByRole('textbox').first()).toBeFocused();
    await close();
    await expect(dialog).toHaveCount(0);
    await expect(button(page, 'Menu')).toBeFocused();
  }
}

/** An address opens the registration once, and never for a signed-in user. */
export async function expectOpensRegistrationOnce(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(registrationDialog(page)).toBeVisible();
  await expect(page).toHaveURL('/');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(registrationDialog(page)).toHaveCount(0);

  await storeSession(page, await makeSession());
  await page.goto(address);
  await expect(page).toHaveURL('/');
  await expect(button(page, 'Menu')).toBeVisible();
  await expect(registrationDialog(page)).toHaveCount(0);
}
