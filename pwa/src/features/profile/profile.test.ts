// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { normaliseEmail, profileFields, validateProfile } from './profile.ts';

const right = { username: 'Asha Verma', email: 'asha@example.in', mobileNo: '9876543210' };

test('the form starts with what is stored, the number without +91', () => {
  const user = { _id: '7', username: 'Asha Verma', email: 'asha@example.in', mobileNo: '+919876543210' };
  expect(profileFields(user)).toEqual({ username: 'Asha Verma', email: 'asha@example.in', mobileNo: '9876543210' });
});

describe('the profile', () => {
  test('that is complete can be sent', () => {
    expect(validateProfile(right)).toEqual({ sent: right, errors: {} });
  });

  test.each([
    ['username', '  ', 'Username is required'],
    ['email', '', 'Email is required'],
    ['email', 'asha@', 'Please enter a valid email address'],
    ['mobileNo', '', 'Please enter a valid 10-digit mobile number'],
    ['mobileNo', '987654321', 'Please enter a valid 10-digit mobile number'],
    ['mobileNo', '5876543210', 'Please enter a valid 10-digit mobile number'],
  ])('whose %s is "%s" is not sent: %s', (name, value, message) => {
    expect(validateProfile({ ...right, [name]: value })).toEqual({ errors: { [name]: message } });
  });
});

test.each([
  ['', 'Please enter the OTP'],
  ['12345', 'The OTP has 6 digits'],
  ['12345a', 'The OTP has 6 digits'],
  [' 123456 ', undefined],
])('the code "%s": %s', (code, message) => {
  expect(validateProfile(right, code).errors.otp).toBe(message);
});

test.each([
  [' Asha@Example.IN ', 'Asha@example.in'],
  ['asha@', ''],
])('the address "%s" is compared as "%s"', (typed, email) => {
  expect(normaliseEmail(typed)).toBe(email);
});
