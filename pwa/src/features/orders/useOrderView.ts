import type { OrderCheck } from '@nivida/contract/order';
import { useEffect, useRef, useState } from 'react';
import { forgetPaymentDraft } from './draft.ts';
import { browserWorld, type Follower, followOrder, type OrderView } from './follow.ts';
import { forgetIntent } from './intent.ts';
import { forgetPaid, rememberPaid } from './paid.ts';
import { forgetPending } from './pending.ts';

/** What is known of an order's payment now, and the way to ask anew. */
export interface FollowedOrder {
  view: OrderView;
  again: () => void;
}

/** An order that is known to have ended needs no memory; the next press at Pay is another order. */
function forget(orderId: string): void {
  void forgetPending(orderId);
  void forgetIntent();
}

/** Documents that are paid are not offered for money again on this device, unless the money went back. */
function note(orderId: string, { status, order }: OrderCheck): void {
  if (status === 'REFUNDED') void forgetPaid(orderId);
  else if (status === 'SUCCESS' && order.product === 'tender-documents' && order.tenderId)
    void rememberPaid({ orderId, tenderId: order.tenderId });
}

/** Follows an order for as long as it is shown; `path` is the name of the call on this screen (SPEC section 7). */
export function useOrderView(orderId: string, path: 'api/status-check' | 'api/payment-status'): FollowedOrder {
  const [view, setView] = useState<OrderView>({ kind: 'checking' });
  const follower = useRef<Follower>(undefined);

  useEffect(() => {
    const show = (next: OrderView) => {
      setView(next);
      if (next.kind !== 'known') return;
      forget(orderId);
      if (next.check.status === 'SUCCESS') forgetPaymentDraft();
      note(orderId, next.check);
    };
    const following = followOrder(orderId, show, browserWorld(path));
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
