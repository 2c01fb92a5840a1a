import { t } from '@lingui/core/macro';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import { limitLine } from '../../features/bids/rules/card-mark.ts';
import type { CardMarks } from '../../features/results/Results.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import css from '../tenders/Tenders.module.css';
import { loadMarks, setWithinLimit, useWithinLimit } from './within-limit.ts';

/**
 * The user's own marks of cards, and the filter "Works I may bid". The device computes both, because the
 * user's figures are never sent with a search. So a page of the server's list may show fewer cards.
 */
export function useCardMarks(): CardMarks | undefined {
  const { rows } = useSpaceRows(loadMarks);
  const isOn = useWithinLimit();
  if (!rows) return undefined;
  const { hasEnlistment, markOf, isRefused } = rows;
  const isFiltered = hasEnlistment && isOn;
  return {
    markOf: (tender) => {
      const mark = markOf(tender);
      return mark && <Badge tone={mark.tone}>{mark.text}</Badge>;
    },
    isHidden: (tender) => isFiltered && isRefused(tender),
    renderLine: (tenders) => {
      if (!hasEnlistment) return null;
      const hidden = tenders.filter(isRefused).length;
      return (
        <div className={css.mayBid}>
          <Checkbox checked={isFiltered} onChange={({ target }) => setWithinLimit(target.checked)}>
            {t`Works I may bid`}
            {hidden > 0 && <small>{limitLine(isFiltered, hidden)}</small>}
          </Checkbox>
        </div>
      );
    },
  };
}
