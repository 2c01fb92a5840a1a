import { ForgotPassword, SignInForm } from '@nivida/contract/auth';
import { expect, test } from 'vitest';
import { check, without } from './form.ts';

test('an empty sign-in says what is missing, field by field', () => {
  expect(check(SignInForm, { mobileNo: '', password: '', rememberMe: false }).errors).toEqual({
    mobileNo: 'Mobile number is required',
    password: 'Password is required',
  });
  expect(check(SignInForm, { mobileNo: '1234567890', password: 'short', rememberMe: false }).errors).toEqual({
    mobileNo: 'Please enter a valid 10-digit mobile number',
    password: 'Password must be at least 6 characters',
  });
});

test('what is right comes back as it is sent', () => {
  expect(check(ForgotPassword, { email: ' Asha@Builders.EXAMPLE ' })).toEqual({
    sent: { email: 'Asha@builders.example' },
    errors: {},
  });
});

test('editing a field takes its error away and leaves the others', () => {
  expect(without({ name: 'a', email: 'b', otp: 'c' }, ['email', 'otp'])).toEqual({ name: 'a' });
});
