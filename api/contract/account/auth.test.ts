import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { i18n } from '../i18n.ts';
import {
  ChangePasswordRequest,
  COUNTRY_CODES,
  ForgotPasswordRequest,
  OtpVerifyRequest,
  RegistrationRequest,
  RegistrationStep1,
  RegistrationStep2,
  RegistrationStep3,
  ResetPasswordRequest,
  SignInForm,
  SignInRequest,
  SocialSignInRequest,
} from './auth.ts';

/** The first message of each invalid field. */
function messages(schema: v.GenericSchema, input: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  for (const issue of v.safeParse(schema, input).issues ?? []) found[v.getDotPath(issue) ?? ''] ??= issue.message;
  return found;
}

const CLOSED = 'The body holds a field that does not belong there';

describe('the sign-in form', () => {
  test('left empty says what is missing', () => {
    expect(messages(SignInForm, { mobileNo: '', password: '', rememberMe: false })).toEqual({
      mobileNo: 'Mobile number is required',
      password: 'Password is required',
    });
  });

  test('filled in wrongly shows a message for each field', () => {
    expect(messages(SignInForm, { mobileNo: '12345', password: '12345', rememberMe: false })).toEqual({
      mobileNo: 'Please enter a valid 10-digit mobile number',
      password: 'Password must be at least 6 characters',
    });
  });
});

describe('step 1 of the wizard', () => {
  test('left empty says what is missing', () => {
    expect(messages(RegistrationStep1, { name: '', email: '', mobileNo: '', countryCode: '+91' })).toEqual({
      name: 'Name is required',
      email: 'Email is required',
      mobileNo: 'Mobile number is required',
    });
  });

  test('accepts Indian numbers only', () => {
    const step = { name: 'Asha', email: 'asha@firm.example', mobileNo: '9812345678' };
    expect(messages(RegistrationStep1, { ...step, countryCode: '+91' })).toEqual({});
    for (const { code } of COUNTRY_CODES.slice(1))
      expect(messages(RegistrationStep1, { ...step, countryCode: code })).toEqual({
        countryCode: 'Please enter a valid 10-digit mobile number',
      });
  });

  test('offers 20 countries, India first', () => {
    expect(COUNTRY_CODES).toHaveLength(20);
    expect(COUNTRY_CODES[0].code).toBe('+91');
    expect(i18n._(COUNTRY_CODES[0].country)).toBe('India');
  });
});

describe('step 2 of the wizard', () => {
  test.each<[string, string, Record<string, string>]>([
    ['', '', { password: 'Password is required', confirmPassword: 'Please confirm your password' }],
    ['short', 'short', { password: 'Password must be at least 8 characters' }],
    ['quiet-river', '', { confirmPassword: 'Please confirm your password' }],
    ['quiet-river', 'quiet-rivers', { confirmPassword: 'Passwords do not match' }],
    ['quiet-river', 'quiet-river', {}],
    ['cafe\u0301-au-lait', 'caf\u00e9-au-lait', {}],
  ])('with "%s" and "%s"', (password, confirmPassword, expected) => {
    expect(messages(RegistrationStep2, { password, confirmPassword })).toEqual(expected);
  });
});

describe('step 3 of the wizard', () => {
  test('left empty says what is missing', () => {
    const empty = { companyName: '', companyType: '', state: '', districts: [], departments: [], agreeToTerms: false };
    expect(messages(RegistrationStep3, empty)).toEqual({
      companyName: 'Company name is required',
      companyType: 'Company type is required',
      state: 'State is required',
      districts: 'At least one district is required',
      departments: 'At least one department is required',
      agreeToTerms: 'You must agree to the terms and conditions',
    });
  });
});

const registration = {
  name: 'Asha Verma',
  email: 'asha@firm.example',
  mobileNo: '9812345678',
  password: 'quiet-river-72',
  companyName: 'Verma Builders',
  companyType: 'private',
  state: 'Himachal Pradesh',
  districts: ['Shimla'],
  departments: ['PWD'],
};

