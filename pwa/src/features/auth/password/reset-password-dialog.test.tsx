// @vitest-environment-options { "url": "http://localhost/" }
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestPage, type TestPage } from '../../../ui/test-page.tsx';
import { closeAuthDialog, useAuthDialog } from '../dialogs.ts';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';

let page: TestPage;
let closed: number;
let requests: Request[];
let answer: () => Response | Promise<Response>;

beforeEach(async () => {
  closed = 0;
  requests = [];
  answer = () => Response.json({ message: 'A link has been sent' });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('/api/auth/forgot-password')) return new Response('', { status: 404 });
    requests.push(request.clone());
    return answer();
  });
  const onClose = () => {
    closed += 1;
  };
  page = await openTestPage(<ResetPasswordDialog onClose={onClose} />);
});
afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
  closeAuthDialog();
});

const alerts = () => page.texts('[role="alert"]');

test('the address is typed with the keyboard for addresses, or filled by the browser', () => {
  const { type, inputMode, autocomplete } = page.field('Email');
  expect([type, inputMode, autocomplete]).toEqual(['email', 'email', 'email']);
});

test('the link is requested for the typed address, and the dialog names it', async () => {
  await page.enter('Email', ' Asha@Builders.Example ');
  await page.press('Send Reset Link');
  await expect
    .poll(() => page.texts('[role="status"]'))
    .toEqual(["Check your emailWe've sent password reset instructions to Asha@builders.example"]);
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /api/auth/forgot-password',
  ]);
  expect(await requests[0]?.json()).toEqual({ email: 'Asha@builders.example' });
  expect(page.page.querySelector('form')).toBeNull();
  expect(page.texts('footer button')).toEqual(['Close']);
  const close = page.page.querySelector<HTMLElement>('footer button');
  await expect.poll(() => document.activeElement === close).toBe(true);
  close?.click();
  expect(closed).toBe(1);
});

test('an invalid address is not sent', async () => {
  await page.press('Send Reset Link');
  expect(page.errorAt('Email')).toBe('Email is required');
  await page.enter('Email', 'asha@');
  expect(page.errorAt('Email')).toBeUndefined();
  await page.press('Send Reset Link');
  expect(page.errorAt('Email')).toBe('Please enter a valid email address');
  expect(requests).toEqual([]);
});

test.each<[string, () => Response | Promise<Response>, string]>([
  [
    'of the server',
    () => Response.json({ message: 'Too many attempts. Please try again in 1 hour.' }, { status: 429 }),
    'Too many attempts. Please try again in 1 hour.',
  ],
  ['without a reason', () => Response.json({}, { status: 500 }), 'Failed to process request'],
  [
    'of the network',
    () => Promise.reject(new TypeError('Failed to fetch')),
    'Failed to process request. No response from server. Please check your internet connection.',
  ],
])('a failure %s is shown, and the address stays', async (_what, failing, text) => {
  answer = failing;
  await page.enter('Email', 'asha@builders.example');
  await page.press('Send Reset Link');
  await expect.poll(alerts).toEqual([text]);
  expect(page.field('Email').value).toBe('asha@builders.example');
  expect(page.text()).not.toContain('Check your email');
});

test('an address that the server refuses has its message', async () => {
  const message = 'Please enter a valid email address';
  answer = () => Response.json({ message, fields: { email: message } }, { status: 400 });
  await page.enter('Email', 'asha@builders.example');
  await page.press('Send Reset Link');
  await expect.poll(() => page.errorAt('Email')).toBe(message);
});

test('Cancel leads back to the sign-in, but not during the call', async () => {
  await page.press('Cancel');
  expect(useAuthDialog.getState().open).toBe('sign-in');
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  await page.enter('Email', 'asha@builders.example');
  await page.press('Send Reset Link');
  await expect.poll(() => page.button('Send Reset Link').getAttribute('aria-busy')).toBe('true');
  expect([page.button('Cancel').disabled, page.button('Send Reset Link').disabled]).toEqual([true, true]);
  expect(page.field('Email').readOnly).toBe(true);
  resolve(Response.json({ message: 'A link has been sent' }));
  await expect.poll(() => page.text()).toContain('Check your email');
});
