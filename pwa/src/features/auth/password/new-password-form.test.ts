// @vitest-environment node
import { HTTPError, type NormalizedOptions } from 'ky';
import { expect, test } from 'vitest';
import { isLinkRefused } from './NewPasswordForm.tsx';

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
