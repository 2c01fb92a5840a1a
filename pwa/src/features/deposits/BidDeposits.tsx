import { t } from '@lingui/core/macro';
import type { EmdValidity } from '@nivida/contract/rules/emd';
import { useState } from 'react';
import { currentTime } from '../../data/clock.ts';
import { Button } from '../../ui/Button.tsx';
import { DepositDialog } from './DepositDialog.tsx';
import { DepositRow } from './DepositRow.tsx';
import css from './Deposits.module.css';
import { type Deposit, type DepositKind, dayOf, isHeld, kindLabel, kindOf, leftPaise, lostEmd } from './deposit.ts';
import { changeDeposit } from './deposit-actions.ts';
import { SecurityButtons } from './security/SecurityButtons.tsx';

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

/** What money of a won work becomes. */
const NEXT_KINDS: Partial<Record<DepositKind, DepositKind>> = {
  emd: 'performance',
  performance: 'retention',
  additional: 'retention',
};

/** The known values of the deposit that continues one. */
function continuation(deposit: Deposit, kind: DepositKind): Omit<Deposit, 'id'> {
  const { mode, number, bank, paidOn, validUntil, claimUntil, obligationUntil } = deposit;
  const same = { mode, number, bank, paidOn, validUntil, claimUntil, obligationUntil };
  return { kind, amountPaise: leftPaise(deposit), continues: deposit.id, ...same };
}

interface BidDepositsProps {
  bid: { id: string; title: string; path: string };
  deposits: readonly Deposit[];
  /** Amounts that the portal asks for, in rupees. 0 and null: nothing to pay is known. */
  expected: { emd: number | null; tenderFee: number | null };
  /** Null for a bid without a tender. */
  emdValidity: EmdValidity | null;
  /** The end of the bid: the EMD of a lost one is due back, that of a won one becomes a security. */
  end: 'won' | 'lost' | null;
  now: Date;
}

function ContinueButton(props: { deposit: Deposit; onContinue: (next: Omit<Deposit, 'id'>) => void }) {
  const { deposit, onContinue } = props;
  const next = NEXT_KINDS[kindOf(deposit)];
  if (!next || !isHeld(deposit)) return null;
  return (
    <Button look="plain" aria-haspopup="dialog" onClick={() => onContinue(continuation(deposit, next))}>
      {next === 'performance' ? t`Continue as performance security` : t`Continue as retention money`}
    </Button>
  );
}

/**
 * The money of a bid, with a button for each amount that the portal asks for and the user has not entered.
 */
export function BidDeposits({ bid, deposits, expected, emdValidity, end, now }: BidDepositsProps) {
  const [opened, setOpened] = useState<(Omit<Deposit, 'id'> & { id?: string }) | null>(null);
  const hasKind = (kind: string) => deposits.some((deposit) => kindOf(deposit) === kind);
  const add = (kind: Deposit['kind'], rupees: number | null) =>
    setOpened({
      kind,
      ...(rupees ? { amountPaise: Math.round(rupees * 100) } : {}),
      ...(kind === 'emd' && end === 'lost' ? lostEmd(now) : {}),
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
              <SecurityButtons deposit={deposit} bid={bid} />
              {end === 'won' && <ContinueButton deposit={deposit} onContinue={setOpened} />}
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
        <DepositDialog bidId={bid.id} deposit={opened} emdValidity={emdValidity} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
