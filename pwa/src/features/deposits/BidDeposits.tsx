import { t } from '@lingui/core/macro';
import type { EmdValidity } from '@nivida/contract/rules/emd';
import { useState } from 'react';
import { currentTime } from '../../data/clock.ts';
import { Button } from '../../ui/Button.tsx';
import { DepositDialog } from './DepositDialog.tsx';
import { DepositRow } from './DepositRow.tsx';
import css from './Deposits.module.css';
import { type Deposit, dayOf, isHeld, kindLabel, kindOf, lostEmd } from './deposit.ts';
import { changeDeposit } from './deposit-actions.ts';

/** Marks held money as returned today, with "Undo". */
export function ReturnedButton({ deposit }: { deposit: Deposit }) {
  const { id, state, returnedOn } = deposit;
  return (
    <Button
      look="plain"
      onClick={() =>
        void changeDeposit(
          id,
          { state: 'returned', returnedOn: dayOf(currentTime()) },
          { state: state ?? 'locked', returnedOn: returnedOn ?? null },
          t`${{ kind: kindLabel(deposit) }} came back.`,
        )
      }
    >
      {t`It came back`}
    </Button>
  );
}

interface BidDepositsProps {
  bidId: string;
  deposits: readonly Deposit[];
  /** Amounts that the portal asks for, in rupees. 0 and null: nothing to pay is known. */
  expected: { emd: number | null; tenderFee: number | null };
  /** Null for a bid without a tender. */
  emdValidity: EmdValidity | null;
  /** The bid was lost, so its EMD is due back. */
  isLost: boolean;
  now: Date;
}

/**
 * The money of a bid, with a button for each amount that the portal asks for and the user has not entered.
 */
export function BidDeposits({ bidId, deposits, expected, emdValidity, isLost, now }: BidDepositsProps) {
  const [opened, setOpened] = useState<(Omit<Deposit, 'id'> & { id?: string }) | null>(null);
  const hasKind = (kind: string) => deposits.some((deposit) => kindOf(deposit) === kind);
  const add = (kind: Deposit['kind'], rupees: number | null) =>
    setOpened({
      kind,
      ...(rupees ? { amountPaise: Math.round(rupees * 100) } : {}),
      ...(kind === 'emd' && isLost ? lostEmd(now) : {}),
    });
  return (
    <>
      {deposits.length === 0 && <p className="muted">{t`No money entered yet.`}</p>}
      {deposits.length > 0 && (
        <ul className={css.list}>
          {deposits.map((deposit) => (
            <DepositRow key={deposit.id} deposit={deposit} now={now}>
              <Button
                look="plain"
                aria-label={t`Change ${{ kind: kindLabel(deposit) }}`}
                onClick={() => setOpened(deposit)}
              >
                {t`Change`}
              </Button>
              {isHeld(deposit) && <ReturnedButton deposit={deposit} />}
            </DepositRow>
          ))}
        </ul>
      )}
      <div className="row">
        {!hasKind('emd') && expected.emd !== 0 && (
          <Button onClick={() => add('emd', expected.emd)}>{t`Add EMD`}</Button>
        )}
        {!hasKind('tender_fee') && expected.tenderFee !== 0 && (
          <Button onClick={() => add('tender_fee', expected.tenderFee)}>{t`Add tender fee`}</Button>
        )}
        <Button look="plain" onClick={() => add('performance', null)}>
          {t`Add other deposit`}
        </Button>
      </div>
      {opened && (
        <DepositDialog bidId={bidId} deposit={opened} emdValidity={emdValidity} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
