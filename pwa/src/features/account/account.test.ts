// @vitest-environment node
import { ChangePasswordRequest } from '@nivida/contract/account/auth';
import { describe, expect, test } from 'vitest';
import { validateForm } from '../../ui/form/useForm.ts';
import { exportFileName } from './export.ts';

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

test('the file of an account export is named after the Indian day', () => {
  expect(exportFileName('json', new Date('2026-11-20T19:00:00Z'))).toBe('nivida-my-data-2026-11-21.json');
  expect(exportFileName('csv', new Date('2026-11-20T18:00:00Z'))).toBe('nivida-my-data-2026-11-20.csv');
});
