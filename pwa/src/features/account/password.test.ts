import { expect, test } from 'vitest';
import { validatePasswords } from './password.ts';

test('a known password and a new one of 8 characters can be sent', () => {
  expect(validatePasswords({ currentPassword: 'secret', newPassword: 'monsoons' })).toEqual({});
});

test.each([
  ['', 'monsoons', { currentPassword: 'Password is required' }],
  ['short', 'monsoons', { currentPassword: 'Password must be at least 6 characters' }],
  ['secret', '', { newPassword: 'Password is required' }],
  ['secret', 'monsoon', { newPassword: 'Password must be at least 8 characters' }],
])('the password "%s" and the new one "%s" are not sent', (currentPassword, newPassword, errors) => {
  expect(validatePasswords({ currentPassword, newPassword })).toEqual(errors);
});
