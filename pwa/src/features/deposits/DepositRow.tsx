import { t } from '@lingui/core/macro';
import { formatDate, formatFullRupees } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/display/Badge.tsx';
import css from './Deposits.module.css';
import {
  type Deposit,
  type DepositPlace,
  daysOverdue,
  endsSoon,
  KIND_LABELS,
  kindOf,
  MODE_LABELS,
  placeOf,
  STATE_LABELS,
} from './deposit.ts';

const TONES: Record<DepositPlace, Tone> = { locked: 'blue', due: 'amber', overdue: 'red', done: 'gray' };

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

function placeText(deposit: Deposit, place: DepositPlace, now: Date): string {
  if (place === 'overdue') return `Overdue ${daysText(daysOverdue(deposit, now))}`;
  if (deposit.mode === 'exempt') return 'Exempt';
  if (kindOf(deposit) === 'tender_fee') return 'Fee, not returned';
  return STATE_LABELS[deposit.state ?? 'locked'];
}

const amountText = ({ amountPaise, mode }: Deposit): string => {
  if (amountPaise !== undefined) return formatFullRupees(amountPaise / 100);
  return mode === 'exempt' ? '' : 'Amount not entered';
};

/** One deposit, with the place where the money is. */
export function DepositRow(props: { deposit: Deposit; now: Date; title?: ReactNode; children: ReactNode }) {
  const { deposit, now, title, children } = props;
  const place = placeOf(deposit, now);
  const facts = [
    deposit.mode && deposit.mode !== 'exempt' && MODE_LABELS[deposit.mode],
    deposit.number && `no. ${deposit.number}`,
    deposit.bank,
    deposit.paidOn && `paid ${formatDate(deposit.paidOn)}`,
    deposit.returnedOn && `returned ${formatDate(deposit.returnedOn)}`,
  ].filter(Boolean);
  return (
    <li className={css.deposit}>
      <p className={css.top}>
        <b>
          {KIND_LABELS[kindOf(deposit)]} <span className="num">{amountText(deposit)}</span>
        </b>
        <Badge tone={TONES[place]}>{placeText(deposit, place, now)}</Badge>
      </p>
      {title}
      {facts.length > 0 && <p className="xs muted">{facts.join(' · ')}</p>}
      {deposit.dueOn && place !== 'done' && <p className="s">{t`Due back by ${formatDate(deposit.dueOn)}`}</p>}
      {endsSoon(deposit, now) && (
        <p
          className={css.ends}
        >{t`The instrument ends ${formatDate(deposit.validUntil)}. Extend it or get it back.`}</p>
      )}
      <div className={css.buttons}>{children}</div>
    </li>
  );
}
