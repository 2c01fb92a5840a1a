// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { EMPTY_REGISTRATION, firstRefusedStep, toRegistrationBody, validateStep } from './registration.ts';

const person = {
  ...EMPTY_REGISTRATION,
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
    expect(validateStep(EMPTY_REGISTRATION)).toEqual({
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
    expect(validateStep({ ...person, [field]: value })).toEqual({ [field]: message });
  });

  test('refuses the number of another country at the number', () => {
    expect(validateStep({ ...person, countryCode: '+1' })).toEqual({
      mobileNo: 'Please enter a valid 10-digit mobile number',
    });
  });

  test('asks to verify the address, at the code while its field is shown', () => {
    const unverified = { ...person, verifiedAt: null };
    expect(validateStep(unverified)).toEqual({ otp: 'Please verify your email with OTP first' });
    expect(validateStep({ ...unverified, codeSentAt: null })).toEqual({
      email: 'Please verify your email with OTP first',
    });
    expect(validateStep(person)).toEqual({});
  });
});

test.each([
  ['', '', { password: 'Password is required', confirmPassword: 'Please confirm your password' }],
  ['short', 'short', { password: 'Password must be at least 8 characters' }],
  ['cloudy lamp 7', '', { confirmPassword: 'Please confirm your password' }],
  ['cloudy lamp 7', 'cloudy lamp 8', { confirmPassword: 'Passwords do not match' }],
  ['cloudy lamp 7', 'cloudy lamp 7', {}],
])('step 2 with "%s" and "%s"', (password, confirmPassword, errors) => {
  expect(validateStep({ ...person, step: 2, password, confirmPassword })).toEqual(errors);
});

test('step 3 asks for everything but the address', () => {
  expect(validateStep({ ...EMPTY_REGISTRATION, step: 3 })).toEqual({
    companyName: 'Company name is required',
    companyType: 'Company type is required',
    state: 'State is required',
    districts: 'At least one district is required',
    departments: 'At least one department is required',
    agreeToTerms: 'You must agree to the terms and conditions',
  });
  expect(validateStep({ ...whole, step: 3, agreeToTerms: true })).toEqual({});
});

test('the body has neither the confirmation nor the consent', () => {
  expect(
    toRegistrationBody({
      ...whole,
      name: ' Asha Verma ',
      email: ' asha@builders.example ',
      companyName: ' Verma Builders ',
      address: ' Mall Road\nShimla ',
      password: 'cafe\u0301 lamp 7',
    }),
  ).toEqual({
    name: 'Asha Verma',
    email: 'asha@builders.example',
    mobileNo: '9876543210',
    countryCode: '+91',
    password: 'caf\u00e9 lamp 7',
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

describe('a refusal by the server', () => {
  test.each([
    [{ mobileNo: 'An account with this mobile number already exists' }, 1],
    [{ name: 'Name is required' }, 1],
    [{ email: 'Email is required' }, 1],
    [{ otp: 'Please enter the OTP' }, 1],
    [{ countryCode: 'Invalid mobile number format' }, 1],
    [{ password: 'This password is too common', mobileNo: 'Mobile number is required' }, 1],
    [{ password: 'This password is too common' }, 2],
    [{ confirmPassword: 'Passwords do not match' }, 2],
    [{ 'districts.0': 'At least one district is required', password: 'Too common' }, 2],
    [{ state: 'State is required' }, 3],
    [{ minPrice: 'Not a number' }, 3],
  ])('of %j is shown at step %i', (fields, step) => {
    expect(firstRefusedStep(fields)?.step).toBe(step);
  });

  test('without a field stays at the present step', () => {
    expect(firstRefusedStep({})).toBeNull();
  });

  test('of a list item is shown at the list, of the country code at the number, of the verification at the address', () => {
    expect(firstRefusedStep({ 'districts.0': 'a', countryCode: 'b', otp: 'c' })?.errors).toEqual({
      districts: 'a',
      mobileNo: 'b',
      email: 'c',
    });
  });
});
