import { t } from '@lingui/core/macro';
import { onePercentOf, percentOf, type RatedTotal } from '@nivida/contract/rates/my-rates';
import { amountInWords } from '@nivida/contract/rates/number-words';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './Boq.module.css';
import { blanksText, distanceText, paiseText } from './boq-texts.ts';

interface MyTotalProps {
  /** The total of the bidder's rates; null while he has none. */
  paise: number | null;
  /** The estimate with which it is compared; null without one. */
  estimatePaise: number | null;
  /** What one per cent is of, in paise; null when it is unknown. */
  basePaise: number | null;
  /** Rows without a rate; null for a percentage BOQ. */
  rated: RatedTotal | null;
  /** The field of a percentage BOQ. */
  children?: ReactNode;
  /** The usual prices of the office's awards, or why they are not shown. */
  awards: ReactNode;
  onNextBlank: () => void;
  onClear: (() => void) | undefined;
}

/** What the bidder's rates come to, in figures and in words, and how that compares. */
export function MyTotal(props: MyTotalProps) {
  const { paise, estimatePaise, basePaise, rated, children, awards, onNextBlank, onClear } = props;
  const isComplete = rated === null || rated.blanks.length === 0;
  const distance = paise === null || !isComplete ? null : percentOf(paise, estimatePaise);
  return (
    <Panel aria-labelledby="my-rates" stack>
      <h2 id="my-rates">{t`My rates`}</h2>
      <p className="s muted">{t`My rates stay with me: they are never shown to others or sent to a portal.`}</p>
      {children}
      {paise !== null &&
        (isComplete ? (
          <div>
            <p className={css.total} data-total="">
              {paiseText(paise)}
            </p>
            <p className="s">{amountInWords(paise)}</p>
          </div>
        ) : (
          // A part of the items must not look like the whole.
          <p data-total="">{t`So far: ${{ amount: paiseText(paise) }}`}</p>
        ))}
      {rated !== null && rated.blanks.length > 0 && (
        <p className="row">
          <span>{blanksText(rated.blanks.length, rated.items)}</span>
          <Button look="main" onClick={onNextBlank}>{t`Next item without a rate`}</Button>
        </p>
      )}
      {distance !== null && <p>{distanceText(distance)}</p>}
      {basePaise !== null && (
        <p className="s">{t`One per cent is ${{ amount: paiseText(onePercentOf(basePaise)) }}.`}</p>
      )}
      {awards}
      {onClear && (
        <div className="under-list">
          <Button look="plain" onClick={onClear}>{t`Remove all my rates of this BOQ`}</Button>
        </div>
      )}
    </Panel>
  );
}
