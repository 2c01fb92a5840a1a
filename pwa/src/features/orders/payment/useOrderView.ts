import type { OrderStatusResponse } from '@nivida/contract/orders/order';
import { useEffect, useRef, useState } from 'react';
import { deletePaymentIntent } from '../checkout/idempotency-key.ts';
import { deletePaymentDraft } from '../checkout/payment-draft.ts';
import { deletePaidOrder, storePaidOrder } from '../paid-orders.ts';
import { browserEnvironment, followOrder, type OrderFollower, type OrderView } from './follow-order.ts';
import { deletePendingOrder } from './pending-order.ts';

/** The state of an order's payment, and a function that starts the polling again. */
interface FollowedOrder {
  view: OrderView;
  again: () => void;
}

/** Deletes the pending order and its key, so that the next payment is another order. */
function deleteOrderMemory(orderId: string): void {
  void deletePendingOrder(orderId);
  void deletePaymentIntent();
}

/**
 * Stores on this device that documents are paid, so that they are not offered again. Deletes it when they
 * were refunded.
 */
function storePaymentState(orderId: string, { status, order }: OrderStatusResponse): void {
  if (status === 'REFUNDED') void deletePaidOrder(orderId);
  else if (status === 'SUCCESS' && order.product === 'tender-documents' && order.tenderId)
    void storePaidOrder({ orderId, tenderId: order.tenderId });
}

/** Polls an order while it is shown. `path` is the name of the call on this screen (SPEC section 7). */
export function useOrderView(orderId: string, path: 'api/status-check' | 'api/payment-status'): FollowedOrder {
  const [view, setView] = useState<OrderView>({ kind: 'checking' });
  const follower = useRef<OrderFollower>(undefined);

  useEffect(() => {
    const show = (next: OrderView) => {
      setView(next);
      if (next.kind !== 'known') return;
      deleteOrderMemory(orderId);
      if (next.check.status === 'SUCCESS') deletePaymentDraft();
      storePaymentState(orderId, next.check);
    };
    const following = followOrder(orderId, show, browserEnvironment(path));
    follower.current = following;
    const onVisible = () => document.visibilityState === 'visible' && following.wake();
    window.addEventListener('online', following.wake);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      following.stop();
      window.removeEventListener('online', following.wake);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [orderId, path]);

  return { view, again: () => follower.current?.again() };
}
