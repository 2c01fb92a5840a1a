import { describe, expect, test } from 'vitest';
import {
  firstRefusedStep,
  toRegistrationBody,
  validateCompanyStep,
  validatePasswordStep,
  validatePersonStep,
} from './registration.ts';
import { EMPTY_REGISTRATION_DRAFT } from './registration-draft.ts';

const person = {
  ...EMPTY_REGISTRATION_DRAFT,
  name: 'Asha Verma',
  email: 'asha@builders.example',
  codeSentAt: 1,
  verifiedAt: 2,
  mobileNo: '9876543210',
};
const whole = {
  ...person,
  companyName: 'Verma Builders',
  companyType: 'private',
  state: 'Delhi',
  districts: ['New Delhi'],
  departments: ['Delhi Jal Board'],
};

describe('step 1', () => {
  test('asks for name, email and mobile number', () => {
    expect(validatePersonStep(EMPTY_REGISTRATION_DRAFT)).toEqual({
      name: 'Name is required',
      email: 'Email is required',
      mobileNo: 'Mobile number is required',
    });
  });

  test.each([
    ['email', 'asha@', 'Please enter a valid email address'],
    ['mobileNo', '5876543210', 'Please enter a valid 10-digit mobile number'],
    ['mobileNo', '98765', 'Please enter a valid 10-digit mobile number'],
  ])('with %s "%s" says: %s', (field, value, message) => {
    expect(validatePersonStep({ ...person, [field]: value })).toEqual({ [field]: message });
  });

  test('refuses the number of another country at the number', () => {
    expect(validatePersonStep({ ...person, countryCode: '+1' })).toEqual({
      mobileNo: 'Please enter a valid 10-digit mobile number',
    });
  });

  test('cannot be left before the address is verified, which is said where the code is asked for', () => {
    const unverified = { ...person, verifiedAt: null };
    expect(validatePersonStep(unverified)).toEqual({ otp: 'Please verify your email with OTP first' });
    expect(validatePersonStep({ ...unverified, codeSentAt: null })).toEqual({
      email: 'Please verify your email with OTP first',
    });
    expect(validatePersonStep(person)).toEqual({});
  });
});

test.each([
  ['', '', { password: 'Password is required', confirmPassword: 'Please confirm your password' }],
  ['short', 'short', { password: 'Password must be at least 8 characters' }],
  ['cloudy lamp 7', '', { confirmPassword: 'Please confirm your password' }],
  ['cloudy lamp 7', 'cloudy lamp 8', { confirmPassword: 'Passwords do not match' }],
  ['cloudy lamp 7', 'cloudy lamp 7', {}],
])('step 2 with "%s" and "%s"', (password, confirmPassword, errors) => {
  expect(validatePasswordStep({ password, confirmPassword })).toEqual(errors);
});

test('step 3 asks for everything but the address', () => {
  expect(validateCompanyStep(EMPTY_REGISTRATION_DRAFT, false)).toEqual({
    companyName: 'Company name is required',
    companyType: 'Company type is required',
    state: 'State is required',
    districts: 'At least one district is required',
    departments: 'At least one department is required',
    agreeToTerms: 'You must agree to the terms and conditions',
  });
  expect(validateCompanyStep(whole, true)).toEqual({});
});

test('what is sent is the payload without the confirmation and the consent', () => {
  const secrets = { password: 'cloudy lamp 7', confirmPassword: 'cloudy lamp 7' };
  expect(toRegistrationBody({ ...whole, name: ' Asha Verma ', address: ' Mall Road\nShimla ' }, secrets)).toEqual({
    name: 'Asha Verma',
    email: 'asha@builders.example',
    mobileNo: '9876543210',
    countryCode: '+91',
    password: 'cloudy lamp 7',
    companyName: 'Verma Builders',
    companyType: 'private',
    state: 'Delhi',
    districts: ['New Delhi'],
    departments: ['Delhi Jal Board'],
    address: 'Mall Road\nShimla',
    minPrice: 0,
    maxPrice: null,
  });
});

describe('what the server refuses', () => {
  test.each([
    [{ mobileNo: 'An account with this mobile number already exists' }, 1],
    [{ password: 'This password is too common' }, 2],
    [{ 'districts.0': 'At least one district is required', password: 'Too common' }, 2],
    [{ state: 'State is required' }, 3],
    [{ minPrice: 'Not a number' }, 3],
  ])('in %j is shown at step %i', (fields, step) => {
    expect(firstRefusedStep(fields)?.step).toBe(step);
  });

  test('without naming a field stays where it is', () => {
    expect(firstRefusedStep({})).toBeNull();
  });

  test('of a list stands at the list, of the country code at the number, of the proof at the address', () => {
    expect(firstRefusedStep({ 'districts.0': 'a', countryCode: 'b', otp: 'c' })?.errors).toEqual({
      districts: 'a',
      mobileNo: 'b',
      email: 'c',
    });
  });
});
