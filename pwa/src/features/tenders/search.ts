/** The search as the address holds it: `?state&district&department&q&open&sort&order&page`. */

export type SortKey = 'price' | 'closing_date';
export type Order = 'asc' | 'desc';

/** Where and what to look for; empty text means not given. */
export interface Place {
  state: string;
  district: string;
  department: string;
  q: string;
}

/** A whole search: place and words, open or closed ones, sorting, and the page from 1. */
export interface TenderSearch extends Place {
  open: boolean;
  sort: SortKey;
  order: Order;
  page: number;
}

/** Tenders on a page of the list. */
export const PAGE_SIZE = 10;

/** The sorting of a list nobody has sorted: dearest first, of closed tenders the last closed first. */
function defaultSort(open: boolean): SortKey {
  return open ? 'price' : 'closing_date';
}

/** The direction a key starts with: dearest first; soonest first, of closed tenders the last closed first. */
export function firstOrder(sort: SortKey, open: boolean): Order {
  return sort === 'closing_date' && open ? 'asc' : 'desc';
}

/** Reads the address; what is missing or unreadable gets its default. */
export function readSearch(params: URLSearchParams): TenderSearch {
  const text = (name: string) => (params.get(name) ?? '').trim();
  const open = text('open') !== '0';
  const sort = text('sort');
  const sortKey = sort === 'price' || sort === 'closing_date' ? sort : defaultSort(open);
  const order = text('order');
  const page = Number(text('page'));
  return {
    state: text('state'),
    district: text('district'),
    department: text('department'),
    q: text('q'),
    open,
    sort: sortKey,
    order: order === 'asc' || order === 'desc' ? order : firstOrder(sortKey, open),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes place and words, leaving out what is empty: the query of the search form. */
export function writePlace(place: Place): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of ['state', 'district', 'department', 'q'] as const) {
    if (place[name]) params.set(name, place[name]);
  }
  return params;
}

/** Writes the search, leaving out what is empty or default, so that the same list has one address. */
export function writeSearch(search: TenderSearch): URLSearchParams {
  const params = writePlace(search);
  if (!search.open) params.set('open', '0');
  if (search.sort !== defaultSort(search.open)) params.set('sort', search.sort);
  if (search.order !== firstOrder(search.sort, search.open)) params.set('order', search.order);
  if (search.page > 1) params.set('page', String(search.page));
  return params;
}

/** The same search as a query of `GET /api/tenders`: everything said, one page of rows. */
export function toQuery(search: TenderSearch): string {
  const params = writePlace(search);
  params.set('open', search.open ? '1' : '0');
  params.set('sort', search.sort);
  params.set('order', search.order);
  params.set('page', String(search.page));
  params.set('limit', String(PAGE_SIZE));
  return params.toString();
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
