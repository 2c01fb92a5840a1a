// @vitest-environment-options { "url": "http://localhost/" }
import { HTTPError, type NormalizedOptions } from 'ky';
import { afterEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage } from '../../../ui/test-page.tsx';
import { isLinkRefused, NewPasswordForm } from './NewPasswordForm.tsx';
import { StrengthHint } from './StrengthHint.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
});

const request = new Request('http://localhost/api/auth/reset-password');
const failure = (status: number, data: object) =>
  Object.assign(new HTTPError(new Response(null, { status }), request, {} as NormalizedOptions), { data });

test.each([
  [400, { fields: { token: 'Unknown' } }, true],
  [410, {}, true],
  [499, {}, true],
  [500, {}, false],
  // The same link can be used again.
  [400, { fields: { newPassword: 'Too weak' } }, false],
  [408, {}, false],
  [429, {}, false],
  [503, {}, false],
])('an answer %i with %j means that the link is no longer valid: %s', (status, data, isRefused) => {
  expect(isLinkRefused(failure(status, data))).toBe(isRefused);
});

test('a call without an answer does not mean that the link was refused', () => {
  expect(isLinkRefused(new TypeError('Failed to fetch'))).toBe(false);
});

const NEW_PASSWORD = 'New password at least 8 characters';

/** The form of a link, and what it reports: 'done', or why its link is no longer valid. */
async function openForm() {
  const events: string[] = [];
  const form = await openTestPage(
    <NewPasswordForm
      token={'x'.repeat(43)}
      onDone={() => events.push('done')}
      onDeadLink={(why: string) => events.push(why)}
    />,
  );
  return { ...form, events };
}

const WEAK = 'This password is too common. Please choose another';
const UNKNOWN = 'This link does not work. Use the link of the newest mail, or request a new one.';
const FAILED = 'Failed to reset password';

test.each<[string, Response | undefined, string, boolean]>([
  ['a weak password', Response.json({ message: WEAK, fields: { newPassword: WEAK } }, { status: 400 }), WEAK, false],
  ['a failure of the server', Response.json({}, { status: 500 }), FAILED, false],
  ['a missing network', undefined, FAILED, false],
  ['an unknown link', Response.json({ message: UNKNOWN }, { status: 400 }), UNKNOWN, true],
])('after %s the form says why, and only a refused link needs a new one', async (_name, answer, reason, isDead) => {
  vi.stubGlobal('fetch', async () => answer ?? Promise.reject(new TypeError('Failed to fetch')));
  const { fill, press, text, texts, errorAt, events } = await openForm();
  await fill({ [NEW_PASSWORD]: 'monsoon-bridge-2026', 'Confirm password': 'monsoon-bridge-2026' });
  await press('Reset Password');
  await expect.poll(text).toContain(reason);
  expect(events).toEqual(isDead ? [reason] : []);
  // What is wrong with the password is said at its field only.
  expect(texts('[role="alert"]')).toEqual(reason === WEAK ? [] : [expect.stringContaining(reason)]);
  expect(errorAt(NEW_PASSWORD)).toBe(reason === WEAK ? WEAK : undefined);
});

test('the new password is sent with the token of the link, once both fields are the same', async () => {
  const requests: Request[] = [];
  vi.stubGlobal('fetch', async (sent: Request) => {
    requests.push(sent.clone());
    return Response.json({ message: 'Your password is changed. Please sign in.' });
  });
  const page = await openForm();
  for (const label of [NEW_PASSWORD, 'Confirm password'])
    expect(page.field(label).getAttribute('autocomplete')).toBe('new-password');
  await page.press('Reset Password');
  expect([page.errorAt(NEW_PASSWORD), page.errorAt('Confirm password')]).toEqual([
    'Password is required',
    'Please confirm your password',
  ]);
  await page.enter(NEW_PASSWORD, 'monsoon-bridge-2026');
  await page.enter('Confirm password', 'monsoon-bridge-2025');
  await page.press('Reset Password');
  expect([page.errorAt(NEW_PASSWORD), page.errorAt('Confirm password')]).toEqual([undefined, 'Passwords do not match']);
  expect(requests).toEqual([]);
  await page.enter('Confirm password', 'monsoon-bridge-2026');
  await page.press('Reset Password');
  await expect.poll(() => page.events).toEqual(['done']);
  expect(new URL(requests[0]?.url ?? '').pathname).toBe('/api/auth/reset-password');
  expect(await requests[0]?.json()).toEqual({ token: 'x'.repeat(43), newPassword: 'monsoon-bridge-2026' });
});

test.each([
  ['', 'gray', '12 or more characters are safer.'],
  ['ashaverma1', 'red', 'Weak: easy to guess. Add words that do not belong together.'],
  ['kT7#q!2m', 'amber', 'Fair: 12 or more characters are safer.'],
  ['cloudy lamp 7', 'green', 'Good.'],
  ['cloudy lamp walks to mandi', 'green', 'Strong.'],
])('the hint about "%s" is %s: %s', async (password, tone, text) => {
  const page = await openTestPage(<StrengthHint password={password} known={['Asha Verma']} />);
  const hint = page.page.querySelector<HTMLElement>('[role="status"]');
  expect([hint?.dataset.tone, hint?.textContent]).toEqual([tone, text]);
});
