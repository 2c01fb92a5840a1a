import { t } from '@lingui/core/macro';
import { type TenderListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { useEffect, useState } from 'react';
import { Link, useNavigationType } from 'react-router-dom';
import { useOwner } from '../../../data/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { hasFilters } from '../../search/search.ts';
import { filterChips } from './filter-chips.ts';
import css from './LastFilter.module.css';
import { filterOfStored, lastFilters, storeLastFilter } from './last-filters.ts';

/**
 * Offers the last filter of the search's state. Renders nothing when there is none or the search has filters.
 */
export function LastFilter({ search }: { search: TenderListQuery }) {
  const owner = useOwner();
  const stored = lastFilters.useShown(({ value }) => value[search.state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another owner has other filters
  useEffect(() => lastFilters.show(), [owner]);
  if (!stored || search.state === '' || hasFilters(search)) return null;
  const last = { ...search, ...filterOfStored(search.state, stored), q: search.q, open: search.open, page: 1 };
  const label = filterChips({ ...last, open: true })
    .map((chip) => chip.label)
    .join(' · ');
  return (
    <p className={css.last}>
      <Link to={{ search: `?${tenderFilterParams(last)}` }} replace state={{ page: 1 }}>
        <span>{t`Last filter: ${label}`}</span>
      </Link>
      <Button look="icon" aria-label={t`Forget the last filter`} onClick={() => storeLastFilter(search.state, '')}>
        <Icon name="close" small />
      </Button>
    </p>
  );
}

/**
 * The offer over a list that a link of the app has opened. A first page, and a list to which the user
 * returns, must not move: there the offer is in the filters.
 */
export function LastFilterOfList({ search }: { search: TenderListQuery }) {
  const type = useNavigationType();
  const [isOpenedByLink] = useState(type !== 'POP');
  const isWholeState = search.q === '' && search.open && search.page === 1;
  return isOpenedByLink && isWholeState && <LastFilter search={search} />;
}
