/** When the reconciler checks an order again: often while a buyer waits, rarely for late payments. */
import { MAX_UNCONFIRMED_MS } from '@nivida/contract/orders/payment-times';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@nivida/contract/time';
import type { OrderEntity } from '../order.entity.ts';
import { isOpenOrder } from '../order-status.ts';

const SECOND_MS = 1_000;

/** A later payment, counted from the start of its attempt, goes to review. */
export const MAX_LATE_PAYMENT_MS = 7 * DAY_MS;

const CHECK_INTERVALS = [
  20 * SECOND_MS,
  40 * SECOND_MS,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
];
// A second debit may follow a settled one, and its webhook may be lost.
const CHECKS_AFTER_PAYMENT = [5 * MINUTE_MS, HOUR_MS, DAY_MS];

/** The longest interval between two checks. */
export const MAX_CHECK_INTERVAL_MS = DAY_MS;

/** The interval before check number `checks` (from 0); at most 30 minutes. */
export const checkInterval = (checks: number): number =>
  CHECK_INTERVALS[Math.min(checks, CHECK_INTERVALS.length - 1)] as number;

/** The time of the check after one at `now`; null when nothing more is expected. */
export function computeNextCheck(
  order: Pick<OrderEntity, 'status' | 'paidAt' | 'expiresAt' | 'checks'>,
  now: Date,
): Date | null {
  const at = (ms: number) => new Date(ms);
  switch (order.status) {
    case 'SUCCESS': {
      const paid = (order.paidAt ?? now).getTime();
      const pause = CHECKS_AFTER_PAYMENT.find((ms) => paid + ms > now.getTime());
      return pause === undefined ? null : at(paid + pause);
    }
    case 'REVIEW':
    case 'REFUND_PENDING':
    case 'REFUNDED':
      return null;
  }
  // An old order may have a new checkout.
  const end = order.expiresAt.getTime();
  const age = now.getTime() - end;
  if (age >= MAX_LATE_PAYMENT_MS) return null;
  const pause =
    age >= DAY_MS ? 6 * HOUR_MS : order.checks >= CHECK_INTERVALS.length ? HOUR_MS : checkInterval(order.checks);
  const next = now.getTime() + pause;
  // The checkout and the wait for a pending payment are checked when they end.
  const nextEnd = [end, ...(isOpenOrder(order) ? [end + MAX_UNCONFIRMED_MS] : [])].find((ms) => ms > now.getTime());
  return at(nextEnd === undefined ? next : Math.min(next, nextEnd));
}
