import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGE_SIZE, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { formatAge } from '@nivida/contract/format';
import type { TenderListResponse } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/display/Icon.tsx';
import { noticesText, resultRangeText } from './pagination/pagination.ts';
import css from './Results.module.css';
import { SortPanel } from './SortPanel.tsx';

interface ResultsBarProps {
  search: TenderListQuery;
  /** Undefined while it loads. */
  list: TenderListResponse | undefined;
  /** The message below the bar says that the network does not answer. */
  hasNoNetwork?: boolean;
  /** When the list was fetched. Null unless it could not be refreshed since. */
  savedAt: Date | null;
  now: Date;
  onChange: (search: TenderListQuery) => void;
  /** The button that saves the search. */
  save: ReactNode;
  /** More lines below the count. */
  children: ReactNode;
}

/** The line above the cards: range, total, age and sorting. */
export function ResultsBar({
  search,
  list,
  hasNoNetwork = false,
  savedAt,
  now,
  onChange,
  save,
  children,
}: ResultsBarProps) {
  return (
    <div className={css.bar}>
      <div className={css.lines}>
        <div className={css.counted}>
          <p className={css.count} role="status">
            {list && resultRangeText(list, PAGE_SIZE)}
            {list && noticesText(list) && <span className={css.wide}> {noticesText(list)}</span>}
            {!list && (hasNoNetwork ? t`Not loaded yet` : t`Loading tenders…`)}
          </p>
          {save}
        </div>
        {savedAt && (
          <p className="muted">
            <Icon name="phone" small /> {t`Saved ${formatAge(savedAt, now)}`}
          </p>
        )}
        {children}
        {list?.has_more && search.sort !== 'closing_date' && (
          <p className="muted">
            <Trans>
              So many tenders are listed in the order of closing only. Add a word or a place to narrow the search.
            </Trans>
          </p>
        )}
        {list?.demonstration && <p className={css.demonstration}>{t`Demonstration data`}</p>}
      </div>
      <SortPanel search={search} onChange={onChange} />
    </div>
  );
}