describe('the body of a registration', () => {
  test('that is empty gives a message for each missing field', () => {
    expect(messages(RegistrationRequest, {})).toEqual({
      name: 'Name is required',
      email: 'Email is required',
      mobileNo: 'Mobile number is required',
      password: 'Password is required',
      companyName: 'Company name is required',
      companyType: 'Company type is required',
      state: 'State is required',
      districts: 'At least one district is required',
      departments: 'At least one department is required',
    });
  });

  test('gets the defaults of SPEC', () => {
    expect(v.parse(RegistrationRequest, registration)).toEqual({
      ...registration,
      mobileNo: '+919812345678',
      countryCode: '+91',
      address: '',
      minPrice: 0,
      maxPrice: null,
    });
  });

  test.each<[object, Record<string, string>]>([
    [{ countryCode: '+1' }, { countryCode: 'Invalid mobile number format' }],
    [{ companyType: 'llp' }, { companyType: 'Company type is required' }],
    [{ companyType: ['private'] }, { companyType: 'Company type is required' }],
    [{ districts: 'Shimla' }, { districts: 'At least one district is required' }],
    [{ districts: [7] }, { 'districts.0': 'Each district must be text' }],
    [{ districts: Array(101).fill('Shimla') }, { districts: 'At most 100 districts' }],
    [{ departments: [{ name: 'PWD' }] }, { 'departments.0': 'Each department must be text' }],
    [{ departments: ['a'.repeat(101)] }, { 'departments.0': 'At most 100 characters' }],
    [{ address: 7 }, { address: 'The address must be text' }],
    [{ address: 'a'.repeat(501) }, { address: 'At most 500 characters' }],
    [{ address: 'The Mall\u0000Shimla' }, { address: 'Control characters are not allowed' }],
    [{ address: 'The Mall\r\nShimla' }, {}],
    [{ minPrice: '5' }, { minPrice: 'Please enter an amount in rupees' }],
    [{ minPrice: -1 }, { minPrice: 'Please enter an amount in rupees' }],
    [{ maxPrice: Number.POSITIVE_INFINITY }, { maxPrice: 'Please enter an amount in rupees' }],
    [{ maxPrice: 1e14 }, { maxPrice: 'Please enter an amount in rupees' }],
    [{ maxPrice: null }, {}],
    [{ confirmPassword: 'quiet-river-72' }, { confirmPassword: CLOSED }],
    [{ agreeToTerms: true }, { agreeToTerms: CLOSED }],
    [{ role: 'admin' }, { role: CLOSED }],
  ])('%j', (changes, expected) => {
    expect(messages(RegistrationRequest, { ...registration, ...changes })).toEqual(expected);
  });
});

test('a device is remembered only when the user asks for it', () => {
  expect(v.parse(SignInRequest, { mobileNo: '9812345678', password: '123456' }).rememberMe).toBe(false);
});

describe('the other bodies', () => {
  test.each<[string, v.GenericSchema, unknown, Record<string, string>]>([
    [
      'an empty sign-in',
      SignInRequest,
      {},
      { mobileNo: 'Mobile number is required', password: 'Password is required' },
    ],
    [
      'a word for remember me',
      SignInRequest,
      { mobileNo: '9812345678', password: '123456', rememberMe: 'yes' },
      { rememberMe: 'Remember me must be true or false' },
    ],
    ['forgetting without an email', ForgotPasswordRequest, {}, { email: 'Email is required' }],
    [
      'a reset without anything',
      ResetPasswordRequest,
      {},
      { token: 'This link is not complete', newPassword: 'Password is required' },
    ],
    [
      'a cut link',
      ResetPasswordRequest,
      { token: 'a'.repeat(42), newPassword: 'quiet-river' },
      { token: 'This link is not complete' },
    ],
    ['a whole link', ResetPasswordRequest, { token: 'aB-_'.repeat(10).concat('xyz'), newPassword: 'quiet-river' }, {}],
    [
      'a change without anything',
      ChangePasswordRequest,
      {},
      { currentPassword: 'Password is required', newPassword: 'Password is required' },
    ],
    ['a check without a code', OtpVerifyRequest, { email: 'asha@firm.example' }, { otp: 'Please enter the OTP' }],
    ['google without a token', SocialSignInRequest, {}, { token: 'Failed to login with google' }],
    [
      'google with a long one',
      SocialSignInRequest,
      { token: 'a'.repeat(8_193) },
      { token: 'Failed to login with google' },
    ],
  ])('%s', (_name, schema, input, expected) => {
    expect(messages(schema, input)).toEqual(expected);
  });
});
