/** The state of an order in the words of the outside. */
import type { OrderStatus } from '@nivida/contract/orders/order';
import type { OrderEntity, OrderState } from './order.entity.ts';

const PUBLIC_STATUS: Readonly<Record<OrderState, OrderStatus>> = {
  CREATED: 'PENDING',
  PENDING: 'PENDING',
  // Somebody looks at it, and the buyer must not pay again.
  REVIEW: 'PENDING',
  SUCCESS: 'SUCCESS',
  FAILED: 'FAILED',
  EXPIRED: 'FAILED',
  REFUND_PENDING: 'REFUNDED',
  REFUNDED: 'REFUNDED',
};

/** What the outside is told. */
export const publicOrderStatus = (state: OrderState): OrderStatus => PUBLIC_STATUS[state];

/** Whether the order may still be paid on a page that is open. */
export const isOpenOrder = ({ status }: Pick<OrderEntity, 'status'>): boolean =>
  status === 'CREATED' || status === 'PENDING';

/** Whether it has ended without a payment; another try, or money that comes late, may still pay it. */
export const isUnpaidOrder = ({ status }: Pick<OrderEntity, 'status'>): boolean =>
  status === 'FAILED' || status === 'EXPIRED';

/** Whether a payment was taken for the order and has granted what it is for, or is on its way back. */
export const isGrantedOrder = ({ status }: Pick<OrderEntity, 'status'>): boolean =>
  status === 'SUCCESS' || status === 'REFUND_PENDING' || status === 'REFUNDED';

/** How an order ended that was not paid. */
export function unpaidReason({
  status,
  failure,
}: Pick<OrderEntity, 'status' | 'failure'>): 'declined' | 'cancelled' | 'expired' {
  if (status === 'EXPIRED') return 'expired';
  return failure?.includes('CANCEL') ? 'cancelled' : 'declined';
}

const UNPAID_MESSAGES = {
  expired: 'The payment was not completed in time. Please try again.',
  cancelled: 'The payment was cancelled.',
  declined: 'The payment was declined. Please try again.',
};

/** Why it is not paid, for the buyer; undefined where there is nothing to say. */
export function unpaidMessage(order: Pick<OrderEntity, 'status' | 'failure'>): string | undefined {
  return isUnpaidOrder(order) ? UNPAID_MESSAGES[unpaidReason(order)] : undefined;
}
