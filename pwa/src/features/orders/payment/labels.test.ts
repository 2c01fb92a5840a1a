import { describe, expect, test } from 'vitest';
import type { OrderView } from './follow-order.ts';
import { orderStatusLabel, paymentStatusText, productLabel } from './labels.ts';

const ORDER = { product: 'x', tenderId: null, title: 'Road', amountPaise: 9_900 };

function known(status: string, product = 'tender-documents', error?: string): OrderView {
  return { kind: 'known', check: { status, order: { ...ORDER, product }, ...(error && { error }) } };
}

describe('the texts of a payment', () => {
  test.each<[string, OrderView, string, string]>([
    ['paid documents', known('SUCCESS'), 'Payment Successful!', 'Documents will be sent to your email shortly.'],
    [
      'a paid plan',
      known('SUCCESS', 'yearly-subscription'),
      'Payment Successful!',
      'Your receipt will be sent to your email shortly.',
    ],
    ['a failure with a reason', known('FAILED', 'x', 'The bank said no'), 'Payment Failed', 'The bank said no'],
    ['a failure without one', known('FAILED'), 'Payment Failed', 'Please try again.'],
    ['an unknown status', known('LIMBO'), 'Payment Failed', 'Please try again.'],
    [
      'a refund',
      known('REFUNDED'),
      'Payment refunded',
      'The money goes back the way it came, to the card or account you paid with, within 5 working days.',
    ],
    [
      'five minutes without an answer',
      { kind: 'unconfirmed', check: { status: 'PENDING', order: ORDER } },
      'Not confirmed yet',
      'We have not received confirmation. If money left your account, do not pay again; we will email you.',
    ],
    [
      'a check that failed',
      { kind: 'error', message: 'Failed to check payment status', isFinal: false },
      'Error Checking Payment',
      'Failed to check payment status',
    ],
    [
      'a check under way',
      { kind: 'checking' },
      'Checking your payment',
      'This takes a few seconds. You may close this page: we email you in any case.',
    ],
    [
      'no connection',
      { kind: 'offline' },
      'Waiting for a connection',
      'You are offline. We check your payment when you are online again. Do not pay again.',
    ],
  ])('%s', (_case, view, title, text) => {
    expect(paymentStatusText(view, true)).toMatchObject({ title, text });
  });

  test('a failure says not to pay again for money that has left, and when it comes back', () => {
    const more =
      'If money left your account, do not pay again. It is matched with your order as soon as the bank confirms it, or comes back by itself within 5 working days.';
    expect(paymentStatusText(known('FAILED'), true).more).toBe(more);
    for (const view of [known('SUCCESS'), known('REFUNDED'), { kind: 'checking' } as const])
      expect(paymentStatusText(view, true).more).toBeUndefined();
  });

  test('a payment without confirmation says how long we ask the bank', () => {
    const check = { status: 'PENDING', order: ORDER };
    expect(paymentStatusText({ kind: 'unconfirmed', check }, true).more).toBe(
      'Some banks confirm hours later. We ask for up to 3 days, also while this page is closed.',
    );
  });

  test.each<[OrderView, string, string | null]>([
    [known('SUCCESS'), 'green', 'check'],
    [known('FAILED'), 'red', 'close'],
    [known('REFUNDED'), 'purple', 'back'],
    [{ kind: 'checking' }, 'blue', null],
    [{ kind: 'offline' }, 'amber', 'offline'],
    [{ kind: 'error', message: 'x', isFinal: true }, 'red', 'warning'],
    [{ kind: 'unconfirmed', check: { status: 'PENDING', order: ORDER } }, 'amber', 'clock'],
  ])('%j is shown in %s with the sign %s', (view, tone, icon) => {
    expect(paymentStatusText(view, true)).toMatchObject({ tone, icon });
  });

  test('a buyer who paid for a plan signed out reads how to get it', () => {
    const view = known('SUCCESS', 'yearly-subscription');
    expect(paymentStatusText(view, false).more).toBe(
      'Register or sign in with the same email address, and the plan is yours to use.',
    );
    expect(paymentStatusText(view, true).more).toBeUndefined();
    expect(paymentStatusText(known('SUCCESS'), false).more).toBeUndefined();
  });

  test.each([
    ['tender-documents', undefined, 'Tender documents (NIT & BOQ)'],
    ['tender-documents', 'nit-boq', 'Tender documents (NIT & BOQ)'],
    ['tender-documents', 'nit', 'Tender documents (NIT)'],
    ['yearly-subscription', undefined, 'Yearly subscription'],
    ['something-else', undefined, 'something-else'],
  ] as const)('the product %s with %s is called %s', (product, contents, name) => {
    expect(productLabel({ ...ORDER, product, ...(contents && { contents }) })).toBe(name);
  });
});

test.each([
  ['SUCCESS', 'Paid', 'green'],
  ['PENDING', 'Not confirmed yet', 'amber'],
  ['REFUNDED', 'Refunded', 'purple'],
  ['FAILED', 'Not paid', 'red'],
] as const)('an order that is %s stands in the list as "%s"', (status, label, tone) => {
  expect(orderStatusLabel(status)).toEqual({ label, tone });
});
