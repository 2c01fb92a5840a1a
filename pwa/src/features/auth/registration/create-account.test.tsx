// @vitest-environment-options { "url": "http://localhost/" }
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearSession, currentOwner } from '../../../data/session.ts';
import { openTestPage, type TestPage } from '../../../ui/test-page.tsx';
import { closeAuthDialog, useAuthDialog } from '../dialogs.ts';
import { CreateAccountDialog } from './CreateAccountDialog.tsx';
import { EMPTY_REGISTRATION_DRAFT, type RegistrationDraft, saveRegistrationDraft } from './registration-draft.ts';

const user = { _id: '7', username: 'Asha Verma', email: 'asha@builders.example', mobileNo: '+919876543210' };
const PASSWORD = 'cloudy lamp 7';
const NEW_PASSWORD = 'Password at least 8 characters';
const DRAFT_KEY = 'registrationDraft';

let page: TestPage;
let events: string[];
let requests: Request[];
let answer: () => Response | Promise<Response>;

beforeEach(() => {
  events = [];
  requests = [];
  answer = () => Response.json({ token: 'abc', user }, { status: 201 });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('/api/auth/register')) return new Response('', { status: 404 });
    requests.push(request.clone());
    return answer();
  });
});
afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  closeAuthDialog();
  clearSession();
});

/** Opens the dialog with the typed values of this tab, whose address is verified. */
async function open(typed: Partial<RegistrationDraft> = {}): Promise<void> {
  saveRegistrationDraft({
    ...EMPTY_REGISTRATION_DRAFT,
    ...{ step: 2, name: 'Asha Verma', email: 'asha@builders.example', mobileNo: '9418273645' },
    ...{ codeSentAt: Date.now() - 2_000, verifiedAt: Date.now() - 1_000 },
    ...{ companyName: 'Trilochan', companyType: 'private', state: 'Himachal Pradesh' },
    ...{ districts: ['Shimla'], departments: ['PWD'], address: 'The Mall' },
    ...typed,
  });
  page = await openTestPage(
    <CreateAccountDialog onClose={() => events.push('closed')} onDone={() => events.push('done')} />,
  );
}
const alerts = () => page.texts('[role="alert"]');
const step = () => page.texts('[aria-current="step"]');
async function enterPasswords(): Promise<void> {
  await page.enter(NEW_PASSWORD, PASSWORD);
  await page.enter('Confirm password', PASSWORD);
}
/** Opens the third step and agrees to the terms. */
async function openLastStep(): Promise<void> {
  await open();
  await enterPasswords();
  await page.press('Next');
  await page.toggle('I agree to the Terms');
}

describe('the first step', () => {
  test('is left only when each field is valid, and keeps the typed values', async () => {
    await open({ ...EMPTY_REGISTRATION_DRAFT });
    expect(step()).toEqual(['1. You']);
    expect(page.button('Back').disabled).toBe(true);
    await page.press('Next');
    expect(['Full name', 'Email', 'Mobile number'].map(page.errorAt)).toEqual([
      'Name is required',
      'Email is required',
      'Mobile number is required',
    ]);
    await page.enter('Full name', 'Asha Verma');
    await page.enter('Mobile number', '+91 98765-43210');
    expect(page.field('Mobile number').value).toBe('9876543210');
    await page.press('Next');
    expect(step()).toEqual(['1. You']);
    expect(page.errorAt('Full name')).toBeUndefined();
    expect(JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? '')).toMatchObject({
      name: 'Asha Verma',
      mobileNo: '9876543210',
    });
  });

  test('refuses the number of another country at the number, until India is chosen', async () => {
    await open({ step: 1 });
    const codes = [...page.field('Country code').options].map(({ value }) => value);
    expect([codes.length, codes[0]]).toEqual([20, '+91']);
    await page.enter('Country code', '+44');
    expect(page.texts('[aria-hidden="true"]')).toContain('+44');
    await page.press('Next');
    expect(page.errorAt('Mobile number')).toBe('Please enter a valid 10-digit mobile number');
    await page.enter('Country code', '+91');
    expect(page.errorAt('Mobile number')).toBeUndefined();
    await page.press('Next');
    expect(step()).toEqual(['2. Password']);
  });
});

describe('the second step', () => {
  test('goes back and on, with the typed password', async () => {
    await open();
    expect(step()).toEqual(['2. Password']);
    await page.press('Next');
    expect(page.errorAt(NEW_PASSWORD)).toBe('Password is required');
    await enterPasswords();
    await page.press('Next');
    expect(step()).toEqual(['3. Company']);
    expect(page.field('Company name').value).toBe('Trilochan');
    await page.press('Back');
    expect(page.field(NEW_PASSWORD).value).toBe(PASSWORD);
    await page.press('Back');
    expect(step()).toEqual(['1. You']);
    expect(page.field('Full name').value).toBe('Asha Verma');
    expect(page.field('Email').readOnly).toBe(true);
  });

  test('calls a password weak that is made of the name, the address, the number or the company', async () => {
    await open({ email: 'hillside@works.example' });
    for (const password of ['asha kx verma', 'hillside kx m', '9418273645 kx m', 'trilochan kx m']) {
      await page.enter(NEW_PASSWORD, password);
      expect(page.text(), password).toContain('Weak: easy to guess.');
    }
    await page.enter(NEW_PASSWORD, 'cloudy lamp walks to mandi');
    expect(page.text()).toContain('Strong.');
    const username = page.page.querySelector<HTMLInputElement>('[autocomplete="username"]');
    expect(username?.value).toBe('9418273645');
  });
});

