/** Order statuses as clients and buyers see them. */
import { t } from '@lingui/core/macro';
import type { OrderStatus } from '@nivida/contract/orders/order';
import { MAX_UNCONFIRMED_MS } from '@nivida/contract/orders/payment-times';
import type { OrderEntity, StoredOrderStatus } from './order.entity.ts';

const PUBLIC_STATUS: Readonly<Record<StoredOrderStatus, OrderStatus>> = {
  CREATED: 'PENDING',
  PENDING: 'PENDING',
  // The operator decides; the buyer must not pay again.
  REVIEW: 'PENDING',
  SUCCESS: 'SUCCESS',
  FAILED: 'FAILED',
  EXPIRED: 'FAILED',
  REFUND_PENDING: 'REFUNDED',
  REFUNDED: 'REFUNDED',
};

export const publicOrderStatus = (status: StoredOrderStatus): OrderStatus => PUBLIC_STATUS[status];

/** Whether the order has, or may still get, an open payment page. */
export const isOpenOrder = ({ status }: Pick<OrderEntity, 'status'>): boolean =>
  status === 'CREATED' || status === 'PENDING';

/** Whether the payment page has ended but the provider has not decided yet. It decides within MAX_UNCONFIRMED_MS. */
export function isUnconfirmedOrder(
  { status, expiresAt }: Pick<OrderEntity, 'status' | 'expiresAt'>,
  now: Date,
): boolean {
  const ageMs = now.getTime() - expiresAt.getTime();
  return status === 'PENDING' && ageMs >= 0 && ageMs < MAX_UNCONFIRMED_MS;
}

/** Whether the order ended unpaid. Another attempt or a late payment may still pay it. */
export const isUnpaidOrder = ({ status }: Pick<OrderEntity, 'status'>): boolean =>
  status === 'FAILED' || status === 'EXPIRED';

/** Whether a payment has settled the order: the product is granted, or the money is or will be refunded. A further payment is refunded. */
export const isSettledOrder = ({ status }: Pick<OrderEntity, 'status'>): boolean =>
  status === 'SUCCESS' || status === 'REFUND_PENDING' || status === 'REFUNDED';

/** Why the order ended unpaid. */
export function unpaidReason({
  status,
  failure,
}: Pick<OrderEntity, 'status' | 'failure'>): 'declined' | 'cancelled' | 'expired' {
  if (status === 'EXPIRED') return 'expired';
  return failure?.includes('CANCEL') ? 'cancelled' : 'declined';
}

const UNPAID_TEXTS = {
  expired: () => t`The payment was not completed in time. Please try again.`,
  cancelled: () => t`The payment was cancelled.`,
  declined: () => t`The payment was declined. Please try again.`,
};

/** The reason for the buyer; undefined for an order that has not ended unpaid. */
export function unpaidMessage(order: Pick<OrderEntity, 'status' | 'failure'>): string | undefined {
  return isUnpaidOrder(order) ? UNPAID_TEXTS[unpaidReason(order)]() : undefined;
}
