import { t } from '@lingui/core/macro';
import type { NewestOrder } from '@nivida/contract/desk/people';
import { formatDate, formatRupees } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import { PersonSection } from '../people/PersonSection.tsx';
import { deskOrderStatus } from './desk-orders.ts';

/** The newest orders of an account or a firm. `older`: the number of those that are not among them. */
export function NewestOrders({ orders, older = 0 }: { orders: readonly NewestOrder[]; older?: number }) {
  return (
    <PersonSection title={t`Orders`} empty={t`No orders`}>
      {[
        ...orders.map(({ orderId, title, status, amountPaise, createdAt }) => (
          <li key={orderId}>
            <Link to={`/desk/orders/${orderId}`}>{title}</Link>
            <span className="facts">
              {deskOrderStatus(status).label} · {formatRupees(amountPaise / 100)} · {formatDate(createdAt)}
            </span>
          </li>
        )),
        ...(older > 0
          ? [
              <li key="more" className="s muted">
                {t`${{ more: older }} older orders`}
              </li>,
            ]
          : []),
      ]}
    </PersonSection>
  );
}
