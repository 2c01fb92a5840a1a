import { t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { OrderDownloadButton } from '../../features/documents/DownloadButton.tsx';
import { FreeHere } from '../../features/info/FreeHere.tsx';
import { CreditNoteButton } from '../../features/orders/CreditNoteButton.tsx';
import { readPaymentDraft } from '../../features/orders/checkout/payment-draft.ts';
import type { OrderView } from '../../features/orders/payment/follow-order.ts';
import { type PaymentStatusText, paymentStatusText } from '../../features/orders/payment/labels.ts';
import { PaymentResult } from '../../features/orders/payment/PaymentResult.tsx';
import { takePendingOrderId } from '../../features/orders/payment/pending-order.ts';
import { useOrderView } from '../../features/orders/payment/useOrderView.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { PaidOrderActions } from './PaidOrderActions.tsx';

const noOrderText = (): PaymentStatusText => ({
  tone: 'red',
  icon: 'warning',
  title: t`Error Checking Payment`,
  text: t`Order ID is missing`,
});

const savePageText = (isForDocuments: boolean) =>
  isForDocuments
    ? t`Save this page: it gives your documents and the receipt again.`
    : t`Save this page: it gives the receipt again.`;

/** The next steps after a payment, whether it was paid or failed. */
function PaymentNextSteps({ orderId, view, again }: { orderId: string; view: OrderView; again: () => void }) {
  if (view.kind === 'unconfirmed') return <Button onClick={again}>{t`Check again`}</Button>;
  if (view.kind === 'error') {
    return (
      <Button look="main" onClick={again}>
        {t`Try Again`}
      </Button>
    );
  }
  if (view.kind !== 'known') return null;
  const { status, order } = view.check;
  const isForDocuments = order.product === 'tender-documents';
  if (status === 'SUCCESS') return isForDocuments && <OrderDownloadButton orderId={orderId} />;
  if (status === 'REFUNDED') return <CreditNoteButton orderId={orderId} number={view.check.creditNoteNumber} />;
  const [to, buy] =
    isForDocuments && order.tenderId ? [`/tenders/${order.tenderId}`, true] : ['/pricing', readPaymentDraft().planId];
  return (
    <Sold>
      <ButtonLink look="main" to={to} state={{ buy }}>
        {t`Try Again`}
      </ButtonLink>
    </Sold>
  );
}

function OrderStatus({ orderId }: { orderId: string }) {
  const isSignedIn = useSession() !== null;
  const { view, again } = useOrderView(orderId, 'api/payment-status');
  const statusText = paymentStatusText(view, isSignedIn);
  const check = 'check' in view ? view.check : null;
  const tenderId = check?.order.tenderId;
  const isPaid = view.kind === 'known' && view.check.status === 'SUCCESS';
  return (
    <Panel>
      <PaymentResult
        outcome={statusText}
        view={view}
        orderId={orderId}
        hint={isSignedIn ? undefined : savePageText(check?.order.product === 'tender-documents')}
        heading={<h1>{statusText.title}</h1>}
        more={isPaid && <PaidOrderActions orderId={orderId} order={view.check.order} />}
      >
        <PaymentNextSteps orderId={orderId} view={view} again={again} />
        <ButtonLink to={tenderId ? `/tenders/${tenderId}` : '/tenders'}>{t`Back to Tender`}</ButtonLink>
        {view.kind === 'known' && check?.status === 'FAILED' && (
          <ButtonLink look="plain" to="/tenders">
            {t`Browse More Tenders`}
          </ButtonLink>
        )}
      </PaymentResult>
    </Panel>
  );
}

/** `/payment-status?id=`: the payment's result. It is polled until it is known. */
function PaymentStatusPage() {
  const [search] = useSearchParams();
  const orderId = search.get('id');
  // This page shows the result, so the tender's page must not show it again.
  useEffect(() => {
    if (orderId) takePendingOrderId();
  }, [orderId]);
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/payment-status'])} />
      <div className="column">
        {orderId ? (
          <OrderStatus key={orderId} orderId={orderId} />
        ) : (
          <Panel>
            <PaymentResult outcome={noOrderText()} heading={<h1>{noOrderText().title}</h1>}>
              <ButtonLink to="/tenders">{t`Back to Tender`}</ButtonLink>
            </PaymentResult>
          </Panel>
        )}
      </div>
    </div>
  );
}

/** `/payment-status?id=`. Earlier orders have this page even where nothing is sold (R81). */
export function PaymentStatus() {
  const [search] = useSearchParams();
  return search.get('id') ? (
    <PaymentStatusPage />
  ) : (
    <Sold free={<FreeHere />}>
      <PaymentStatusPage />
    </Sold>
  );
}
