// @vitest-environment-options { "url": "http://localhost/" }
import { afterEach, expect, test, vi } from 'vitest';
import { resetPassword } from '../auth-api.ts';
import { isLinkRefused } from './NewPasswordForm.tsx';

afterEach(() => vi.unstubAllGlobals());

test.each([
  [400, { fields: { token: 'Unknown' } }, true],
  [410, {}, true],
  // The same link can be used again.
  [400, { fields: { newPassword: 'Too weak' } }, false],
  [408, {}, false],
  [429, {}, false],
  [503, {}, false],
])('an answer %i with %j means that the link is no longer valid: %s', async (status, said, isRefused) => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 'INVALID', message: 'No', requestId: 'r', ...said }, { status }),
  );
  const error = await resetPassword('token', 'cloudy lamp 7').catch((failure: unknown) => failure);
  expect(isLinkRefused(error)).toBe(isRefused);
});
