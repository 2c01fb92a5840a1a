/** What the list's controls do to a search, and what it is called. */
import {
  defaultOrder,
  defaultSort,
  type PlaceFilter,
  type RangeFilter,
  type SortKey,
  type SortOrder,
  type TenderListFilter,
} from '@nivida/contract/search/tender-filter';

/** A list that nothing narrows. */
export const NO_RANGE_FILTER: RangeFilter = { min: null, max: null, within: null, category: null };

/** How many ways narrow the list, for the button that leads to them. */
export function activeFilterCount({ min, max, within, category, open }: TenderListFilter): number {
  return [min ?? max, open ? within : null, category].filter((each) => each !== null).length;
}

/** Chooses a sort key: the same again turns the direction, another starts with its own; back to page 1 either way. */
export function withSort(search: TenderListFilter, sort: SortKey): TenderListFilter {
  const turned: SortOrder = search.order === 'asc' ? 'desc' : 'asc';
  return { ...search, sort, order: sort === search.sort ? turned : defaultOrder(sort, search.open), page: 1 };
}

/** Switches between open and closed tenders, with the sorting that list starts with. */
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
