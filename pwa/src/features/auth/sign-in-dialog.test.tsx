// @vitest-environment-options { "url": "http://localhost/" }
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, currentSession } from '../../data/session.ts';
import { openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { closeAuthDialog, useAuthDialog } from './dialogs.ts';
import { SignInDialog } from './SignInDialog.tsx';

const user = { _id: '7', username: 'Asha Verma', email: 'asha@builders.example', mobileNo: '+919876543210' };

let page: TestPage;
let events: string[];
let requests: Request[];
let answer: () => Response | Promise<Response>;

beforeEach(async () => {
  events = [];
  requests = [];
  answer = () => Response.json({ token: 'abc', user });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('/api/auth/login')) return new Response('', { status: 404 });
    requests.push(request.clone());
    return answer();
  });
  page = await openTestPage(<SignInDialog onClose={() => events.push('closed')} onDone={() => events.push('done')} />);
});
afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
  closeAuthDialog();
  clearSession();
});

const alerts = () => page.texts('[role="alert"]');
async function fill() {
  await page.enter('Mobile number', '98765 43210');
  await page.enter('Password', 'cloudy lamp 7');
}

test('the sign-in sends the typed values, stores the session and ends', async () => {
  await fill();
  await page.toggle('Remember me');
  await page.press('Sign in');
  await expect.poll(() => events).toEqual(['done']);
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(['POST /api/auth/login']);
  expect(await requests[0]?.json()).toEqual({
    mobileNo: '9876543210',
    countryCode: '+91',
    password: 'cloudy lamp 7',
    rememberMe: true,
  });
  expect(currentSession()?.token).toBe('abc');
});

test('a browser is not remembered unless its user wants it', async () => {
  await fill();
  await page.press('Sign in');
  await expect.poll(() => events).toEqual(['done']);
  expect(await requests[0]?.json()).toMatchObject({ rememberMe: false });
});

test('the fields are those that a password manager fills, and only India can be chosen', () => {
  expect(page.field('Mobile number').getAttribute('autocomplete')).toBe('tel-national');
  expect(page.field('Mobile number').inputMode).toBe('numeric');
  expect(page.field('Password').getAttribute('autocomplete')).toBe('current-password');
  expect(page.field('Password').type).toBe('password');
  expect([...page.field('Country code').options].map(({ value, text }) => [value, text])).toEqual([
    ['+91', '+91 India'],
  ]);
  expect(document.activeElement).toBe(page.field('Mobile number'));
});

test('an empty form is not sent, and each field says why', async () => {
  await page.press('Sign in');
  expect(page.errorAt('Mobile number')).toBe('Mobile number is required');
  expect(page.errorAt('Password')).toBe('Password is required');
  expect([requests, events]).toEqual([[], []]);
  await page.enter('Password', 'c');
  expect(page.errorAt('Password')).toBeUndefined();
  expect(page.errorAt('Mobile number')).toBe('Mobile number is required');
});

test('a refused sign-in says why, keeps the typed values and stays open', async () => {
  answer = () => Response.json({ message: 'Invalid mobile number or password' }, { status: 401 });
  await fill();
  await page.press('Sign in');
  await expect.poll(alerts).toEqual(['Invalid mobile number or password']);
  expect([page.field('Mobile number').value, page.field('Password').value]).toEqual(['9876543210', 'cloudy lamp 7']);
  expect(events).toEqual([]);
  expect(page.button('Sign in').disabled).toBe(false);
});

test('a field that the server refuses has its message', async () => {
  const message = 'Invalid mobile number format';
  answer = () => Response.json({ message, fields: { mobileNo: message } }, { status: 400 });
  await fill();
  await page.press('Sign in');
  await expect.poll(() => page.errorAt('Mobile number')).toBe(message);
  expect(page.errorAt('Password')).toBeUndefined();
});

test('a server without a reason and a missing network have their own texts', async () => {
  answer = () => Response.json({}, { status: 500 });
  await fill();
  await page.press('Sign in');
  await expect.poll(alerts).toEqual(['Failed to login']);
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await page.press('Sign in');
  await expect
    .poll(alerts)
    .toEqual(['Failed to login. No response from server. Please check your internet connection.']);
});

test('a browser that stores nothing says so', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    removeItem: () => undefined,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  await fill();
  await page.press('Sign in');
  await expect.poll(alerts).toEqual(['This browser does not store the sign-in. Allow this site to store data.']);
  expect(events).toEqual([]);
});

test('during the call nothing can be changed, and the call is made once', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  await fill();
  await page.press('Sign in');
  await expect.poll(() => page.button('Sign in').getAttribute('aria-busy')).toBe('true');
  for (const name of ['Sign in', 'Forgot password?', 'Sign up']) expect(page.button(name).disabled, name).toBe(true);
  expect(page.field('Remember me').disabled).toBe(true);
  expect(page.field('Country code').disabled).toBe(true);
  for (const label of ['Mobile number', 'Password']) expect(page.field(label).readOnly, label).toBe(true);
  await page.press('Sign in');
  resolve(Response.json({ token: 'abc', user }));
  await expect.poll(() => events).toEqual(['done']);
  expect(requests).toHaveLength(1);
});

test('the other dialogs and the close button are one tap away', async () => {
  await page.press('Forgot password?');
  expect(useAuthDialog.getState().open).toBe('reset-password');
  await page.press('Sign up');
  expect(useAuthDialog.getState().open).toBe('register');
  await page.press('Close');
  expect(events).toEqual(['closed']);
  expect(page.texts('h2')).toEqual(['Welcome Back']);
});
