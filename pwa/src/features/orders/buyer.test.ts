import { describe, expect, test } from 'vitest';
import { buyerOf, checkBuyer, typedMobile } from './buyer.ts';

const BUYER = { name: 'Asha Negi', mobileNo: '9816041122', email: 'asha@example.in', billingState: '', gstin: '' };

describe('the payment form', () => {
  test.each([
    ['name', '', 'Name is required'],
    ['mobileNo', '', 'Mobile number is required'],
    ['mobileNo', '12345', 'Please enter a valid 10-digit mobile number'],
    ['email', '', 'Email is required'],
    ['email', 'asha', 'Please enter a valid email address'],
    ['gstin', '02AAAAA0000A1Z0', 'Please enter a valid 15-character GSTIN'],
  ])('%s %j: %s', (field, value, message) => {
    const { buyer, errors } = checkBuyer({ ...BUYER, [field]: value });
    expect(buyer).toBeNull();
    expect(errors).toEqual({ [field]: message });
  });

  test('needs neither State nor GSTIN', () => {
    expect(checkBuyer(BUYER).buyer).toEqual(BUYER);
  });
});

test.each([
  ['9816041122', '9816041122'],
  ['+91 98160 41122', '9816041122'],
  ['09816041122', '9816041122'],
  ['98160411223344', '9816041122'],
])('the mobile number %s becomes %s', (typed, mobile) => {
  expect(typedMobile(typed)).toBe(mobile);
});

test('whoever is signed in buys as the account is known, without +91', () => {
  const user = { _id: '1', username: 'Asha Negi', email: 'asha@example.in', mobileNo: '+919816041122' };
  expect(buyerOf({ token: 't', user, issuedAt: null, expiresAt: null })).toEqual({
    name: 'Asha Negi',
    mobileNo: '9816041122',
    email: 'asha@example.in',
  });
});
