import { t } from '@lingui/core/macro';
import {
  defaultOrder,
  type SortKey,
  type SortOrder,
  type TenderListQuery,
} from '@nivida/contract/filter/tender-filter';
import { useEffect, useRef } from 'react';
import { Icon } from '../../ui/display/Icon.tsx';
import { withSort } from '../search/search.ts';
import { OpenClosedSwitch } from './filters/Filters.tsx';
import css from './SortPanel.module.css';

const sortLabels = (): Record<SortKey, string> => ({
  relevance: t`Best match`,
  price: t({ message: 'Price', context: 'order' }),
  closing_date: t`Closing Date`,
});
/** Labels beside the count, which needs a phone's line. */
const shortLabels = (): Record<SortKey, string> => ({ ...sortLabels(), closing_date: t`Closing` });
/** The sort keys that have two directions. Best match has only one. */
type DirectedKey = Exclude<SortKey, 'relevance'>;

const directionLabels = (): Record<DirectedKey, Record<SortOrder, string>> => ({
  price: { asc: t`low to high`, desc: t`high to low` },
  closing_date: { asc: t`soonest first`, desc: t`latest first` },
});
const ARROWS: Record<SortOrder, string> = { asc: '↑', desc: '↓' };

/** The sort panel under its summary. On phones it also has the switch for closed tenders. */
export function SortPanel({
  search,
  onChange,
}: {
  search: TenderListQuery;
  onChange: (search: TenderListQuery) => void;
}) {
  const panel = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    const details = panel.current;
    const close = (event: Event) => {
      const isOutside = event.type === 'pointerdown' && !details?.contains(event.target as Node);
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape' && details?.open;
      if (isEscape) details.querySelector('summary')?.focus();
      if (details && (isOutside || isEscape)) details.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, []);

  function choose(changed: TenderListQuery) {
    if (panel.current) panel.current.open = false;
    onChange(changed);
  }

  return (
    <details className={css.sort} ref={panel}>
      <summary>
        <Icon name="sort" small />
        <span className="sr">{t`Sort by`} </span>
        {shortLabels()[search.sort]}
        {search.sort !== 'relevance' && (
          <>
            {' '}
            <span aria-hidden="true">{ARROWS[search.order]}</span>
            <span className="sr">, {directionLabels()[search.sort][search.order]}</span>
          </>
        )}
      </summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has its own frame and legend */}
      <div className={css.panel} role="group" aria-label={t`Sort by`}>
        {search.q !== '' && (
          <button
            type="button"
            aria-pressed={search.sort === 'relevance'}
            onClick={() => choose({ ...search, sort: 'relevance', order: 'desc', page: 1 })}
          >
            {sortLabels().relevance}
          </button>
        )}
        {(['price', 'closing_date'] as const).map((sort) => {
          const isChosen = sort === search.sort;
          const order = isChosen ? search.order : defaultOrder(sort, search.open);
          return (
            <button key={sort} type="button" aria-pressed={isChosen} onClick={() => choose(withSort(search, sort))}>
              {sortLabels()[sort]}
              <span>
                {directionLabels()[sort][order]} <span aria-hidden="true">{ARROWS[order]}</span>
              </span>
            </button>
          );
        })}
        <div className={css.closed}>
          <OpenClosedSwitch search={search} onChange={choose} />
        </div>
      </div>
    </details>
  );
}
