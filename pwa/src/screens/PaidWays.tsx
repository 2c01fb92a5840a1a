import type { OrderCheck } from '@nivida/contract/order';
import { usePress } from '../data/press.ts';
import { useSession } from '../data/session.ts';
import { OrderDownloadButton } from '../features/documents/DownloadButton.tsx';
import { saveReceiptOf } from '../features/orders/orders.ts';
import { ResendButton } from '../features/orders/ResendButton.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Problem } from '../ui/Problem.tsx';

/** What a paid order gives: the documents, the receipt and the mail once more. */
export function PaidWays({ orderId, order }: { orderId: string; order: OrderCheck['order'] }) {
  const isSignedIn = useSession() !== null;
  const receipt = usePress('Failed to load the receipt');
  const isForDocuments = order.product === 'tender-documents';
  return (
    <>
      {isForDocuments && <OrderDownloadButton orderId={orderId} />}
      <Button busy={receipt.isBusy} onClick={() => void receipt.run(() => saveReceiptOf(orderId))}>
        <Icon name="download" /> Receipt PDF
      </Button>
      <Problem text={receipt.problem} />
      {isForDocuments && <ResendButton orderId={orderId} />}
      {isSignedIn && <ButtonLink to="/dashboard/payments">Your payments</ButtonLink>}
    </>
  );
}
