// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { buyerOfSession, normaliseTypedGstin, validateBuyer } from './buyer.ts';

const BUYER = {
  name: 'Asha Negi',
  mobileNo: '9816041122',
  email: 'asha@example.in',
  billingState: '',
  gstin: '',
  firm: '',
  firmAddress: '',
};

describe('the payment form', () => {
  test.each([
    ['name', '', 'Name is required'],
    ['mobileNo', '', 'Mobile number is required'],
    ['mobileNo', '12345', 'Please enter a valid 10-digit mobile number'],
    ['email', '', 'Email is required'],
    ['email', 'asha', 'Please enter a valid email address'],
    ['gstin', '02AAAAA0000A1Z0', 'Please enter a valid 15-character GSTIN'],
  ])('%s %j: %s', (field, value, message) => {
    expect(validateBuyer({ ...BUYER, [field]: value })).toEqual({ errors: { [field]: message } });
  });

  const FIRM = { gstin: '02ABCDE1234F1ZC', billingState: 'Himachal Pradesh', firm: 'Negi & Co', firmAddress: 'Theog' };
  test.each([
    ['firm', ' ', 'Name of the firm is required'],
    ['firmAddress', '', 'Address of the firm is required'],
    ['firmAddress', '  ', 'Address of the firm is required'],
    ['gstin', '03ABCDE1234F1ZA', 'This GSTIN is registered in Punjab (03), not in Himachal Pradesh'],
  ])('with a GSTIN, %s %j: %s', (field, value, message) => {
    expect(validateBuyer({ ...BUYER, ...FIRM }).errors).toEqual({});
    expect(validateBuyer({ ...BUYER, ...FIRM, [field]: value })).toEqual({ errors: { [field]: message } });
  });

  test('a complete GSTIN chooses its State', () => {
    expect(normaliseTypedGstin(' 03abcde1234f1za ')).toEqual({ gstin: '03ABCDE1234F1ZA', billingState: 'Punjab' });
    expect(normaliseTypedGstin('03abcde1234f1z')).toEqual({ gstin: '03ABCDE1234F1Z' });
    expect(normaliseTypedGstin('03ABCDE1234F1Z0')).toEqual({ gstin: '03ABCDE1234F1Z0' });
    expect(normaliseTypedGstin('03 ABCDE 1234 F1ZA, Punjab')).toEqual({
      gstin: '03ABCDE1234F1ZA',
      billingState: 'Punjab',
    });
  });

  test('shows all errors at once', () => {
    expect(validateBuyer({ ...BUYER, name: '', gstin: FIRM.gstin }).errors).toEqual({
      name: 'Name is required',
      firm: 'Name of the firm is required',
      firmAddress: 'Address of the firm is required',
    });
  });

  test('without a GSTIN sends nothing of the firm, also when the profile holds one', () => {
    const profile = { firm: 'Negi & Co', firmAddress: '12 Mall Road\nShimla' };
    expect(validateBuyer({ ...BUYER, ...profile })).toEqual({ sent: BUYER, errors: {} });
  });

  test('sends a firm with its GSTIN and State', () => {
    expect(validateBuyer({ ...BUYER, ...FIRM })).toEqual({ sent: { ...BUYER, ...FIRM }, errors: {} });
  });

  test('needs neither State nor GSTIN', () => {
    expect(validateBuyer(BUYER).sent).toEqual(BUYER);
  });
});

test('a signed-in buyer has the name, number and address of the account, without +91', () => {
  const user = { _id: '1', username: 'Asha Negi', email: 'asha@example.in', mobileNo: '+919816041122' };
  expect(buyerOfSession({ token: 't', user, issuedAt: null, expiresAt: null })).toEqual({
    name: 'Asha Negi',
    mobileNo: '9816041122',
    email: 'asha@example.in',
  });
});

test('a buyer who is signed out has none', () => {
  expect(buyerOfSession(null)).toEqual({ name: '', mobileNo: '', email: '' });
});
