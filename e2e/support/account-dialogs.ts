/** Steps in the account's dialogs, as a visitor uses them. */
import type { Locator, Page } from '@playwright/test';
import { mailedCode } from './mailbox.ts';
import { expect } from './test.ts';
import type { Person } from './test-accounts.ts';

export const signInDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Welcome Back' });
export const resetPasswordDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Reset Password' });
export const registrationDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Create Account' });

/** A button in a dialog or page, by its full name. */
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

/** A field by its label. */
export const field = (within: Page | Locator, label: string): Locator =>
  within.getByRole('textbox', { name: new RegExp(`^${label}( |$)`) });

/** The error box of a form. */
export const formAlert = (within: Page | Locator): Locator => within.getByRole('alert');

/** A button in the phone's menu. The notice that asks for a sign-in has a button with the same name. */
const menuButton = (page: Page, name: string): Locator => button(page.locator('#menu'), name);

/** Taps a button of the phone's menu. */
export async function tapMenuButton(page: Page, name: 'Sign in' | 'Sign up' | 'Logout'): Promise<void> {
  await button(page, 'Menu').tap();
  await menuButton(page, name).tap();
}

/** Fills in the sign-in dialog and sends it. */
export async function submitSignIn(page: Page, { mobileNo, password }: Pick<Person, 'mobileNo' | 'password'>) {
  await field(signInDialog(page), 'Mobile number').fill(mobileNo);
  await field(signInDialog(page), 'Password').fill(password);
  await button(signInDialog(page), 'Sign in').tap();
}

/** Signs in through the menu. Returns when the dialog has closed. */
export async function signInByDialog(page: Page, person: Pick<Person, 'mobileNo' | 'password'>): Promise<void> {
  await tapMenuButton(page, 'Sign in');
  await submitSignIn(page, person);
  await expect(signInDialog(page)).toHaveCount(0);
}

/** Checks that the menu offers Logout, or Sign in. */
export async function expectSignedIn(page: Page, isSignedIn: boolean): Promise<void> {
  await button(page, 'Menu').tap();
  await expect(menuButton(page, isSignedIn ? 'Logout' : 'Sign in')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menuButton(page, isSignedIn ? 'Logout' : 'Sign in')).toBeHidden();
}

/**
 * Step 1 of the registration. Requests the code for the e-mail address, reads it from the mailbox and enters
 * it.
 */
export async function fillPerson(page: Page, { name, email, mobileNo }: Person): Promise<void> {
  const wizard = registrationDialog(page);
  await field(wizard, 'Full name').fill(name);
  await field(wizard, 'Email').fill(email);
  await button(wizard, 'Verify Email').tap();
  await wizard.getByPlaceholder('Enter 6-digit OTP').fill(await mailedCode(email));
  await button(wizard, 'Verify').tap();
  await expect(wizard.getByText('Email verified successfully!')).toBeVisible();
  await field(wizard, 'Mobile number').fill(mobileNo);
}

/** Step 2 of the registration. */
export async function fillPasswords(page: Page, { password }: Pick<Person, 'password'>): Promise<void> {
  await field(registrationDialog(page), 'Password').fill(password);
  await field(registrationDialog(page), 'Confirm password').fill(password);
}

/** Step 3 of the registration, in Himachal Pradesh. */
export async function fillCompany(page: Page, { companyName, address }: Person): Promise<void> {
  const wizard = registrationDialog(page);
  await field(wizard, 'Company name').fill(companyName);
  await wizard.getByRole('combobox', { name: 'Company type' }).selectOption('Proprietorship');
  await wizard.getByRole('combobox', { name: 'State' }).selectOption('Himachal Pradesh');
  await wizard.getByRole('checkbox', { name: 'Shimla', exact: true }).check();
  await wizard.getByRole('checkbox', { name: 'All departments' }).check();
  await field(wizard, 'Address').fill(address);
  await wizard.getByRole('checkbox', { name: 'I agree to the Terms' }).check();
}

/** Registers through the three steps of the open wizard. Returns on the dashboard. */
export async function registerByDialog(page: Page, person: Person): Promise<void> {
  const wizard = registrationDialog(page);
  await fillPerson(page, person);
  await button(wizard, 'Next').tap();
  await fillPasswords(page, person);
  await button(wizard, 'Next').tap();
  await fillCompany(page, person);
  await button(wizard, 'Register').tap();
  await expect(wizard).toHaveCount(0);
  await expect(page).toHaveURL('/dashboard');
}

/** Opens the sign-in. */
export async function openSignIn(page: Page) {
  await page.goto('/');
  await tapMenuButton(page, 'Sign in');
  const dialog = signInDialog(page);
  return { dialog, mobile: field(dialog, 'Mobile number'), password: field(dialog, 'Password') };
}

/** Opens the registration. */
export async function openRegistration(page: Page) {
  await page.goto('/register');
  const wizard = registrationDialog(page);
  await expect(wizard).toBeVisible();
  return { wizard, next: button(wizard, 'Next'), back: button(wizard, 'Back') };
}

/** Opens the registration and completes its first steps. */
export async function openRegistrationAt(page: Page, step: 2 | 3, person: Person) {
  const opened = await openRegistration(page);
  await fillPerson(page, person);
  await opened.next.tap();
  if (step === 2) return opened;
  await fillPasswords(page, person);
  await opened.next.tap();
  return opened;
}
