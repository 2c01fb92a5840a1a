import { t } from '@lingui/core/macro';
import type { DeskOrderFile, DeskOrderRow } from '@nivida/contract/desk/orders';
import { formatDateTime, formatRupees } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { DeskChoice, DeskSearch } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { deskOrderStatus, deskOrderStatuses, useDeskOrders } from '../../features/desk/orders/desk-orders.ts';
import { OrderPanel } from '../../features/desk/orders/OrderPanel.tsx';
import { resultText, unconfirmedText } from '../../features/orders/payment/labels.ts';
import { Status } from '../../ui/display/Status.tsx';

const PATH = '/desk/orders';

/** `/desk/orders`: orders, those that need a decision first, and the opened one beside them. */
export function DeskOrders() {
  return (
    <DeskList<DeskOrderRow>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={useDeskOrders()}
      idOf={({ id }) => id}
      empty={t`No order`}
      columns={[
        { title: t`Order`, cell: ({ title }) => title },
        {
          title: t({ message: 'State', context: 'progress' }),
          cell: ({ status }) => <Status {...deskOrderStatus(status)} />,
        },
        { title: t`Amount`, cell: ({ amountPaise }) => formatRupees(amountPaise / 100), isNumber: true },
        { title: t`Ordered`, cell: ({ createdAt }) => formatDateTime(new Date(createdAt)) },
      ]}
      filter={
        <>
          <DeskSearch label={t`E-mail, mobile number, or id of an order, payment or receipt`} />
          <DeskChoice
            label={t({ message: 'State', context: 'progress' })}
            name="status"
            options={deskOrderStatuses()}
            all={t`All, to be decided first`}
          />
        </>
      }
      detail={(id) => <OrderPanel id={id} buyerView={(order) => <BuyerView order={order} />} />}
    />
  );
}

/** The words of the buyer's page of the order. */
function BuyerView({ order: { buyerSees, product, isOfAccount } }: { order: DeskOrderFile }) {
  const { status, error } = buyerSees;
  const { tone, title, text, more } =
    status === 'PENDING' ? unconfirmedText() : resultText({ status, error, order: { product } }, isOfAccount);
  return (
    <>
      <p>
        <Status tone={tone} label={title} />
      </p>
      <p className="s">{text}</p>
      {more && <p className="s muted">{more}</p>}
    </>
  );
}
