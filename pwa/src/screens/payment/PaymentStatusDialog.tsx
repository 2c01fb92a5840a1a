import { t } from '@lingui/core/macro';
import { useSession } from '../../data/session.ts';
import { OrderDownloadButton } from '../../features/documents/DownloadButton.tsx';
import { ContinuePayment } from '../../features/orders/payment/ContinuePayment.tsx';
import { paymentStatusText } from '../../features/orders/payment/labels.ts';
import { PaymentResult } from '../../features/orders/payment/PaymentResult.tsx';
import { useOrderView } from '../../features/orders/payment/useOrderView.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PaidOrderActions } from './PaidOrderActions.tsx';

interface PaymentStatusDialogProps {
  orderId: string;
  /** True when the buyer opened the tender again without returning from the payment page. */
  isBack: boolean;
  /** Opens the access dialog again. */
  onRetry: () => void;
  onClose: () => void;
}

/** The state of a payment in a dialog. */
export function PaymentStatusDialog({ orderId, isBack, onRetry, onClose }: PaymentStatusDialogProps) {
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
        hint={isSignedIn ? undefined : t`Save the page of your order: it gives your documents and the receipt again.`}
        heading={<span className="sr">{statusText.title}</span>}
        more={
          isPaid && (
            <>
              <PaidOrderActions orderId={orderId} order={order} />
              {!isSignedIn && (
                <ButtonLink look="link" to={`/payment-status?id=${encodeURIComponent(orderId)}`}>
                  {t`Page of your order`}
                </ButtonLink>
              )}
            </>
          )
        }
      >
        {isPaid && order.product === 'tender-documents' && <OrderDownloadButton orderId={orderId} />}
        {isBack && 'check' in view && view.check?.status === 'PENDING' && <ContinuePayment orderId={orderId} />}
        {view.kind === 'known' && statusText.tone === 'red' && (
          <Button look="main" onClick={onRetry}>
            {t`Try Again`}
          </Button>
        )}
        {view.kind === 'error' && (
          <Button look="main" onClick={again}>
            {t`Try Again`}
          </Button>
        )}
        {view.kind === 'unconfirmed' && <Button onClick={again}>{t`Check again`}</Button>}
        <Button onClick={onClose}>{t`Close`}</Button>
      </PaymentResult>
    </Dialog>
  );
}
