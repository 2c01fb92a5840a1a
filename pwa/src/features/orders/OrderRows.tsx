import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatAge, formatDateTime, formatRupees } from '@nivida/contract/format';
import type { OrderSummary } from '@nivida/contract/orders/order';
import { orderTitle } from '@nivida/contract/orders/order-title';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../data/server/api.ts';
import type { QueryResult } from '../../data/server/query-cache.ts';
import { useMutation } from '../../data/useMutation.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Status, StatusStamp } from '../../ui/display/Status.tsx';
import { ListError } from '../../ui/feedback/ListError.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { RowsSkeleton } from '../../ui/feedback/Skeleton.tsx';
import { CreditNoteButton } from './CreditNoteButton.tsx';
import css from './OrderRows.module.css';
import { saveReceipt } from './orders.ts';
import { orderStatusLabel } from './payment/labels.ts';
import { ResendMailButton } from './ResendMailButton.tsx';

/** Saves the receipt as a PDF. For documents it can also send the mail again. */
function PaidOrderActions({ order, receiptNumber }: { order: OrderSummary; receiptNumber: string }) {
  const receipt = useMutation(t`Failed to load the receipt`);
  return (
    <>
      <div className="row">
        <Button busy={receipt.isBusy} onClick={() => void receipt.run(() => saveReceipt(order, receiptNumber))}>
          <Icon name="download" />{' '}
          <Trans>
            Receipt <span className="sr">{receiptNumber}</span> PDF
          </Trans>
        </Button>
        {order.status === 'SUCCESS' && order.product === 'tender-documents' && (
          <ResendMailButton orderId={order.orderId} />
        )}
      </div>
      <ErrorText text={receipt.problem} />
    </>
  );
}

/** A paid order, with the unpaid orders for the same item. */
interface Purchase {
  order: OrderSummary;
  tries: OrderSummary[];
}

const isUnpaid = ({ status }: OrderSummary) => status === 'PENDING' || status === 'FAILED';

/**
 * Groups unpaid orders under the paid order of the same documents, or of the same plan if the plan was paid
 * later.
 */
function groupPurchases(orders: readonly OrderSummary[]): Purchase[] {
  const paidOrderOf = (tried: OrderSummary) =>
    orders.find(
      ({ status, product, tenderId, planId, paidAt, isTest }) =>
        status === 'SUCCESS' &&
        product === tried.product &&
        tenderId === tried.tenderId &&
        planId === tried.planId &&
        isTest === tried.isTest &&
        (product === 'tender-documents' || (paidAt ?? '') > tried.createdAt),
    );
  const paidOrders = new Map(orders.filter(isUnpaid).map((tried) => [tried, paidOrderOf(tried)]));
  return orders
    .filter((order) => paidOrders.get(order) === undefined)
    .map((order) => ({ order, tries: orders.filter((tried) => paidOrders.get(tried) === order) }));
}

function OtherTries({ tries }: { tries: readonly OrderSummary[] }) {
  const title = plural(tries.length, {
    one: '# other try was not completed',
    other: '# other tries were not completed',
  });
  return (
    <Disclosure className={css.tries} title={title}>
      <p>{t`If money left your account for it, it comes back by itself. You need not pay again.`}</p>
      <ul>
        {tries.map(({ orderId, createdAt, status }) => (
          <li key={orderId}>
            {formatDateTime(createdAt)}
            {status === 'PENDING' && <Link to={`/payment-status?id=${orderId}`}>{t`Check payment`}</Link>}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function OrderRow({ order, tries }: Purchase) {
  const { label, tone } = orderStatusLabel(order.status);
  const title = orderTitle(order);
  return (
    <li>
      <div className={css.head}>
        <h3 className="s clamp">{order.tenderId ? <Link to={`/tenders/${order.tenderId}`}>{title}</Link> : title}</h3>
        <b className="num">{formatRupees(order.amountPaise / 100)}</b>
      </div>
      <p className="facts">
        <Status tone={tone} label={label} />
        <span>{order.product === 'tender-documents' ? t`Tender documents` : t`Yearly plan`}</span>
        <span>{formatDateTime(order.paidAt ?? order.createdAt)}</span>
        {order.receiptNumber && <span>{order.receiptNumber}</span>}
        {order.isTest && (
          <StatusStamp tone="gray" label={t({ message: 'Test', context: 'mark of an order paid in test mode' })} />
        )}
      </p>
      {order.receiptNumber && <PaidOrderActions order={order} receiptNumber={order.receiptNumber} />}
      {order.creditNoteNumber && (
        <div className="row">
          <CreditNoteButton orderId={order.orderId} number={order.creditNoteNumber} />
        </div>
      )}
      {order.status === 'PENDING' && (
        <div className="row">
          <ButtonLink to={`/payment-status?id=${order.orderId}`}>{t`Check payment`}</ButtonLink>
        </div>
      )}
      <div className="row">
        <ButtonLink look="link" to={`/dashboard/support?order=${encodeURIComponent(order.orderId)}`}>
          <Trans>
            Ask about this order<span className="sr">: {title}</span>
          </Trans>
        </ButtonLink>
      </div>
      {tries.length > 0 && <OtherTries tries={tries} />}
    </li>
  );
}

/** The orders with receipts, newest first. `empty` is shown when there are none. */
export function OrderRows(props: {
  orders: readonly OrderSummary[] | undefined;
  list: QueryResult<unknown>;
  now: Date;
  empty: ReactNode;
}) {
  const { orders, list, now, empty } = props;
  return (
    <>
      {list.isLoading && <RowsSkeleton label={t`Loading your orders`} title={50} facts={25} />}
      {list.error !== undefined && (
        <ListError
          text={errorMessage(list.error, t`Failed to load your orders`)}
          offlineText={
            list.receivedAt ? t`You are offline.` : t`You are offline. Your orders need a connection the first time.`
          }
          age={list.receivedAt && formatAge(list.receivedAt, now)}
          onRetry={list.reload}
        />
      )}
      {orders?.length === 0 && empty}
      {orders && orders.length > 0 && (
        <ul className="rows">
          {groupPurchases(orders).map((purchase) => (
            <OrderRow key={purchase.order.orderId} {...purchase} />
          ))}
        </ul>
      )}
    </>
  );
}
