import { Trans } from '@lingui/react/macro';
import { formatRupees } from '@nivida/contract/format';
import { orderTitle } from '@nivida/contract/orders/order-title';
import type { ReactNode } from 'react';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Spinner } from '../../../ui/feedback/Spinner.tsx';
import type { OrderView } from './follow-order.ts';
import { type PaymentStatusText, productLabel } from './labels.ts';
import css from './PaymentResult.module.css';

interface PaymentResultProps {
  outcome: PaymentStatusText;
  /** Absent when there is no order. */
  view?: OrderView;
  orderId?: string;
  /** Shown for a paid order. */
  hint?: string | undefined;
  /** The title. Absent where the surrounding dialog has one. */
  heading?: ReactNode;
  /** The main actions. */
  children: ReactNode;
  /** Further actions, as links below the main actions. */
  more?: ReactNode;
}

/** The state of a payment: colour, texts, the purchase and the actions. */
export function PaymentResult({ outcome, view, orderId, hint, heading, children, more }: PaymentResultProps) {
  const order = view && 'check' in view ? view.check?.order : undefined;
  const title = order?.title && orderTitle({ planId: order.planId, title: order.title });
  const isPaid = view?.kind === 'known' && view.check.status === 'SUCCESS';
  return (
    <div className={`stack ${css.outcome}`} data-tone={outcome.tone}>
      <div className={css.sign}>{outcome.icon ? <Icon name={outcome.icon} /> : <Spinner label={outcome.title} />}</div>
      {/* One live region through all states, so that a screen reader speaks each change. */}
      <div role="status" className={css.words}>
        {heading}
        {order && (
          <div className={css.purchase}>
            <p className={css.product}>{productLabel(order)}</p>
            {order.amountPaise !== undefined && (
              <p className={`num ${css.product}`}>{formatRupees(order.amountPaise / 100)}</p>
            )}
            {title && <p className={`${css.title} s muted clamp`}>{title}</p>}
          </div>
        )}
        <p>{outcome.text}</p>
        {outcome.more && <p className="s muted">{outcome.more}</p>}
        {isPaid && hint && <p className="s">{hint}</p>}
        {order && (
          <p className="xs muted">
            <Trans>
              Order number <span className="num">{orderId}</span>
            </Trans>
          </p>
        )}
      </div>
      <div className={css.ways}>{children}</div>
      {more && <div className={css.more}>{more}</div>}
    </div>
  );
}
