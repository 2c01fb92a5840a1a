import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { ContinuePayment } from '../../features/orders/payment/ContinuePayment.tsx';
import { paymentStatusText } from '../../features/orders/payment/labels.ts';
import { PaymentResult } from '../../features/orders/payment/PaymentResult.tsx';
import { takePendingOrderId } from '../../features/orders/payment/pending-order.ts';
import { useOrderView } from '../../features/orders/payment/useOrderView.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PaidOrderActions } from './PaidOrderActions.tsx';

const SAVE_PAGE_TEXT = 'Save the page of your order: it gives your documents and the receipt again.';

interface PaymentStatusDialogProps {
  orderId: string;
  /** True when the buyer opened the tender again without the payment page. */
  isBack: boolean;
  /** Opens the access dialog again. */
  onRetry: () => void;
  onClose: () => void;
}

function PaymentStatusDialog({ orderId, isBack, onRetry, onClose }: PaymentStatusDialogProps) {
  const isSignedIn = useSession() !== null;
  const { view, again } = useOrderView(orderId, 'api/status-check');
  const statusText = paymentStatusText(view, isSignedIn);
  const order = view.kind === 'known' ? view.check.order : null;
  const isPaid = order !== null && statusText.tone === 'green';
  return (
    <Dialog title={statusText.title} onClose={onClose}>
      <PaymentResult
        outcome={statusText}
        view={view}
        orderId={orderId}
        hint={isSignedIn ? undefined : SAVE_PAGE_TEXT}
        heading={<span className="sr">{statusText.title}</span>}
      >
        {isPaid && <PaidOrderActions orderId={orderId} order={order} />}
        {isPaid && !isSignedIn && (
          <ButtonLink to={`/payment-status?id=${encodeURIComponent(orderId)}`}>Page of your order</ButtonLink>
        )}
        {isBack && 'check' in view && view.check?.status === 'PENDING' && <ContinuePayment orderId={orderId} />}
        {view.kind === 'known' && statusText.tone === 'red' && (
          <Button look="main" onClick={onRetry}>
            Try Again
          </Button>
        )}
        {view.kind === 'error' && (
          <Button look="main" onClick={again}>
            Try Again
          </Button>
        )}
        {view.kind === 'unconfirmed' && <Button onClick={again}>Check again</Button>}
        <Button onClick={onClose}>Close</Button>
      </PaymentResult>
    </Dialog>
  );
}

/** The payment's result, in a dialog over the tender screen after the return from the payment page. */
export function PaymentReturnDialog({ onRetry }: { onRetry: () => void }) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  // the address wins over the tab's storage (R42), which is always read and cleared (SPEC section 4)
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
    // going back or reloading must not open the dialog again
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
