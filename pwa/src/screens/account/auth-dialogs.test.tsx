// @vitest-environment-options { "url": "http://localhost/" }
import type { Messages } from '@lingui/core';
import { addTexts, setLanguage } from '@nivida/contract/i18n';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeAuthDialog, openAuthDialog, useAuthDialog } from '../../features/auth/dialogs.ts';
import {
  EMPTY_REGISTRATION_DRAFT,
  saveRegistrationDraft,
} from '../../features/auth/registration/registration-draft.ts';
import { dismissToast, showToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { AuthDialogs } from './AuthDialogs.tsx';
import { ResetPassword } from './ResetPassword.screen.tsx';

const user = { _id: '7', username: 'Asha Verma', email: 'asha@builders.example', mobileNo: '+919876543210' };
const SIGN_IN_FIRST = 'Please sign in to see that page. It opens right after.';

let page: TestPage;

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ token: 'abc', user }));
  // A browser fires the event later, when the frame of a dialog has been replaced by the dialog.
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
    this.removeAttribute('open');
    setTimeout(() => this.dispatchEvent(new Event('close')));
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  closeAuthDialog();
  clearSession();
  sessionStorage.clear();
  while (useToast.getState().current) dismissToast();
});

const open = async (address: Parameters<typeof openTestPage>[1] = '/') => {
  page = await openTestPage(<AuthDialogs />, address);
};
const toast = () => useToast.getState().current?.text;
const title = () => page.texts('dialog h2')[0];

async function signIn(): Promise<void> {
  await act(async () => openAuthDialog('sign-in'));
  await expect.poll(() => page.hasButton('Forgot password?')).toBe(true);
  await page.enter('Mobile number', '9876543210');
  await page.enter('Password', 'cloudy lamp 7');
  await page.press('Sign in');
  await expect.poll(title).toBeUndefined();
}

describe('a sign-in', () => {
  test('stays on the page', async () => {
    await open('/tenders?state=goa');
    await signIn();
    expect(page.address()).toBe('/tenders?state=goa');
    expect(useAuthDialog.getState().open).toBeNull();
  });

  test('that a page has asked for leads back to it, and the request for it is gone', async () => {
    await open({ pathname: '/', state: { returnTo: '/dashboard/profile?a=1#b' } });
    await expect.poll(toast).toBe(SIGN_IN_FIRST);
    const offer = useToast.getState().current?.action;
    expect(offer?.label).toBe('Sign in');
    await act(async () => offer?.run());
    await signIn();
    await expect.poll(page.address).toBe('/dashboard/profile?a=1#b');
    expect(toast()).toBeUndefined();
    // The way back does not lead to home once more.
    await act(async () => page.router.navigate(-1));
    expect(page.address()).toBe('/dashboard/profile?a=1#b');
  });

  test('is no longer asked for on another page, also after the language was changed', async () => {
    const [hindi] = Object.values(
      import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
    );
    addTexts('hi', hindi?.messages ?? {});
    await open({ pathname: '/', state: { returnTo: '/dashboard' } });
    await expect.poll(toast).toBe(SIGN_IN_FIRST);
    setLanguage('hi');
    await act(async () => page.router.navigate('/pricing'));
    setLanguage('en');
    expect(toast()).toBeUndefined();
  });

  test('leaves another message on the screen', async () => {
    await open({ pathname: '/', state: { returnTo: '/dashboard' } });
    await expect.poll(toast).toBe(SIGN_IN_FIRST);
    // One with an action does not end by itself.
    showToast({ text: 'A new version is here.', action: { label: 'Reload', run: () => undefined } });
    await signIn();
    expect(toast()).toBe('A new version is here.');
  });

  test('is not asked for when the user is signed in by now', async () => {
    signInForTest('7');
    await open({ pathname: '/', state: { returnTo: '/dashboard' } });
    expect(toast()).toBeUndefined();
  });
});

describe('a registration', () => {
  const LAST_STEP = {
    ...({ ...EMPTY_REGISTRATION_DRAFT, step: 2, name: 'Asha Verma', email: 'asha@builders.example' } as const),
    ...{ mobileNo: '9418273645', companyName: 'Trilochan', companyType: 'private', state: 'Goa' },
    ...{ districts: ['North Goa'], departments: ['Public Works Department'] },
  };
  async function register(): Promise<void> {
    await expect.poll(() => page.hasButton('Next')).toBe(true);
    await page.enter('Password at least 8 characters', 'cloudy lamp 7');
    await page.enter('Confirm password', 'cloudy lamp 7');
    await page.press('Next');
    await expect.poll(() => page.texts('label')).toContain('I agree to the Terms');
    await page.toggle('I agree to the Terms');
    await page.press('Register');
    await expect.poll(title).toBeUndefined();
  }
  beforeEach(() => saveRegistrationDraft({ ...LAST_STEP, verifiedAt: Date.now() - 1_000 }));

  test('starts on the dashboard', async () => {
    await open('/pricing');
    await act(async () => openAuthDialog('register'));
    await register();
    await expect.poll(page.address).toBe('/dashboard');
  });

  test('leads to the page that has asked for a sign-in', async () => {
    await open({ pathname: '/', state: { returnTo: '/bookmarks' } });
    await act(async () => openAuthDialog('register'));
    await register();
    await expect.poll(page.address).toBe('/bookmarks');
  });
});

