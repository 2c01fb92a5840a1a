import { PAGES } from '@nivida/contract/pages';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSession } from '../data/session.ts';
import { CreditNoteButton } from '../features/orders/CreditNoteButton.tsx';
import { readPaymentDraft } from '../features/orders/draft.ts';
import type { OrderView } from '../features/orders/follow.ts';
import { OutcomeView } from '../features/orders/OutcomeView.tsx';
import { outcomeOf } from '../features/orders/outcome.ts';
import { takePending } from '../features/orders/pending.ts';
import { useOrderView } from '../features/orders/useOrderView.ts';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { PaidWays } from './PaidWays.tsx';

const savePage = (isForDocuments: boolean) =>
  `Save this page: it gives ${isForDocuments ? 'your documents and ' : ''}the receipt again.`;

/** What can be done about a payment that has failed, and with what was paid. */
function Ways({ orderId, view, again }: { orderId: string; view: OrderView; again: () => void }) {
  if (view.kind === 'unconfirmed') return <Button onClick={again}>Check again</Button>;
  if (view.kind === 'error') {
    return (
      <Button look="main" onClick={again}>
        Try Again
      </Button>
    );
  }
  if (view.kind !== 'known') return null;
  const { status, order } = view.check;
  const isForDocuments = order.product === 'tender-documents';
  if (status === 'SUCCESS') return <PaidWays orderId={orderId} order={order} />;
  if (status === 'REFUNDED') return <CreditNoteButton orderId={orderId} number={view.check.creditNoteNumber} />;
  return isForDocuments && order.tenderId ? (
    <ButtonLink look="main" to={`/tenders/${order.tenderId}`} state={{ buy: true }}>
      Try Again
    </ButtonLink>
  ) : (
    <ButtonLink look="main" to="/pricing" state={{ buy: readPaymentDraft().planId }}>
      Try Again
    </ButtonLink>
  );
}

function Order({ orderId }: { orderId: string }) {
  const isSignedIn = useSession() !== null;
  const { view, again } = useOrderView(orderId, 'api/payment-status');
  const outcome = outcomeOf(view, isSignedIn);
  const check = 'check' in view ? view.check : null;
  const tenderId = check?.order.tenderId;
  return (
    <Sheet>
      <OutcomeView
        outcome={outcome}
        view={view}
        orderId={orderId}
        hint={isSignedIn ? undefined : savePage(check?.order.product === 'tender-documents')}
        heading={<h1>{outcome.title}</h1>}
      >
        <Ways orderId={orderId} view={view} again={again} />
        <ButtonLink to={tenderId ? `/tenders/${tenderId}` : '/tenders'}>Back to Tender</ButtonLink>
        {view.kind === 'known' && check?.status === 'FAILED' && (
          <ButtonLink look="plain" to="/tenders">
            Browse More Tenders
          </ButtonLink>
        )}
      </OutcomeView>
    </Sheet>
  );
}

/** `/payment-status?id=`: how a payment ended, asked until it is known. */
export function PaymentStatus() {
  const [search] = useSearchParams();
  const orderId = search.get('id');
  // shown here, it need not be shown on the tender screen too
  useEffect(() => {
    if (orderId) takePending();
  }, [orderId]);
  return (
    <div className="page">
      <PageHead {...PAGES['/payment-status']} />
      <div className="column">
        {orderId ? (
          <Order key={orderId} orderId={orderId} />
        ) : (
          <EmptyState
            heading="h1"
            title="Error Checking Payment"
            alert
            actions={<ButtonLink to="/tenders">Back to Tender</ButtonLink>}
          >
            Order ID is missing
          </EmptyState>
        )}
      </div>
    </div>
  );
}
