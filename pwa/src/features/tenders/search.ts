/** What the list's controls do to a search, and what it is called. */
import {
  defaultSort,
  firstOrder,
  type Narrowing,
  type Order,
  type Place,
  type SortKey,
  type TenderSearch,
} from '@nivida/contract/list-address';

/** A list that nothing narrows. */
export const ALL: Narrowing = { min: null, max: null, within: null, category: null };

/** How many ways narrow the list, for the button that leads to them. */
export function narrowedBy({ min, max, within, category, open }: TenderSearch): number {
  return [min ?? max, open ? within : null, category].filter((each) => each !== null).length;
}

/** Chooses a sort key: the same again turns the direction, another starts with its own; back to page 1 either way. */
export function sortBy(search: TenderSearch, sort: SortKey): TenderSearch {
  const turned: Order = search.order === 'asc' ? 'desc' : 'asc';
  return { ...search, sort, order: sort === search.sort ? turned : firstOrder(sort, search.open), page: 1 };
}

/** Switches between open and closed tenders, with the sorting that list starts with. */
export function showOpen(search: TenderSearch, open: boolean): TenderSearch {
  const sort = defaultSort(open);
  return { ...search, open, sort, order: firstOrder(sort, open), page: 1 };
}

/** 'Himachal Pradesh', '“bailey bridge”', '“bailey bridge” in Himachal Pradesh', with the district before its state. */
export function searchName({ state, district, q }: Place): string {
  const where = [district, state].filter(Boolean).join(', ');
  if (!q) return where;
  return where ? `“${q}” in ${where}` : `“${q}”`;
}

/** Heading of the results: 'Tenders in Himachal Pradesh', 'Closed tenders for “bailey bridge”'. */
export function resultsTitle(search: TenderSearch): string {
  return `${search.open ? 'Tenders' : 'Closed tenders'} ${search.q ? 'for' : 'in'} ${searchName(search)}`;
}
