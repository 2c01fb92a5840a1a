import { t } from '@lingui/core/macro';
import { formatFullRupees } from '@nivida/contract/format';
import { type CashTender, cashNeeded } from '@nivida/contract/rules/cash-needed';
import { type EmdValidity, emdValidity } from '@nivida/contract/rules/emd';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import * as v from 'valibot';
import { typedPercent } from '../../data/typed-values.ts';
import entries from '../../ui/display/entries.module.css';
import { Field, Input } from '../../ui/form/Field.tsx';
import css from './Deposits.module.css';
import { DepositTerm } from './DepositTerm.tsx';

/**
 * Reads a typed percentage. Null for an empty field. Null with a message for text that is not a percentage.
 */
function readPercent(text: string, min: number): { percent: number | null; error?: string } {
  const read = v.safeParse(typedPercent(min), text.trim());
  return read.success ? { percent: read.output } : { percent: null, error: read.issues[0].message };
}

/** Until when an instrument for the EMD must be valid, with the rule. */
export function EmdValidityNote({ validity: { text, source } }: { validity: EmdValidity }) {
  return <small>{`${text} ${t`Rule: ${source}`}`}</small>;
}

interface CashNeededProps {
  tender: CashTender & Pick<Tender, 'bid_validity_days'>;
  /** The bidder's rate in percent of the estimate, positive above it. */
  ratePercent: number | null;
}

/** The cash that a bid at the user's rate needs; each amount has its rule. Works offline. */
export function CashNeeded({ tender, ratePercent }: CashNeededProps) {
  const [rate, setRate] = useState(ratePercent === null ? '' : String(Math.round(ratePercent * 100) / 100));
  const [performance, setPerformance] = useState('');
  const [own, asked] = [readPercent(rate, -100), readPercent(performance, 0)];
  const { lines, total, unknown } = cashNeeded(tender, {
    ratePercent: own.percent,
    performancePercent: asked.percent,
  });
  return (
    <div className="stack">
      <div className={entries.pair}>
        <Field label={t`My rate, %`} hint={t`10 below: -10`} error={rate === '-' ? undefined : own.error}>
          {(control) => (
            <Input {...control} autoComplete="off" value={rate} onChange={({ target }) => setRate(target.value)} />
          )}
        </Field>
        <Field label={t`Performance, %`} hint={t`of the NIT`} error={asked.error}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={performance}
              onChange={({ target }) => setPerformance(target.value)}
            />
          )}
        </Field>
      </div>
      <ul className={css.cash}>
        {lines.map(({ id, label, rupees, text, source }) => (
          <li key={id}>
            <p className={css.top}>
              <span>
                <DepositTerm kind={id} label={label} />
              </span>
              <b className="num">{rupees === null ? t`Not known` : formatFullRupees(rupees)}</b>
            </p>
            <small>{text}</small>
            {source && <small>{t`Rule: ${source}`}</small>}
            {id === 'emd' && rupees !== 0 && <EmdValidityNote validity={emdValidity(tender)} />}
          </li>
        ))}
      </ul>
      <p className={css.top} role="status">
        <b>{unknown.length > 0 ? t`At least` : t`Together`}</b> <b className="num">{formatFullRupees(total)}</b>
      </p>
      {unknown.length > 0 && <p className="s muted">{t`Not counted: ${{ list: unknown.join(', ') }}.`}</p>}
    </div>
  );
}
