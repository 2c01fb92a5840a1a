// @vitest-environment-options { "url": "http://localhost/" }
import { beforeEach, expect, test } from 'vitest';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { deletePaymentDraft, readPaymentDraft, savePaymentDraft } from './payment-draft.ts';

const DRAFT = {
  buyer: {
    ...{ name: 'Asha Negi', mobileNo: '9816041122', email: 'asha@example.in', billingState: 'Goa' },
    ...{ gstin: '03ABCDE1234F1ZA', firm: 'Negi & Co', firmAddress: 'Theog' },
  },
  planId: 'basic',
  states: ['Punjab'],
};
const EMPTY = { buyer: {}, planId: null, states: [] };

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  clearSession();
});

test('the typed values are restored until the order is paid', () => {
  expect(readPaymentDraft()).toEqual(EMPTY);
  savePaymentDraft(DRAFT);
  expect(readPaymentDraft()).toEqual(DRAFT);
  deletePaymentDraft();
  expect(readPaymentDraft()).toEqual(EMPTY);
});

test('values typed signed out are not shown to a user who signs in', () => {
  savePaymentDraft(DRAFT);
  signInForTest('7');
  expect(readPaymentDraft()).toEqual(EMPTY);
  deletePaymentDraft();
  clearSession();
  expect(readPaymentDraft()).toEqual(DRAFT);
});

test('of a stored draft only the texts are read', () => {
  sessionStorage.setItem('payment form of ', '{"buyer":{"name":"Asha","email":7},"planId":7,"states":["Goa",7,null]}');
  expect(readPaymentDraft()).toEqual({ buyer: { name: 'Asha' }, planId: null, states: ['Goa'] });
});

test.each(['7', '[]', '"x"', 'null', '{"buyer":7,"states":"x","planId":[]}', '{"buyer":{"name":7,"other":"x"}}'])(
  'a draft of another shape is empty: %s',
  (text) => {
    sessionStorage.setItem('payment form of ', text);
    expect(readPaymentDraft()).toEqual(EMPTY);
  },
);
