import { firstOrder, type Order, type SortKey, type TenderSearch } from '@nivida/contract/list-address';
import { useEffect, useRef } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { ClosedSwitch } from './Filters.tsx';
import css from './SortPanel.module.css';
import { sortBy } from './search.ts';

const LABELS: Record<SortKey, string> = { price: 'Price', closing_date: 'Closing Date' };
const DIRECTIONS: Record<SortKey, Record<Order, string>> = {
  price: { asc: 'low to high', desc: 'high to low' },
  closing_date: { asc: 'soonest first', desc: 'latest first' },
};
const ARROWS: Record<Order, string> = { asc: '↑', desc: '↓' };

/** The sort choice as a panel under its summary; on phones it also holds the switch for closed tenders. */
export function SortPanel({ search, onChange }: { search: TenderSearch; onChange: (search: TenderSearch) => void }) {
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

  function choose(changed: TenderSearch) {
    if (panel.current) panel.current.open = false;
    onChange(changed);
  }

  return (
    <details className={css.sort} ref={panel}>
      <summary>
        <Icon name="sort" small />
        <span className="sr">Sort by </span>
        {LABELS[search.sort]} <span aria-hidden="true">{ARROWS[search.order]}</span>
        <span className="sr">, {DIRECTIONS[search.sort][search.order]}</span>
      </summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend of its own */}
      <div className={css.panel} role="group" aria-label="Sort by">
        {(['price', 'closing_date'] as const).map((sort) => {
          const isChosen = sort === search.sort;
          const order = isChosen ? search.order : firstOrder(sort, search.open);
          return (
            <button key={sort} type="button" aria-pressed={isChosen} onClick={() => choose(sortBy(search, sort))}>
              {LABELS[sort]}
              <span>
                {DIRECTIONS[sort][order]} <span aria-hidden="true">{ARROWS[order]}</span>
              </span>
            </button>
          );
        })}
        <div className={css.closed}>
          <ClosedSwitch search={search} onChange={choose} />
        </div>
      </div>
    </details>
  );
}
