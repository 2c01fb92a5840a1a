import { describe, expect, test } from 'vitest';
import type { StoredOrderStatus } from './order.entity.ts';
import {
  isOpenOrder,
  isSettledOrder,
  isUnconfirmedOrder,
  isUnpaidOrder,
  publicOrderStatus,
  unpaidMessage,
  unpaidReason,
} from './order-status.ts';

test.each<[StoredOrderStatus, string, string]>([
  ['CREATED', 'PENDING', 'open'],
  ['PENDING', 'PENDING', 'open'],
  ['REVIEW', 'PENDING', ''],
  ['SUCCESS', 'SUCCESS', 'settled'],
  ['FAILED', 'FAILED', 'unpaid'],
  ['EXPIRED', 'FAILED', 'unpaid'],
  ['REFUND_PENDING', 'REFUNDED', 'settled'],
  ['REFUNDED', 'REFUNDED', 'settled'],
])('an order that is %s is %s for its buyer, and %s', (status, shown, group) => {
  expect(publicOrderStatus(status)).toBe(shown);
  const groups = [
    isOpenOrder({ status }) && 'open',
    isUnpaidOrder({ status }) && 'unpaid',
    isSettledOrder({ status }) && 'settled',
  ];
  expect(groups.filter(Boolean)).toEqual(group === '' ? [] : [group]);
});

describe('an order is unconfirmed', () => {
  const pageEnd = new Date('2026-11-10T12:00:00+05:30');
  const isUnconfirmed = (status: StoredOrderStatus, msAfterPage: number) =>
    isUnconfirmedOrder({ status, expiresAt: pageEnd }, new Date(pageEnd.getTime() + msAfterPage));

  test('from the end of its page, for three days', () => {
    const threeDays = 3 * 86_400_000;
    const seen = [-1, 0, threeDays - 1, threeDays].map((ms) => isUnconfirmed('PENDING', ms));
    expect(seen).toEqual([false, true, true, false]);
  });

  test.each<StoredOrderStatus>(['CREATED', 'REVIEW', 'SUCCESS', 'FAILED', 'EXPIRED', 'REFUND_PENDING', 'REFUNDED'])(
    'never while it is %s',
    (status) => {
      expect(isUnconfirmed(status, 0)).toBe(false);
    },
  );
});

describe('an unpaid order', () => {
  test.each<[StoredOrderStatus, string | null, string, string]>([
    ['EXPIRED', null, 'expired', 'The payment was not completed in time. Please try again.'],
    ['EXPIRED', 'TXN_CANCELLED', 'expired', 'The payment was not completed in time. Please try again.'],
    ['FAILED', 'TXN_CANCELLED', 'cancelled', 'The payment was cancelled.'],
    ['FAILED', 'CANCELLED_BY_USER', 'cancelled', 'The payment was cancelled.'],
    ['FAILED', 'UPI_DECLINED', 'declined', 'The payment was declined. Please try again.'],
    ['FAILED', null, 'declined', 'The payment was declined. Please try again.'],
  ])('that is %s by %s was %s', (status, failure, reason, message) => {
    expect([unpaidReason({ status, failure }), unpaidMessage({ status, failure })]).toEqual([reason, message]);
  });

  test.each<StoredOrderStatus>(['CREATED', 'PENDING', 'REVIEW', 'SUCCESS', 'REFUND_PENDING', 'REFUNDED'])(
    'is none that is %s',
    (status) => {
      expect(unpaidMessage({ status, failure: 'UPI_DECLINED' })).toBeUndefined();
    },
  );
});
