import { t } from '@lingui/core/macro';
import type { BoqSummary } from '@nivida/contract/documents/tender-reading';
import { percentOf } from '@nivida/contract/rates/my-rates';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './Boq.module.css';
import { distanceText, itemsText, kindText, paiseText, totalCheckText } from './boq-texts.ts';

/** An estimate and where it stands. */
export interface StatedEstimate {
  source: 'portal' | 'document';
  paise: number;
}

function estimateText({ source, paise }: StatedEstimate): string {
  const amount = paiseText(paise);
  return source === 'portal' ? t`Estimate of the portal: ${amount}` : t`Estimate of the NIT: ${amount}`;
}

/** The head of a BOQ: number of items, total, and whether it agrees with the file's own total and the estimates. */
export function BoqSummaryPanel(props: { summary: BoqSummary; estimates: readonly StatedEstimate[] }) {
  const { summary, estimates } = props;
  const { kind, items, isLumpSum, totalPaise, totalState } = summary;
  const check = totalCheckText(summary);
  return (
    <Panel stack>
      <dl className="figures">
        <div>
          <dt>{kindText(kind)}</dt>
          <dd>{itemsText(items)}</dd>
        </div>
        {totalPaise !== null && (
          <div>
            <dt>{t`Total at the office's rates`}</dt>
            <dd>{paiseText(totalPaise)}</dd>
          </div>
        )}
      </dl>
      {isLumpSum && (
        <Note tone="amber" icon="document">
          {t`One lump-sum line: the quantities are in the PDF.`}
        </Note>
      )}
      {check !== null && totalState === 'differs' && (
        <Note tone="amber" icon="warning">
          {check}
        </Note>
      )}
      {check !== null && totalState !== 'differs' && <p className="s">{check}</p>}
      {estimates.length > 0 && (
        <ul className={`s ${css.estimates}`}>
          {estimates.map((estimate) => {
            const distance = totalPaise === null ? null : percentOf(totalPaise, estimate.paise);
            return (
              <li key={estimate.source}>
                {estimateText(estimate)}
                {distance !== null && `. ${t`Total of the BOQ: ${{ distance: distanceText(distance) }}`}`}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