describe('a request to register', () => {
  const requests = [
    ['of an address', '/?register=1&from=mail#plans', '/?from=mail#plans', null],
    [
      'of a page',
      { pathname: '/', state: { register: true, returnTo: '/bookmarks' } },
      '/',
      { returnTo: '/bookmarks' },
    ],
  ] as const;

  test.each(requests)('%s opens the registration once, and keeps the rest', async (_what, address, rest, state) => {
    await open(address);
    await expect.poll(title).toBe('Create Account');
    expect([page.address(), page.router.state.location.state]).toEqual([rest, state]);
    await act(async () => closeAuthDialog());
    await expect.poll(title).toBeUndefined();
  });

  test.each(requests)('%s does not concern a signed-in user', async (_what, address, rest, state) => {
    signInForTest('7');
    await open(address);
    await expect.poll(page.address).toBe(rest);
    expect([page.router.state.location.state, useAuthDialog.getState().open]).toEqual([state, null]);
  });

  test('counts on home only', async () => {
    await open('/tenders?register=1');
    expect([page.address(), useAuthDialog.getState().open]).toEqual(['/tenders?register=1', null]);
  });
});

test('a navigation closes the dialog, and a change of the address on the page does not', async () => {
  await open('/tenders');
  await act(async () => openAuthDialog('sign-in'));
  await expect.poll(title).toBe('Welcome Back');
  await act(async () => page.router.navigate('/tenders?page=2'));
  expect(title()).toBe('Welcome Back');
  await act(async () => page.router.navigate('/pricing'));
  await expect.poll(title).toBeUndefined();
});

test('each dialog has its title', async () => {
  await open();
  for (const [name, text] of [
    ['sign-in', 'Welcome Back'],
    ['reset-password', 'Reset Password'],
    ['register', 'Create Account'],
  ] as const) {
    await act(async () => openAuthDialog(name));
    await expect.poll(title).toBe(text);
  }
  await expect.poll(() => page.hasButton('Next')).toBe(true);
  await page.press('Close');
  await expect.poll(title).toBeUndefined();
});

describe('the page of a new password', () => {
  const NEW_PASSWORD = 'New password at least 8 characters';
  const TOKEN = 't'.repeat(43);
  const openReset = async (address: string) => {
    page = await openTestPage(<ResetPassword />, address);
  };
  async function submit(): Promise<void> {
    await page.enter(NEW_PASSWORD, 'monsoon-bridge-2026');
    await page.enter('Confirm password', 'monsoon-bridge-2026');
    await page.press('Reset Password');
  }

  test('without the token of a link asks for the link, and offers a new one', async () => {
    await openReset('/reset-password');
    expect(page.texts('[role="alert"]')).toEqual([
      'Open this page by the link in the email. The link works once, for 30 minutes.',
    ]);
    await page.press('Request a new link');
    expect(useAuthDialog.getState().open).toBe('reset-password');
  });

  test('takes the token out of the address at once, and sets the password by it', async () => {
    const tokens: unknown[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      tokens.push(JSON.parse(await request.clone().text()).token);
      return Response.json({ message: 'Your password is changed. Please sign in.' });
    });
    await openReset(`/reset-password#token=${TOKEN}`);
    await expect.poll(page.address).toBe('/reset-password');
    await submit();
    await expect
      .poll(() => page.texts('[role="status"]'))
      .toEqual(['Your password is changed. Sign in with it; all devices were signed out.']);
    expect(tokens).toEqual([TOKEN]);
    expect(document.activeElement).toBe(page.button('Sign in'));
    await page.press('Sign in');
    expect(useAuthDialog.getState().open).toBe('sign-in');
  });

  test('says why a link is dead, and works again with another link', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ message: 'This link has expired.' }, { status: 400 }));
    await openReset(`/reset-password#token=${TOKEN}`);
    await submit();
    await expect.poll(() => page.texts('[role="alert"]')).toEqual(['This link has expired.']);
    expect(page.page.querySelector('form')).toBeNull();
    await act(async () => page.router.navigate(`/reset-password#token=${'u'.repeat(43)}`));
    expect(page.texts('[role="alert"]')).toEqual([]);
    expect(page.field(NEW_PASSWORD).value).toBe('');
  });
});
