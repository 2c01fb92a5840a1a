import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { AcceptedResponse, DocumentRequestBody } from './documents.ts';
import {
  CreateOrderRequest,
  CreateOrderResponse,
  gstinStateError,
  missingBilling,
  ORDER_ID_PATTERN,
  OrderStatusQuery,
  OrderStatusResponse,
  PaymentForm,
  PlanStatesRequest,
} from './order.ts';

const BUYER = { name: 'Asha Verma', mobileNo: '9805512345', email: 'asha@builders.example' };
const DOCUMENTS = {
  ...{ ...BUYER, amount: 99, redirectUrl: '/tenders/7' },
  ...{ product: 'tender-documents', tenderId: '7' },
};
const PLAN = {
  ...{ ...BUYER, amount: 5_899, redirectUrl: '/payment-status' },
  ...{ product: 'yearly-subscription', planId: 'basic' },
};
const FIRM = { gstin: '02AAACB1234C1ZR', firm: 'Bhatia & Co', firmAddress: '2 The Mall, Shimla 171001' };
const NO_FIRM = { billingState: '', gstin: '', firm: '', firmAddress: '' };

/** The first message for a value; undefined for a valid one. */
const problem = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).issues?.[0].message;
const order = (changes: object) => problem(CreateOrderRequest, { ...DOCUMENTS, ...changes });
const plan = (changes: object) => problem(CreateOrderRequest, { ...PLAN, ...changes });

describe('an order', () => {
  test('is read with its missing fields empty, and its number with +91', () => {
    const mobileNo = '+919805512345';
    expect(v.parse(CreateOrderRequest, DOCUMENTS)).toEqual({ ...DOCUMENTS, ...NO_FIRM, mobileNo });
    expect(v.parse(CreateOrderRequest, PLAN)).toEqual({ ...PLAN, ...NO_FIRM, mobileNo, states: [] });
  });

  test('is read without the spaces around its texts', () => {
    const padded = {
      gstin: ' 02aaacb1234c1zr ',
      firm: ' Bhatia & Co ',
      firmAddress: ' Shimla ',
      billingState: ' Goa ',
    };
    expect(v.parse(CreateOrderRequest, { ...DOCUMENTS, ...padded })).toMatchObject({
      ...{ gstin: '02AAACB1234C1ZR', firm: 'Bhatia & Co', firmAddress: 'Shimla', billingState: 'Goa' },
    });
  });

  test.each(['99', '99.5', '99.55', '5899', '1234567.00', 99, 0, -1, 98.999])('may name %j rupees', (amount) => {
    expect(order({ amount })).toBeUndefined();
  });

  test.each(['', '99.', '.5', '99.555', '12345678', '-99', '+99', '9e1', ' 99', 'free', '₹99', null, [99], undefined])(
    'cannot name %j rupees',
    (amount) => {
      expect(order({ amount })).toBe('amount must be rupees');
    },
  );

  test.each([
    ['name', 100, {}],
    ['firm', 150, FIRM],
    ['firmAddress', 300, FIRM],
    ['billingState', 60, {}],
    ['redirectUrl', 1_000, {}],
    ['tenderId', 10, {}],
  ])('may have a %s of %i characters and no more', (field, maxCharacters, more) => {
    expect(order({ ...more, [field]: '1'.repeat(maxCharacters) })).toBeUndefined();
    expect(order({ ...more, [field]: '1'.repeat(maxCharacters + 1) })).toEqual(expect.any(String));
  });

  test('counts a sign of two code units as one character', () => {
    expect(order({ ...FIRM, firm: '🏗'.repeat(150) })).toBeUndefined();
    expect(order({ ...FIRM, firm: '🏗'.repeat(151) })).toBe('At most 150 characters');
  });

  test.each([
    ['a tender that is no number', { tenderId: '7a' }, 'tenderId is not a tender id'],
    ['a tender as a number', { tenderId: 7 }, 'tenderId must be text'],
    ['an empty tender', { tenderId: '' }, 'tenderId is not a tender id'],
    ['documents that are no number', { documentId: 'x' }, 'tenderId is not a tender id'],
    ['a page that is no text', { redirectUrl: 7 }, 'redirectUrl must be text'],
    ['a product that is not sold', { product: 'x' }, 'Unknown product'],
    ['a plan', { planId: 'basic' }, 'The body holds a field that does not belong there'],
    ['states', { states: [] }, 'The body holds a field that does not belong there'],
    ['a firm of two lines', { firm: 'a\nb' }, 'Line breaks and control characters are not allowed'],
    [
      'an address with a control character',
      { firmAddress: 'a\u0007b' },
      'Line breaks and control characters are not allowed',
    ],
    ['a GSTIN with a wrong check digit', { gstin: '02AAACB1234C1Z0' }, 'Please enter a valid 15-character GSTIN'],
    [
      'a GSTIN from outside India',
      { gstin: '99AAACB1234C1Z4' },
      'Code 99 is for firms outside India, our tax invoice cannot carry it. Leave it empty',
    ],
    ['an answer that is none', { again: 'yes' }, expect.any(String)],
  ])('of documents with %s is refused', (_what, changes, message) => {
    expect(order(changes)).toEqual(message);
  });

  test.each([
    ['an unknown plan', { planId: 'gold' }, 'Unknown plan'],
    ['a tender', { tenderId: '7' }, 'The body holds a field that does not belong there'],
    ['the answer to a warning', { again: true }, 'The body holds a field that does not belong there'],
    ['37 states', { states: Array(37).fill('Goa') }, expect.any(String)],
    ['a state of 61 characters', { states: ['a'.repeat(61)] }, expect.any(String)],
  ])('of a plan with %s is refused', (_what, changes, message) => {
    expect(plan(changes)).toEqual(message);
    expect(plan({ states: Array(36).fill('a'.repeat(60)) })).toBeUndefined();
  });
});

