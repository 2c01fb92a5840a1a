/**
 * A list of tenders as the app's address holds it, `?state&district&department&q&min&max&within&category&open&sort&order&page`,
 * and as `GET /api/tenders` is asked for it.
 */
import { TENDER_CATEGORIES, type TenderCategory } from '../tenders/tender.ts';

export type SortKey = 'price' | 'closing_date';
export type SortOrder = 'asc' | 'desc';

/** Where and what to look for; empty text means not given. */
export interface PlaceFilter {
  state: string;
  district: string;
  department: string;
  q: string;
}

/** What narrows a list further; null means not given. */
export interface RangeFilter {
  /** Bounds of the estimate in rupees, both included. */
  min: number | null;
  max: number | null;
  /** Closing within so many Indian calendar days, 0 being today; of closed tenders it means nothing. */
  within: number | null;
  category: TenderCategory | null;
}

/** A whole search: place and words, what narrows it, open or closed ones, sorting, and the page from 1. */
export interface TenderListFilter extends PlaceFilter, RangeFilter {
  open: boolean;
  sort: SortKey;
  order: SortOrder;
  page: number;
}

/** The longest closing window that the server understands. */
const MAX_CLOSING_DAYS = 365;

/** Tenders on a page of the list. */
export const PAGE_SIZE = 10;

/** The sorting of a list nobody has sorted: dearest first, of closed tenders the last closed first. */
export function defaultSort(open: boolean): SortKey {
  return open ? 'price' : 'closing_date';
}

/** The direction a key starts with: dearest first; soonest first, of closed tenders the last closed first. */
export function defaultOrder(sort: SortKey, open: boolean): SortOrder {
  return sort === 'closing_date' && open ? 'asc' : 'desc';
}

/** Reads the address; what is missing or unreadable gets its default. */
export function parseTenderFilter(params: URLSearchParams): TenderListFilter {
  const text = (name: string) => (params.get(name) ?? '').trim();
  const open = text('open') !== '0';
  const sort = text('sort');
  const sortKey = sort === 'price' || sort === 'closing_date' ? sort : defaultSort(open);
  const order = text('order');
  const page = Number(text('page'));
  const wholeNumber = (name: string) => (/^\d{1,12}$/.test(text(name)) ? Number(text(name)) : null);
  const within = wholeNumber('within');
  return {
    state: text('state'),
    district: text('district'),
    department: text('department'),
    q: text('q'),
    min: wholeNumber('min'),
    max: wholeNumber('max'),
    within: within !== null && within <= MAX_CLOSING_DAYS ? within : null,
    category: TENDER_CATEGORIES.find((category) => category === text('category')) ?? null,
    open,
    sort: sortKey,
    order: order === 'asc' || order === 'desc' ? order : defaultOrder(sortKey, open),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes place and words, leaving out what is empty: the query of the search form. */
export function placeFilterParams(place: PlaceFilter): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of ['state', 'district', 'department', 'q'] as const) {
    if (place[name]) params.set(name, place[name]);
  }
  return params;
}

function appendRangeFilter(params: URLSearchParams, narrowing: RangeFilter): void {
  for (const name of ['min', 'max', 'within', 'category'] as const) {
    if (narrowing[name] !== null) params.set(name, String(narrowing[name]));
  }
}

/** Writes the search, leaving out what is empty or default, so that the same list has one address. */
export function tenderFilterParams(search: TenderListFilter): URLSearchParams {
  const params = placeFilterParams(search);
  appendRangeFilter(params, search);
  if (!search.open) params.set('open', '0');
  if (search.sort !== defaultSort(search.open)) params.set('sort', search.sort);
  if (search.order !== defaultOrder(search.sort, search.open)) params.set('order', search.order);
  if (search.page > 1) params.set('page', String(search.page));
  return params;
}

/** What the search matches, as a query of `GET /api/facets`. */
export function facetsQuery(search: TenderListFilter): string {
  const params = placeFilterParams(search);
  appendRangeFilter(params, search);
  if (!search.open) params.set('open', '0');
  return params.toString();
}

/** The same search as a query of `GET /api/tenders`: everything said, one page of rows. */
export function tenderListQuery(search: TenderListFilter): string {
  const params = placeFilterParams(search);
  appendRangeFilter(params, search);
  params.set('open', search.open ? '1' : '0');
  params.set('sort', search.sort);
  params.set('order', search.order);
  params.set('page', String(search.page));
  params.set('limit', String(PAGE_SIZE));
  return params.toString();
}
