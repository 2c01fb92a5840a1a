import { t } from '@lingui/core/macro';
import type { OrderStatusResponse } from '@nivida/contract/orders/order';
import { useSession } from '../../data/session.ts';
import { useMutation } from '../../data/useMutation.ts';
import { saveReceiptOfOrder } from '../../features/orders/orders.ts';
import { ResendMailButton } from '../../features/orders/ResendMailButton.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';

/** Further actions of a paid order: the receipt, sending the mail again, and the list of payments. */
export function PaidOrderActions({ orderId, order }: { orderId: string; order: OrderStatusResponse['order'] }) {
  const isSignedIn = useSession() !== null;
  const receipt = useMutation(t`Failed to load the receipt`);
  return (
    <>
      <Button look="link" busy={receipt.isBusy} onClick={() => void receipt.run(() => saveReceiptOfOrder(orderId))}>
        {t`Receipt PDF`}
      </Button>
      <ErrorText text={receipt.problem} />
      {order.product === 'tender-documents' && <ResendMailButton orderId={orderId} look="link" />}
      {isSignedIn && (
        <ButtonLink look="link" to="/dashboard/payments">
          {t`Your payments`}
        </ButtonLink>
      )}
    </>
  );
}
