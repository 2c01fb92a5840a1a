import { plural, t } from '@lingui/core/macro';
import type { BoqKind } from '@nivida/contract/documents/boq';
import type { BoqSummary } from '@nivida/contract/documents/tender-reading';
import { formatFullRupees } from '@nivida/contract/format';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './shared-files.module.css';

const kindText = (kind: BoqKind): string =>
  ({
    percentage: t`One percentage for all items, above or below the office's rates`,
    'item-rate': t`You fill in a rate for each item`,
    'item-wise': t`You can offer for single items`,
  })[kind];

const rupees = (paise: number) => formatFullRupees(paise / 100);

/** What a BOQ has, in a few lines. */
export function BoqSummaryView({ summary }: { summary: BoqSummary }) {
  const { kind, items, isLumpSum, totalPaise, statedTotalPaise, totalState } = summary;
  return (
    <>
      <dl className={css.boq}>
        <div>
          <dt>{t`How to offer`}</dt>
          <dd>{kindText(kind)}</dd>
        </div>
        <div>
          <dt>{t`Items`}</dt>
          <dd className="num">{plural(items, { one: '# item', other: '# items' })}</dd>
        </div>
        {totalPaise !== null && (
          <div>
            <dt>{t`Total of the office's rates`}</dt>
            <dd className="num">{rupees(totalPaise)}</dd>
          </div>
        )}
      </dl>
      {isLumpSum && <p className="s">{t`One lump-sum line: the quantities are in the PDF.`}</p>}
      {totalState === 'agrees' && <p className="s muted">{t`The items add up to the total in the file.`}</p>}
      {totalState === 'differs' && totalPaise !== null && statedTotalPaise !== null && (
        <Note tone="amber" icon="warning">
          {t`The items add up to ${{ sum: rupees(totalPaise) }}, but the file says ${{ stated: rupees(statedTotalPaise) }}.`}
        </Note>
      )}
    </>
  );
}