test('the payment form has the messages of the registration, and keeps the number without +91', () => {
  expect(v.parse(PaymentForm, { ...BUYER, ...FIRM, billingState: 'Goa' })).toEqual({
    ...{ ...BUYER, ...FIRM, billingState: 'Goa' },
  });
  expect(v.parse(PaymentForm, BUYER)).toEqual({ ...BUYER, ...NO_FIRM });
  expect(problem(PaymentForm, { ...BUYER, name: ' ' })).toBe('Name is required');
  expect(problem(PaymentForm, { ...BUYER, mobileNo: '12345' })).toBe('Please enter a valid 10-digit mobile number');
  expect(problem(PaymentForm, { ...BUYER, email: 'asha' })).toBe('Please enter a valid email address');
});

test.each([
  [{ ...NO_FIRM }, {}],
  [{ ...FIRM }, {}],
  [{ ...FIRM, firm: '' }, { firm: 'Name of the firm is required' }],
  [{ ...FIRM, firmAddress: '' }, { firmAddress: 'Address of the firm is required' }],
])('of %j is missing: %j', (billing, missing) => {
  expect(missingBilling(billing)).toEqual(missing);
});

test.each([
  ['02AAACB1234C1ZR', 'Punjab', 'This GSTIN is registered in Himachal Pradesh (02), not in Punjab'],
  ['02AAACB1234C1ZR', 'Himachal Pradesh', undefined],
  ['02AAACB1234C1ZR', '', undefined],
  ['', 'Punjab', undefined],
  ['99AAACB1234C1Z4', 'Punjab', undefined],
])('the GSTIN %j with the State %j: %s', (gstin, billingState, error) => {
  expect(gstinStateError({ gstin, billingState })).toBe(error);
});

test.each([
  ['AZaz09-_AZaz09-_AZaz09', true],
  ['AZaz09-_AZaz09-_AZaz0', false],
  ['AZaz09-_AZaz09-_AZaz099', false],
  ['AZaz09-_AZaz09-_AZaz0+', false],
  ['\nAZaz09-_AZaz09-_AZaz09', false],
])('%j is the public id of an order: %s', (id, isId) => {
  expect(ORDER_ID_PATTERN.test(id)).toBe(isId);
});

test('a status query without a single order id is refused with a message', () => {
  expect(v.parse(OrderStatusQuery, { id: 'abc' })).toEqual({ id: 'abc' });
  for (const query of [{ id: '' }, { id: ['a', 'b'] }, {}])
    expect(problem(OrderStatusQuery, query)).toBe('Order ID is missing');
});

test('states are chosen for a plan, one at least and 36 at most', () => {
  const choose = (states: unknown, more: object = {}) => problem(PlanStatesRequest, { states, ...more });
  expect(choose(['Goa'])).toBeUndefined();
  expect(choose(Array(36).fill('a'.repeat(60)))).toBeUndefined();
  expect(choose([])).toBe('Please choose a state');
  expect(choose(Array(37).fill('Goa'))).toEqual(expect.any(String));
  expect(choose(['a'.repeat(61)])).toEqual(expect.any(String));
  expect(choose(['Goa'], { planId: 'basic' })).toBe('The body holds a field that does not belong there');
});

describe('an answer', () => {
  const order = { product: 'something-else', tenderId: null, title: 'Road', amountPaise: 9_900 };
  const CHECK = { status: 'SOMETHING_NEW', order };

  test('about an order of a newer server is read: an unknown status and product are none of the app’s errors', () => {
    expect(v.parse(OrderStatusResponse, CHECK)).toEqual(CHECK);
    expect(problem(OrderStatusResponse, { ...CHECK, order: { product: 'x' } })).toEqual(expect.any(String));
  });

  test('that names no order or no message is refused', () => {
    expect(problem(CreateOrderResponse, { url: 'https://pay.example' })).toEqual(expect.any(String));
    expect(problem(CreateOrderResponse, { url: 'https://pay.example', orderId: 'a' })).toBeUndefined();
    expect(problem(AcceptedResponse, {})).toEqual(expect.any(String));
  });
});

test('missing documents are asked for with an e-mail address or, signed in, without one', () => {
  expect(v.parse(DocumentRequestBody, {})).toEqual({});
  expect(problem(DocumentRequestBody, { email: 'asha' })).toBe('Please enter a valid email address');
  expect(problem(DocumentRequestBody, { name: 'Asha' })).toBe('The body holds a field that does not belong there');
});
