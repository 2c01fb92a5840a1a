import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { FilterForm } from './Filters.tsx';
import css from './Lead.module.css';
import { narrowedBy } from './search.ts';
import type { Results } from './useResults.ts';

/** The filters on a phone: a button in the top bar that opens them over the list, which changes behind them. */
export function FilterButton({ results }: { results: Results }) {
  const { search, answer, change } = results;
  const [isOpen, setIsOpen] = useState(false);
  const count = narrowedBy(search);
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
