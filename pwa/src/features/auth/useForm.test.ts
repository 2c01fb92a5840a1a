import { ForgotPasswordRequest, SignInForm } from '@nivida/contract/account/auth';
import { expect, test } from 'vitest';
import { validateForm, withoutFields } from './useForm.ts';

test('an empty sign-in says what is missing, field by field', () => {
  expect(validateForm(SignInForm, { mobileNo: '', password: '', rememberMe: false }).errors).toEqual({
    mobileNo: 'Mobile number is required',
    password: 'Password is required',
  });
  expect(validateForm(SignInForm, { mobileNo: '1234567890', password: 'short', rememberMe: false }).errors).toEqual({
    mobileNo: 'Please enter a valid 10-digit mobile number',
    password: 'Password must be at least 6 characters',
  });
});

test('what is right comes back as it is sent', () => {
  expect(validateForm(ForgotPasswordRequest, { email: ' Asha@Builders.EXAMPLE ' })).toEqual({
    sent: { email: 'Asha@builders.example' },
    errors: {},
  });
});

test('editing a field takes its error away and leaves the others', () => {
  expect(withoutFields({ name: 'a', email: 'b', otp: 'c' }, ['email', 'otp'])).toEqual({ name: 'a' });
});
