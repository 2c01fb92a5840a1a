import type { OrderStatusResponse } from '@nivida/contract/orders/order';
import { useSession } from '../../data/session.ts';
import { useMutation } from '../../data/useMutation.ts';
import { OrderDownloadButton } from '../../features/documents/DownloadButton.tsx';
import { saveReceiptOfOrder } from '../../features/orders/orders.ts';
import { ResendMailButton } from '../../features/orders/ResendMailButton.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';

/** Actions of a paid order: the documents, the receipt, and sending the mail again. */
export function PaidOrderActions({ orderId, order }: { orderId: string; order: OrderStatusResponse['order'] }) {
  const isSignedIn = useSession() !== null;
  const receipt = useMutation('Failed to load the receipt');
  const isForDocuments = order.product === 'tender-documents';
  return (
    <>
      {isForDocuments && <OrderDownloadButton orderId={orderId} />}
      <Button busy={receipt.isBusy} onClick={() => void receipt.run(() => saveReceiptOfOrder(orderId))}>
        <Icon name="download" /> Receipt PDF
      </Button>
      <ErrorText text={receipt.problem} />
      {isForDocuments && <ResendMailButton orderId={orderId} />}
      {isSignedIn && <ButtonLink to="/dashboard/payments">Your payments</ButtonLink>}
    </>
  );
}
