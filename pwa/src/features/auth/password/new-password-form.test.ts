// @vitest-environment-options { "url": "http://localhost/" }
import { HTTPError, type NormalizedOptions } from 'ky';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { isLinkRefused, NewPasswordForm } from './NewPasswordForm.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const request = new Request('http://localhost/api/auth/reset-password');
const failure = (status: number, data: object) =>
  Object.assign(new HTTPError(new Response(null, { status }), request, {} as NormalizedOptions), { data });

test.each([
  [400, { fields: { token: 'Unknown' } }, true],
  [410, {}, true],
  // The same link can be used again.
  [400, { fields: { newPassword: 'Too weak' } }, false],
  [408, {}, false],
  [429, {}, false],
  [503, {}, false],
])('an answer %i with %j means that the link is no longer valid: %s', (status, data, isRefused) => {
  expect(isLinkRefused(failure(status, data))).toBe(isRefused);
});

test('a call without an answer does not mean that', () => {
  expect(isLinkRefused(new TypeError('Failed to fetch'))).toBe(false);
});

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
  const deadBecause: string[] = [];
  const page = document.createElement('div');
  document.body.append(page);
  const form = createElement(NewPasswordForm, {
    token: 'x'.repeat(43),
    onDone: () => undefined,
    onDeadLink: (why: string) => deadBecause.push(why),
  });
  await act(async () => createRoot(page).render(form));
  for (const input of page.querySelectorAll('input')) {
    input.value = 'monsoon-bridge-2026';
    await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
  }
  await act(async () => page.querySelector('form')?.requestSubmit());
  await expect.poll(() => page.textContent).toContain(reason);
  expect(deadBecause).toEqual(isDead ? [reason] : []);
});
