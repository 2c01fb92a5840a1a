import { t } from '@lingui/core/macro';
import { hasRole, type StaffRole } from '@nivida/contract/desk/act';
import { type DeskOrderFile, OpenedBuyer } from '@nivida/contract/desk/orders';
import { formatDateTime, formatRupees } from '@nivida/contract/format';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { Status } from '../../../ui/display/Status.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { useDeskMe } from '../data/desk-me.ts';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { deskOrderStatus, orderEventText, useDeskOrder } from './desk-orders.ts';
import { OrderActs, RefundProposal } from './OrderActs.tsx';
import css from './OrderPanel.module.css';

const at = (instant: string): string => formatDateTime(new Date(instant));
const rupees = (paise: number): string => formatRupees(paise / 100);

interface OrderPanelProps {
  id: string;
  /** What the buyer's own page shows. */
  buyerView: (order: DeskOrderFile) => ReactNode;
}

/** The side panel of an order: its acts, what its buyer sees, its money and the ledger of events. */
export function OrderPanel({ id, buyerView }: OrderPanelProps) {
  return (
    <DeskAnswer query={useDeskOrder(id)} failure={t`The order could not be loaded`}>
      {(order) => <OrderFile order={order} buyerView={buyerView} />}
    </DeskAnswer>
  );
}

function OrderFile({ order, buyerView }: Pick<OrderPanelProps, 'buyerView'> & { order: DeskOrderFile }) {
  const role = useDeskMe().me?.role ?? 'support';
  const may = (needed: StaffRole): boolean => hasRole(role, needed);
  return (
    <>
      <h2>{order.title}</h2>
      <p>
        <Status {...deskOrderStatus(order.status)} /> {rupees(order.amountPaise)}
        {!order.live && ` · ${t`test, no money moved`}`}
      </p>
      <p className="s muted">
        {order.id} · {at(order.createdAt)} · {order.provider}
      </p>
      {order.tenderId !== null && (
        <p className="s">
          <Link to={`/tenders/${order.tenderId}`}>{t`Tender of the order`}</Link>
        </p>
      )}
      {/* A corrected address is masked again. */}
      <Buyer key={order.buyer.email} order={order} />
      {order.proposal && <RefundProposal order={order} proposal={order.proposal} may={may} />}
      {may('operator') && <OrderActs order={order} />}
      <div className={css.sides}>
        <section className="stack" aria-labelledby="buyer-sees">
          <h3 id="buyer-sees">{t`What the buyer sees`}</h3>
          {buyerView(order)}
          <p className="s">
            <a href={order.buyerPage} target="_blank" rel="noopener">
              {t`Page of the buyer`}
            </a>
          </p>
        </section>
        <section className="stack" aria-labelledby="ledger">
          <h3 id="ledger">{t`What happened`}</h3>
          <Money order={order} />
          <ol className="rows" aria-label={t`Events`}>
            {order.events.map(({ at: time, action, actor, reason }, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the ledger only grows at its end
              <li key={position}>
                <p className="s">{orderEventText(action)}</p>
                <p className="facts">
                  <span>{at(time)}</span>
                  {actor && <span>{actor}</span>}
                  {reason && <span className={css.reason}>{reason}</span>}
                </p>
              </li>
            ))}
          </ol>
          {order.events.length === 0 && <p className="s muted">{t`Nothing yet.`}</p>}
        </section>
      </div>
    </>
  );
}

/** The buyer's address and number, masked until they are opened. */
function Buyer({ order: { id, buyer, isOfAccount } }: { order: DeskOrderFile }) {
  const [opened, setOpened] = useState<OpenedBuyer>();
  if (buyer.email === '') return <p className="s muted">{t`The data of this buyer were erased`}</p>;
  const { email, mobile } = opened ?? buyer;
  return (
    <>
      <p className="s">
        {[opened?.name, email, mobile].filter(Boolean).join(' · ')}
        {!isOfAccount && ` · ${t`without an account`}`}
      </p>
      {!opened && (
        <div className="row">
          <ActButton
            label={t`Show address and number`}
            title={t`Show the address and number of this buyer?`}
            path={`orders/${id}/buyer`}
            schema={OpenedBuyer}
            usualReasons={[t`Answer to a message`]}
            done={() => t`Shown`}
            onDone={setOpened}
          />
        </div>
      )}
    </>
  );
}

/** Attempts to pay with their provider, payments, refunds and receipts of the order. */
function Money({ order: { attempts, payments, refunds, invoices } }: { order: DeskOrderFile }) {
  const lines = [
    ...attempts.map(({ ref, provider, at: time }) => [t`Attempt`, ref, provider, at(time)]),
    ...payments.map(({ id, amountPaise, at: time }) => [t`Payment`, id, rupees(amountPaise), at(time)]),
    ...refunds.map(({ ref, amountPaise, state }) => [t`Refund`, ref, rupees(amountPaise), refundState(state)]),
    ...invoices.map(({ kind, number, at: time }) => [
      kind === 'credit_note' ? t`Credit note` : t`Receipt`,
      number,
      at(time),
    ]),
  ];
  return (
    <ul className="stack">
      {lines.map(([what, id, ...facts]) => (
        <li className="s" key={`${what} ${id}`}>
          {what} <span className={css.id}>{id}</span> <span className="muted">{facts.join(' · ')}</span>
        </li>
      ))}
    </ul>
  );
}

/** The name of a refund's state. */
function refundState(state: string): string {
  const labels: Record<string, string> = {
    QUEUED: t`waits to be sent`,
    PENDING: t`sent to the provider`,
    SUCCEEDED: t`given back`,
    FAILED: t`failed`,
  };
  return labels[state] ?? state;
}
