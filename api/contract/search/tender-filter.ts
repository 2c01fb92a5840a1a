/**
 * The filter of a tender list, in the app's URL
 * (`?state&district&department&q&min&max&within&category&open&sort&order&page`) and in the query of `GET /api/tenders`.
 */
import { TENDER_CATEGORIES, type TenderCategory } from '../tenders/tender.ts';

export type SortKey = 'price' | 'closing_date';
export type SortOrder = 'asc' | 'desc';

/** Place and words; empty text means not given. */
export interface PlaceFilter {
  state: string;
  district: string;
  department: string;
  q: string;
}

/** Further filters; null means not given. */
export interface RangeFilter {
  /** Bounds of the estimate in rupees, inclusive. */
  min: number | null;
  max: number | null;
  /** Closing within this number of Indian calendar days, 0 is today; ignored for closed tenders. */
  within: number | null;
  category: TenderCategory | null;
}

/** A whole search; pages count from 1. */
export interface TenderListFilter extends PlaceFilter, RangeFilter {
  open: boolean;
  sort: SortKey;
  order: SortOrder;
  page: number;
}

/** The longest closing window that the server accepts. */
const MAX_CLOSING_DAYS = 365;

/** Tenders on a page of the list. */
export const PAGE_SIZE = 10;

/** The default sort key: price for open tenders, closing date for closed ones. */
export function defaultSort(open: boolean): SortKey {
  return open ? 'price' : 'closing_date';
}

/** The default direction of a key: dearest first; soonest closing first, for closed tenders last closed first. */
export function defaultOrder(sort: SortKey, open: boolean): SortOrder {
  return sort === 'closing_date' && open ? 'asc' : 'desc';
}

/** Parses the URL; missing or invalid parameters get their default. */
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

/** Place and words without empty ones: the query of the search form. */
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

/** The search without empty or default values, so each list has one URL. */
export function tenderFilterParams(search: TenderListFilter): URLSearchParams {
  const params = placeFilterParams(search);
  appendRangeFilter(params, search);
  if (!search.open) params.set('open', '0');
  if (search.sort !== defaultSort(search.open)) params.set('sort', search.sort);
  if (search.order !== defaultOrder(search.sort, search.open)) params.set('order', search.order);
  if (search.page > 1) params.set('page', String(search.page));
  return params;
}

/** The query of `GET /api/facets`. */
export function facetsQuery(search: TenderListFilter): string {
  const params = placeFilterParams(search);
  appendRangeFilter(params, search);
  if (!search.open) params.set('open', '0');
  return params.toString();
}

/** The query of `GET /api/tenders`, with all parameters, for one page. */
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