describe('the last step', () => {
  test('registers with all typed values, and this tab forgets them', async () => {
    await openLastStep();
    expect(page.hasButton('Next')).toBe(false);
    await page.press('Register');
    await expect.poll(() => events).toEqual(['done']);
    expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /api/auth/register',
    ]);
    expect(await requests[0]?.json()).toEqual({
      ...{ name: 'Asha Verma', email: 'asha@builders.example', mobileNo: '9418273645', countryCode: '+91' },
      ...{ password: PASSWORD, companyName: 'Trilochan', companyType: 'private', state: 'Himachal Pradesh' },
      ...{ districts: ['Shimla'], departments: ['PWD'], address: 'The Mall', minPrice: 0, maxPrice: null },
    });
    expect(currentOwner()).toBe('7');
    expect(sessionStorage.getItem(DRAFT_KEY)).toBeNull();
  });

  test('is not sent without the consent', async () => {
    await openLastStep();
    await page.toggle('I agree to the Terms');
    await page.press('Register');
    expect(page.text()).toContain('You must agree to the terms and conditions');
    expect(requests).toEqual([]);
  });

  test('stays open after a failure that names no field', async () => {
    await openLastStep();
    answer = () => Response.json({}, { status: 500 });
    await page.press('Register');
    await expect.poll(alerts).toEqual(['Failed to register']);
    expect(step()).toEqual(['3. Company']);
    expect(events).toEqual([]);
    expect(JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? '')).toMatchObject({ name: 'Asha Verma' });
  });

  test.each<[string, string, string, string]>([
    ['mobileNo', 'An account with this mobile number already exists', '1. You', 'Mobile number'],
    ['password', 'This password is too common. Please choose another', '2. Password', NEW_PASSWORD],
    ['companyName', 'Company name is required', '3. Company', 'Company name'],
  ])('leads to the step of the refused %s, with the reason', async (name, message, stepName, label) => {
    await openLastStep();
    answer = () => Response.json({ message, fields: { [name]: message } }, { status: 409 });
    await page.press('Register');
    await expect.poll(alerts).toEqual([message]);
    expect(step()).toEqual([stepName]);
    expect(page.errorAt(label)).toBe(message);
  });

  test('asks to verify an address again when the server refuses it', async () => {
    await openLastStep();
    const message = 'Please verify your email with OTP first';
    answer = () => Response.json({ message, fields: { email: message } }, { status: 400 });
    await page.press('Register');
    await expect.poll(step).toEqual(['1. You']);
    expect(page.errorAt('Email')).toBe(message);
    expect(page.field('Email').readOnly).toBe(false);
    expect(page.hasButton('Verify Email')).toBe(true);
    expect(page.text()).not.toContain('Email verified successfully!');
  });

  test('does not ask to verify the address again when another field is refused', async () => {
    await openLastStep();
    const message = 'An account with this mobile number already exists';
    answer = () => Response.json({ message, fields: { mobileNo: message } }, { status: 409 });
    await page.press('Register');
    await expect.poll(step).toEqual(['1. You']);
    expect(page.text()).toContain('Email verified successfully!');
  });

  test('cannot be left during the call, which is made once', async () => {
    await openLastStep();
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    await page.press('Register');
    await expect.poll(() => page.button('Register').getAttribute('aria-busy')).toBe('true');
    for (const name of ['Register', 'Back', 'Sign in']) expect(page.button(name).disabled, name).toBe(true);
    expect(page.field('I agree to the Terms').disabled).toBe(true);
    page.page.querySelector('form')?.requestSubmit();
    resolve(Response.json({ token: 'abc', user }, { status: 201 }));
    await expect.poll(() => events).toEqual(['done']);
    expect(requests).toHaveLength(1);
  });
});

test('the fields are those that a browser fills, with their lengths', async () => {
  await open({ step: 1 });
  const autoComplete = (...labels: string[]) => labels.map((label) => page.field(label).getAttribute('autocomplete'));
  expect(autoComplete('Full name', 'Email', 'Mobile number', 'Country code')).toEqual([
    ...['name', 'email', 'tel-national', 'tel-country-code'],
  ]);
  expect(['Email', 'Mobile number'].map((label) => page.field(label).inputMode)).toEqual(['email', 'numeric']);
  expect(page.field('Full name').maxLength).toBe(100);
  const privacy = page.page.querySelector('a[href="/privacy"]');
  expect([privacy?.getAttribute('target'), privacy?.getAttribute('rel')]).toEqual(['_blank', 'noopener']);
  await page.press('Next');
  expect(autoComplete(NEW_PASSWORD, 'Confirm password')).toEqual(['new-password', 'new-password']);
  await enterPasswords();
  await page.press('Next');
  expect(autoComplete('Company name', 'Address optional')).toEqual(['organization', 'street-address']);
  expect([page.field('Company name').maxLength, page.field('Address optional').maxLength]).toEqual([200, 500]);
  expect(page.page.querySelector('a[href="/privacy"]')).not.toBeNull();
});

test('the notice lists all that registering stores, and why', async () => {
  await open({ step: 1 });
  expect(page.texts('dt')).toEqual([
    'Name, email, mobile number',
    'Password',
    'Company, its type, address',
    'State, districts, departments',
    'Version of the terms, date',
    'Your rights',
  ]);
  expect(page.texts('dd').slice(0, 5)).toEqual([
    'To sign you in and to send codes, receipts and the alerts you ask for.',
    'To check that it is you. We store only a hash of it, from which it cannot be read.',
    'For the receipts and invoices of your purchases.',
    'To show you tenders that fit, and to alert you to new ones.',
    'To know what you agreed to, and when.',
  ]);
});

test('a visitor who has an account gets to the sign-in, and can close the dialog', async () => {
  await open();
  await page.press('Sign in');
  expect(useAuthDialog.getState().open).toBe('sign-in');
  await page.press('Close');
  expect(events).toEqual(['closed']);
});
