import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import css from '../PageHeader.module.css';
import type { ResultsState } from '../results/useResults.ts';
import { FilterForm } from './Filters.tsx';
import { activeFilterCount } from './search.ts';

/** The filters on a phone: a button in the top bar that opens them over the list, which changes behind them. */
export function FilterButton({ results }: { results: ResultsState }) {
  const { search, answer, change } = results;
  const [isOpen, setIsOpen] = useState(false);
  const count = activeFilterCount(search);
  const total = answer?.total;
  return (
    <>
      <button
        type="button"
        className={css.filter}
        aria-label={count > 0 ? `Filters, ${count} set` : 'Filters'}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="filter" />
        {count > 0 && <span className={css.count}>{count}</span>}
      </button>
      {isOpen && (
        <Dialog title="Filters" onClose={() => setIsOpen(false)}>
          <FilterForm search={search} here={results} onChange={change} />
          <Button look="main" onClick={() => setIsOpen(false)}>
            {total === undefined ? 'Show tenders' : `Show ${total} ${total === 1 ? 'tender' : 'tenders'}`}
          </Button>
        </Dialog>
      )}
    </>
  );
}
