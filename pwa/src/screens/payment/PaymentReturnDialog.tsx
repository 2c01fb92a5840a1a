import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { takePendingOrderId } from '../../features/orders/payment/pending-order.ts';
import { PaymentStatusDialog } from '../lazy-tenders.tsx';

/** The payment's result in a dialog over the tender, after the buyer has returned from the payment page. */
export function PaymentReturnDialog({ onRetry }: { onRetry: () => void }) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  // The address has precedence over the tab's storage (R42). The storage is always read and cleared (SPEC
  // section 4).
  const [orderId, setOrderId] = useState(() => new URLSearchParams(search).get('id'));
  useEffect(() => {
    const remembered = takePendingOrderId();
    setOrderId((present) => present || remembered);
  }, []);
  if (!orderId) return null;

  const close = () => {
    setOrderId(null);
    const rest = new URLSearchParams(search);
    rest.delete('id');
    // Going back or reloading must not open the dialog again.
    void navigate({ pathname, search: rest.toString(), hash }, { replace: true, state, preventScrollReset: true });
  };
  const retry = () => {
    close();
    onRetry();
  };
  return (
    <PaymentStatusDialog
      orderId={orderId}
      isBack={!new URLSearchParams(search).has('id')}
      onRetry={retry}
      onClose={close}
    />
  );
}
