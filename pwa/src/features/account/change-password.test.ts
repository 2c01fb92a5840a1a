import { ChangePasswordRequest } from '@nivida/contract/account/auth';
import { describe, expect, test } from 'vitest';
import { validateForm } from '../../ui/form/useForm.ts';

describe('a change of the password', () => {
  test('is sent with a known password and a new one of 8 characters', () => {
    const passwords = { currentPassword: 'secret', newPassword: 'monsoons' };
    expect(validateForm(ChangePasswordRequest, passwords)).toEqual({ sent: passwords, errors: {} });
  });

  test.each([
    ['', 'monsoons', { currentPassword: 'Password is required' }],
    ['short', 'monsoons', { currentPassword: 'Password must be at least 6 characters' }],
    ['secret', '', { newPassword: 'Password is required' }],
    ['secret', 'monsoon', { newPassword: 'Password must be at least 8 characters' }],
  ])('from "%s" to "%s" is not sent', (currentPassword, newPassword, errors) => {
    expect(validateForm(ChangePasswordRequest, { currentPassword, newPassword })).toEqual({ errors });
  });
});
