import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDate, formatFullRupees } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import { markWarningRead, useReadWarnings } from '../../data/bid-documents/expiry-read.ts';
import { useDeposits } from '../../data/records/useDeposits.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './Deposits.module.css';
import { type Deposit, expiryWarning, isGuarantee, kindLabel, leftPaise, placeOf } from './deposit.ts';

/** The bid of a deposit, on its part about money. */
const moneyPath = ({ bidId = '' }: Deposit): string => `/dashboard/applications/${bidId}#money`;

/** A link to overdue money. Renders nothing without any. */
function OverdueNote({ deposits, now }: { deposits: readonly Deposit[]; now: Date }) {
  const overdue = deposits.filter((deposit) => placeOf(deposit, now) === 'overdue');
  if (overdue.length === 0) return null;
  const paise = overdue.reduce((sum, deposit) => sum + (leftPaise(deposit) ?? 0), 0);
  return (
    <Note tone="red" icon="rupee">
      {paise > 0 ? t`${{ amount: formatFullRupees(paise / 100) }} is overdue.` : t`A deposit is overdue.`}{' '}
      <Link to="/dashboard/analytics">{t`Ask for it with a ready letter`}</Link>
    </Note>
  );
}

/** A guarantee whose end is near, until the user hides this warning. The next warning is shown again. */
function RenewalNote({ deposit, warning, onHide }: { deposit: Deposit; warning: number; onHide: () => void }) {
  const kind = kindLabel(deposit);
  const day = formatDate(deposit.validUntil);
  return (
    <Note tone={warning > 30 ? 'amber' : 'red'} icon="clock">
      <div className={css.top}>
        <span>
          {warning === 0 ? (
            <Trans>
              The bank guarantee of your <Link to={moneyPath(deposit)}>{kind}</Link> ended on {day}. Ask the office and
              the bank today.
            </Trans>
          ) : (
            <Trans>
              The bank guarantee of your <Link to={moneyPath(deposit)}>{kind}</Link> ends on {day}. Renew it in time:
              the office may claim it before it ends.
            </Trans>
          )}
        </span>
        <Button look="plain" onClick={onHide}>
          <Trans>
            Hide<span className="sr"> the warning of {kind}</span>
          </Trans>
        </Button>
      </div>
    </Note>
  );
}

/** Overdue money, and bank guarantees to renew. The device computes them. Renders nothing without any. */
export function DepositNotes({ now }: { now: Date }) {
  const deposits = useDeposits();
  const hidden = useReadWarnings();
  if (!deposits) return null;
  const renewals = deposits.flatMap((deposit) => {
    const warning = isGuarantee(deposit) ? expiryWarning(deposit, now) : null;
    if (warning === null || !hidden) return [];
    const key = `${deposit.id} ${deposit.validUntil} ${warning}`;
    return hidden.has(key) ? [] : [{ deposit, warning, key }];
  });
  return (
    <>
      <OverdueNote deposits={deposits} now={now} />
      {renewals.map(({ key, ...renewal }) => (
        <RenewalNote key={key} {...renewal} onHide={() => void markWarningRead(key)} />
      ))}
    </>
  );
}
