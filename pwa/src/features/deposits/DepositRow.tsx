import { plural, t } from '@lingui/core/macro';
import { formatDate, formatFullRupees } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import type { DepositRelease } from '../../data/records/deposits.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge, type Tone } from '../../ui/display/Badge.tsx';
import entries from '../../ui/display/entries.module.css';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './Deposits.module.css';
import { DepositTerm } from './DepositTerm.tsx';
import {
  type Deposit,
  type DepositPlace,
  daysOverdue,
  expiryWarning,
  isObligationOver,
  kindLabel,
  kindOf,
  leftPaise,
  modeLabels,
  placeOf,
  stateLabels,
} from './deposit.ts';
import { removeRelease } from './deposit-actions.ts';

const TONES: Record<DepositPlace, Tone> = { locked: 'blue', due: 'amber', overdue: 'red', done: 'gray' };

function placeText(deposit: Deposit, place: DepositPlace, now: Date): string {
  if (place === 'overdue') return plural(daysOverdue(deposit, now), { one: 'Overdue # day', other: 'Overdue # days' });
  if (deposit.mode === 'exempt') return t`Exempt`;
  if (kindOf(deposit) === 'tender_fee') return t`Fee, not returned`;
  return stateLabels()[deposit.state ?? 'locked'];
}

/** What the office holds. Money that came back shows its whole amount. */
const amountText = (deposit: Deposit, place: DepositPlace): string => {
  const { mode } = deposit;
  const paise = place === 'done' ? deposit.amountPaise : leftPaise(deposit);
  if (paise !== undefined) return formatFullRupees(paise / 100);
  return mode === 'exempt' ? '' : t`Amount not entered`;
};

/** The parts that came back, and the amount of which they are. */
function Releases({ deposit, releases }: { deposit: Deposit; releases: readonly DepositRelease[] }) {
  return (
    <>
      {deposit.amountPaise !== undefined && (
        <p className="xs muted">{t`of ${{ amount: formatFullRupees(deposit.amountPaise / 100) }}`}</p>
      )}
      <ul className="s">
        {releases.map(({ id, amountPaise = 0, releasedOn }) => {
          const amount = formatFullRupees(amountPaise / 100);
          const text = releasedOn ? t`${amount} came back ${{ day: formatDate(releasedOn) }}` : t`${amount} came back`;
          return (
            <li key={id} className={css.release}>
              {text}
              <Button look="icon" aria-label={t`Remove ${text}`} onClick={() => void removeRelease(id)}>
                <Icon name="close" small />
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** One deposit, with the place where the money is. */
export function DepositRow(props: { deposit: Deposit; now: Date; title?: ReactNode; children: ReactNode }) {
  const { deposit, now, title, children } = props;
  const place = placeOf(deposit, now);
  const warning = expiryWarning(deposit, now);
  const facts = [
    deposit.mode && deposit.mode !== 'exempt' && modeLabels()[deposit.mode],
    deposit.number && t`no. ${{ number: deposit.number }}`,
    deposit.bank,
    deposit.paidOn && t`paid ${{ day: formatDate(deposit.paidOn) }}`,
    deposit.claimUntil && t`claims until ${{ day: formatDate(deposit.claimUntil) }}`,
    deposit.returnedOn && t`returned ${{ day: formatDate(deposit.returnedOn) }}`,
  ].filter(Boolean);
  return (
    <li className={entries.entry}>
      <p className={css.top}>
        <b>
          <DepositTerm kind={kindOf(deposit)} label={kindLabel(deposit)} />{' '}
          <span className="num">{amountText(deposit, place)}</span>
        </b>
        <Badge tone={TONES[place]}>{placeText(deposit, place, now)}</Badge>
      </p>
      {title}
      {facts.length > 0 && <p className="xs muted">{facts.join(' · ')}</p>}
      {deposit.dueOn && place !== 'done' && <p className="s">{t`Due back by ${{ day: formatDate(deposit.dueOn) }}`}</p>}
      {deposit.obligationUntil && place !== 'done' && (
        <p className="s">
          {isObligationOver(deposit, now)
            ? t`The obligation ended ${{ day: formatDate(deposit.obligationUntil) }}. Ask for the money.`
            : t`The obligation ends ${{ day: formatDate(deposit.obligationUntil) }}.`}
        </p>
      )}
      {warning !== null && (
        <p className={css.ends}>
          {warning === 0
            ? t`The instrument ended ${{ day: formatDate(deposit.validUntil) }}. Extend it or get it back.`
            : t`The instrument ends ${{ day: formatDate(deposit.validUntil) }}. Extend it or get it back.`}
        </p>
      )}
      {deposit.releases && <Releases deposit={deposit} releases={deposit.releases} />}
      <div className={entries.buttons}>{children}</div>
    </li>
  );
}
