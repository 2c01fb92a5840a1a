// @vitest-environment node
import { expect, test } from 'vitest';
import { isRegistrationRequested, returnToOf, withoutRegistrationRequest } from './home-state.ts';

test.each([
  [{ returnTo: '/bookmarks?x=1#y' }, '/bookmarks?x=1#y'],
  [{ returnTo: '//elsewhere.example' }, null],
  [{ returnTo: 'https://elsewhere.example' }, null],
  [{ returnTo: 7 }, null],
  [{}, null],
  [null, null],
  ['text', null],
])('after signing in, the state %j leads to %s', (state, to) => {
  expect(returnToOf(state)).toBe(to);
});

test.each([
  ['', { register: true }, true],
  ['?register=1', null, true],
  ['?src=pwa&register=1', null, true],
  ['?register=0', { returnTo: '/bookmarks' }, false],
  ['', null, false],
])('home at "%s" with the state %j opens the registration: %s', (search, state, isPending) => {
  expect(isRegistrationRequested(search, state)).toBe(isPending);
});

test('the request to register is removed, and everything else stays', () => {
  expect(withoutRegistrationRequest('?src=pwa&register=1', { register: true, returnTo: '/dashboard' })).toEqual({
    search: 'src=pwa',
    state: { returnTo: '/dashboard' },
  });
  expect(withoutRegistrationRequest('?register=1', null)).toEqual({ search: '', state: null });
});
