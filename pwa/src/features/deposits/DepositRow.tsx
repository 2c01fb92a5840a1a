import { plural, t } from '@lingui/core/macro';
import { formatDate, formatFullRupees } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/display/Badge.tsx';
import css from './Deposits.module.css';
import { DepositTerm } from './DepositTerm.tsx';
import {
  type Deposit,
  type DepositPlace,
  daysOverdue,
  endsSoon,
  kindLabel,
  kindOf,
  modeLabels,
  placeOf,
  stateLabels,
} from './deposit.ts';

const TONES: Record<DepositPlace, Tone> = { locked: 'blue', due: 'amber', overdue: 'red', done: 'gray' };

function placeText(deposit: Deposit, place: DepositPlace, now: Date): string {
  if (place === 'overdue') return plural(daysOverdue(deposit, now), { one: 'Overdue # day', other: 'Overdue # days' });
  if (deposit.mode === 'exempt') return t`Exempt`;
  if (kindOf(deposit) === 'tender_fee') return t`Fee, not returned`;
  return stateLabels()[deposit.state ?? 'locked'];
}

const amountText = ({ amountPaise, mode }: Deposit): string => {
  if (amountPaise !== undefined) return formatFullRupees(amountPaise / 100);
  return mode === 'exempt' ? '' : t`Amount not entered`;
};

/** One deposit, with the place where the money is. */
export function DepositRow(props: { deposit: Deposit; now: Date; title?: ReactNode; children: ReactNode }) {
  const { deposit, now, title, children } = props;
  const place = placeOf(deposit, now);
  const facts = [
    deposit.mode && deposit.mode !== 'exempt' && modeLabels()[deposit.mode],
    deposit.number && t`no. ${{ number: deposit.number }}`,
    deposit.bank,
    deposit.paidOn && t`paid ${{ day: formatDate(deposit.paidOn) }}`,
    deposit.returnedOn && t`returned ${{ day: formatDate(deposit.returnedOn) }}`,
  ].filter(Boolean);
  return (
    <li className={css.deposit}>
      <p className={css.top}>
        <b>
          <DepositTerm kind={kindOf(deposit)} label={kindLabel(deposit)} />{' '}
          <span className="num">{amountText(deposit)}</span>
        </b>
        <Badge tone={TONES[place]}>{placeText(deposit, place, now)}</Badge>
      </p>
      {title}
      {facts.length > 0 && <p className="xs muted">{facts.join(' · ')}</p>}
      {deposit.dueOn && place !== 'done' && <p className="s">{t`Due back by ${{ day: formatDate(deposit.dueOn) }}`}</p>}
      {endsSoon(deposit, now) && (
        <p
          className={css.ends}
        >{t`The instrument ends ${{ day: formatDate(deposit.validUntil) }}. Extend it or get it back.`}</p>
      )}
      <div className={css.buttons}>{children}</div>
    </li>
  );
}
