import { t } from '@lingui/core/macro';
import { formatFullRupees } from '@nivida/contract/format';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { ReturnedButton } from './BidDeposits.tsx';
import { DepositRow } from './DepositRow.tsx';
import css from './Deposits.module.css';
import { type Deposit, emdReturnRule, kindLabel } from './deposit.ts';
import { changeDeposit } from './deposit-actions.ts';
import { type LedgerEntry, type LedgerSums, ledgerOf } from './ledger.ts';

/** An entry, with the facts that its letter needs. */
export interface BidLedgerEntry extends LedgerEntry {
  /** Path of the bid's page. Null when the bid was removed. */
  path: string | null;
  sourceTenderId: string | null;
  isLost: boolean;
  submittedAt: string | undefined;
}

interface LedgerPanelProps {
  entries: readonly BidLedgerEntry[];
  now: Date;
  /** Renders the letter that asks for an entry's money. */
  renderLetter: (entry: BidLedgerEntry, onClose: () => void) => ReactNode;
}

const rupees = (paise: number): string => formatFullRupees(paise / 100);

function Sums({ sums, returned }: { sums: LedgerSums; returned: number }) {
  return (
    <dl className={css.sums}>
      <div>
        <dt>{t`Locked now`}</dt>
        <dd>{rupees(sums.held)}</dd>
      </div>
      <div>
        <dt>{t`Due back`}</dt>
        <dd>{rupees(sums.due)}</dd>
      </div>
      <div data-tone={sums.overdue > 0 ? 'red' : undefined}>
        <dt>{t`Overdue`}</dt>
        <dd>{rupees(sums.overdue)}</dd>
      </div>
      <div>
        <dt>{t`Came back`}</dt>
        <dd>{rupees(returned)}</dd>
      </div>
    </dl>
  );
}

function Offices({ offices }: { offices: { office: string; sums: LedgerSums }[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a wide table
    <section className={css.scroll} aria-labelledby="by-office" tabIndex={0}>
      <h3 id="by-office">{t`By office`}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Office`}</th>
            <th scope="col">{t`Locked now`}</th>
            <th scope="col">{t`Due back`}</th>
            <th scope="col">{t`Overdue`}</th>
          </tr>
        </thead>
        <tbody>
          {offices.map(({ office, sums }) => (
            <tr key={office}>
              <th scope="row">{office || t`No office entered`}</th>
              <td>{rupees(sums.held)}</td>
              <td>{rupees(sums.due)}</td>
              <td>{rupees(sums.overdue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Marks money as asked for, with "Undo". */
function AskedButton({ deposit }: { deposit: Deposit }) {
  if (deposit.state === 'asked') return null;
  return (
    <Button
      look="plain"
      onClick={() =>
        void changeDeposit(
          deposit.id,
          { state: 'asked' },
          { state: deposit.state ?? 'locked' },
          t`${{ kind: kindLabel(deposit) }}: asked for.`,
        )
      }
    >
      {t`I asked for it`}
    </Button>
  );
}

/**
 * The money that offices hold: sums, overdue money with a letter that asks for it, due money, and the rest.
 */
export function LedgerPanel({ entries, now, renderLetter }: LedgerPanelProps) {
  const [letterId, setLetterId] = useState<string | null>(null);
  const ledger = ledgerOf(entries, now);
  const entryOf = (id: string) => entries.find(({ deposit }) => deposit.id === id);
  const letter = letterId === null ? undefined : entryOf(letterId);
  const groups = [
    { title: t`Overdue`, list: ledger.overdue, isDue: true },
    { title: t`Due back`, list: ledger.due, isDue: true },
    { title: t`Locked`, list: ledger.locked, isDue: false },
  ].filter(({ list }) => list.length > 0);
  return (
    <Panel stack aria-labelledby="ledger">
      <h2 id="ledger">{t`Money that is locked`}</h2>
      <Sums sums={ledger.sums} returned={ledger.returned} />
      <p className="xs muted">{`${t`From what you entered.`} ${emdReturnRule()} ${t`You can change each date.`}`}</p>
      {ledger.unknownAmounts > 0 && (
        <p className="s">{t`Without an amount, so not in the sums: ${{ count: ledger.unknownAmounts }}.`}</p>
      )}
      {groups.length === 0 && <p className="muted">{t`No office holds your money. Enter an EMD on a bid's page.`}</p>}
      {groups.map(({ title, list, isDue }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul className={css.list}>
            {list.map(({ deposit, title: bidTitle, office }) => {
              const path = entryOf(deposit.id)?.path ?? null;
              return (
                <DepositRow
                  key={deposit.id}
                  deposit={deposit}
                  now={now}
                  title={
                    <p className="s">
                      {path === null ? bidTitle : <Link to={`${path}#money`}>{bidTitle}</Link>}
                      {office && <span className="muted"> · {office}</span>}
                    </p>
                  }
                >
                  {isDue && (
                    <Button aria-haspopup="dialog" onClick={() => setLetterId(deposit.id)}>
                      {t`Letter`}
                    </Button>
                  )}
                  {isDue && <AskedButton deposit={deposit} />}
                  <ReturnedButton deposit={deposit} />
                </DepositRow>
              );
            })}
          </ul>
        </section>
      ))}
      {ledger.offices.length > 0 && <Offices offices={ledger.offices} />}
      {letter && renderLetter(letter, () => setLetterId(null))}
    </Panel>
  );
}
