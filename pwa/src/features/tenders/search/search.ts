/** Changes to a search by the list's controls, and its titles. */
import {
  defaultOrder,
  defaultSort,
  type PlaceFilter,
  type RangeFilter,
  type SortKey,
  type SortOrder,
  type TenderListFilter,
} from '@nivida/contract/search/tender-filter';

export const NO_RANGE_FILTER: RangeFilter = { min: null, max: null, within: null, category: null };

/** The number on the filter button. */
export function activeFilterCount({ min, max, within, category, open }: TenderListFilter): number {
  return [min ?? max, open ? within : null, category].filter((each) => each !== null).length;
}

/** Chooses a sort key: the same key reverses the direction, another one starts with its default. Goes to page 1. */
export function withSort(search: TenderListFilter, sort: SortKey): TenderListFilter {
  const turned: SortOrder = search.order === 'asc' ? 'desc' : 'asc';
  return { ...search, sort, order: sort === search.sort ? turned : defaultOrder(sort, search.open), page: 1 };
}

/** Switches between open and closed tenders and resets the sorting. */
export function withOpenState(search: TenderListFilter, open: boolean): TenderListFilter {
  const sort = defaultSort(open);
  return { ...search, open, sort, order: defaultOrder(sort, open), page: 1 };
}

/** 'Himachal Pradesh', '“bailey bridge”', '“bailey bridge” in Himachal Pradesh', with the district before its state. */
export function searchName({ state, district, q }: PlaceFilter): string {
  const where = [district, state].filter(Boolean).join(', ');
  if (!q) return where;
  return where ? `“${q}” in ${where}` : `“${q}”`;
}

/** Heading of the results: 'Tenders in Himachal Pradesh', 'Closed tenders for “bailey bridge”'. */
export function resultsTitle(search: TenderListFilter): string {
  return `${search.open ? 'Tenders' : 'Closed tenders'} ${search.q ? 'for' : 'in'} ${searchName(search)}`;
}
