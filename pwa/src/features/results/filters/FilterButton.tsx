import { plural, t } from '@lingui/core/macro';
import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { formatTotal } from '@nivida/contract/format';
import { useEffect } from 'react';
import { create } from 'zustand';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { withOpenState, withoutFilters } from '../../search/search.ts';
import css from '../../tender/PageHeader.module.css';
import type { ResultsState } from '../useResults.ts';
import { FilterForm } from './Filters.tsx';
import { filterChips } from './filter-chips.ts';

/** Shared state, because the button is in the page header and the dialog is beside the list. */
const useFilterDialog = create(() => ({ isOpen: false }));

const open = () => useFilterDialog.setState({ isOpen: true });
const close = () => useFilterDialog.setState({ isOpen: false });

/** Opens the filters on a phone. */
export function FilterButton({ search }: { search: TenderListQuery }) {
  const count = filterChips(search).length;
  return (
    <button
      type="button"
      className={css.filter}
      aria-label={count > 0 ? t`Filters, ${count} set` : t`Filters`}
      aria-haspopup="dialog"
      onClick={open}
    >
      <Icon name="filter" />
      {count > 0 && <span className={css.count}>{count}</span>}
    </button>
  );
}

/** The filters on a phone. The list behind the dialog updates with each change. */
export function FilterDialog({ results }: { results: ResultsState }) {
  const isOpen = useFilterDialog((dialog) => dialog.isOpen);
  useEffect(() => close, []);
  if (!isOpen) return null;
  const { search } = results;
  const { answer } = results;
  const count = answer && formatTotal(answer);
  return (
    <Dialog title={t`Filters`} onClose={close}>
      <FilterForm search={search} here={results} onChange={results.change} />
      <DialogActions>
        <Button
          aria-disabled={filterChips(search).length === 0}
          onClick={() => results.change(withoutFilters(search.open ? search : withOpenState(search, true)))}
        >
          {t`Clear all`}
        </Button>
        <Button look="main" onClick={close}>
          {answer
            ? plural(answer.total, { one: `Show ${count} tender`, other: `Show ${count} tenders` })
            : t`Show tenders`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
