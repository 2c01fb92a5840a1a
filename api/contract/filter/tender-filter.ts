/**
 * The filter of tender lists: in the app's URL, in the queries of `GET /api/tenders` and `GET /api/facets`, in the device's
 * engine and in saved searches. The parameters of URL and API are
 * `state&district&department&q&literal&min&max&within&hour&published_within&category&open`; `district` and `department` may
 * be repeated.
 */

import { asciiDigits } from '../digits.ts';
import { TENDER_CATEGORIES, type TenderCategory, type TenderListResponse } from '../tenders/tender.ts';

/**
 * The part of the words that the user wants searched as typed. 'place': no place is read. 'conditions': no conditions are
 * read. 'words': nothing is corrected. 'all': none of these, and the last word is a prefix.
 */
export const LITERAL_PARTS = ['place', 'conditions', 'words', 'all'] as const;
export type LiteralPart = (typeof LITERAL_PARTS)[number];

/** Which tenders a list has. Empty text, an empty list and null mean not given. */
export interface TenderFilter {
  state: string;
  /** Any of these. */
  districts: readonly string[];
  /** Any of these. */
  departments: readonly string[];
  q: string;
  /** The part of `q` that is searched as typed: not read as a place or as conditions, not corrected. */
  literal: LiteralPart | null;
  /** Bounds of the estimate in rupees, inclusive. With a bound, tenders without an estimate are left out. */
  min: number | null;
  max: number | null;
  /** Closing within this number of Indian calendar days, 0 is today; ignored for closed tenders. */
  within: number | null;
  /** Closing (closed tenders: closed) today in this hour of Indian time, 0 to 23. */
  hour: number | null;
  /** Published within this number of Indian calendar days, 0 is today, 1 is since yesterday. */
  publishedWithin: number | null;
  category: TenderCategory | null;
  /** True: published and not yet closed; false: closed. */
  open: boolean;
}

/** The part of a filter that the search form has. */
export type PlaceFilter = Pick<TenderFilter, 'state' | 'districts' | 'departments' | 'q' | 'literal'>;

export type SortKey = 'relevance' | 'price' | 'closing_date';
export type SortOrder = 'asc' | 'desc';

/** A page of a sorted list; pages count from 1. */
export interface TenderListQuery extends TenderFilter {
  sort: SortKey;
  order: SortOrder;
  page: number;
}

/** Maximum of `within` and `publishedWithin`. */
export const MAX_WINDOW_DAYS = 365;
/** Maximum of `hour`. */
export const MAX_HOUR = 23;
/** Maximum number of districts and of departments in one filter. */
export const MAX_FILTER_PLACES = 20;

/** Notices on a page of the list. */
export const PAGE_SIZE = 10;

/** All open tenders. */
export const EMPTY_FILTER: TenderFilter = {
  state: '',
  districts: [],
  departments: [],
  q: '',
  literal: null,
  min: null,
  max: null,
  within: null,
  hour: null,
  publishedWithin: null,
  category: null,
  open: true,
};

/** Whether a filter has districts or departments without a state. They are names within a state, so no tender matches. */
export function lacksState({
  state,
  districts,
  departments,
}: Pick<TenderFilter, 'state' | 'districts' | 'departments'>): boolean {
  return state === '' && districts.length + departments.length > 0;
}

/** The default sort key: relevance for words, else price for open tenders and closing date for closed ones. */
export function defaultSort({ open, q }: Pick<TenderFilter, 'open' | 'q'>): SortKey {
  if (q !== '') return 'relevance';
  return open ? 'price' : 'closing_date';
}

/** The default direction of a key: dearest first; soonest closing first, for closed tenders last closed first. */
export function defaultOrder(sort: SortKey, open: boolean): SortOrder {
  return sort === 'closing_date' && open ? 'asc' : 'desc';
}

/** The default sort key and direction of a filter. */
export function withDefaultOrder(filter: Pick<TenderFilter, 'open' | 'q'>): Pick<TenderListQuery, 'sort' | 'order'> {
  const sort = defaultSort(filter);
  return { sort, order: defaultOrder(sort, filter.open) };
}

/** The search after a change. If it had the default order, it gets the default order of the changed search. */
export function followDefaultOrder(before: TenderListQuery, after: TenderListQuery): TenderListQuery {
  const usual = withDefaultOrder(before);
  const isUsual = [before, after].every(({ sort, order }) => sort === usual.sort && order === usual.order);
  return isUsual ? { ...after, ...withDefaultOrder(after) } : after;
}

const PARAMETER_NAMES = {
  min: 'min',
  max: 'max',
  within: 'within',
  hour: 'hour',
  publishedWithin: 'published_within',
  category: 'category',
} as const;

/** Parses the URL; missing or invalid parameters get their default. */
export function parseListQuery(params: URLSearchParams): TenderListQuery {
  const text = (name: string) => (params.get(name) ?? '').trim();
  const texts = (name: string) => distinctTexts(params.getAll(name)).slice(0, MAX_FILTER_PLACES);
  const open = text('open') !== '0';
  const sort = text('sort');
  const q = text('q');
  const sortKey =
    sort === 'price' || sort === 'closing_date' || (sort === 'relevance' && q) ? sort : defaultSort({ open, q });
  const order = text('order');
  const page = Number(asciiDigits(text('page')));
  const wholeNumber = (name: string) => {
    const digits = asciiDigits(text(name));
    return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
  };
  const upTo = (name: string, max: number) => {
    const number = wholeNumber(name);
    return number !== null && number <= max ? number : null;
  };
  return {
    state: text('state'),
    districts: texts('district'),
    departments: texts('department'),
    q,
    literal: (q && LITERAL_PARTS.find((part) => part === text('literal'))) || null,
    min: wholeNumber('min'),
    max: wholeNumber('max'),
    within: upTo('within', MAX_WINDOW_DAYS),
    hour: upTo('hour', MAX_HOUR),
    publishedWithin: upTo(PARAMETER_NAMES.publishedWithin, MAX_WINDOW_DAYS),
    category: TENDER_CATEGORIES.find((category) => category === text('category')) ?? null,
    open,
    sort: sortKey,
    order: sortKey !== 'relevance' && (order === 'asc' || order === 'desc') ? order : defaultOrder(sortKey, open),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Trimmed, without empty and repeated texts. */
export function distinctTexts(texts: readonly string[]): string[] {
  return [...new Set(texts.map((each) => each.trim()).filter(Boolean))];
}

/** Place and words without empty ones: the query of the search form. Districts and departments are sorted. */
export function placeFilterParams({ state, districts, departments, q, literal }: PlaceFilter): URLSearchParams {
  const params = new URLSearchParams();
  if (state) params.set('state', state);
  for (const district of districts.toSorted()) params.append('district', district);
  for (const department of departments.toSorted()) params.append('department', department);
  if (q) params.set('q', q);
  if (q && literal) params.set('literal', literal);
  return params;
}

/** All parameters of a filter but `open`. */
function filterParams(filter: TenderFilter): URLSearchParams {
  const params = placeFilterParams(filter);
  for (const [field, name] of Object.entries(PARAMETER_NAMES)) {
    const value = filter[field as keyof typeof PARAMETER_NAMES];
    if (value !== null) params.set(name, String(value));
  }
  return params;
}

/** The list's URL without empty or default values, so each list has one URL. */
export function tenderFilterParams(search: TenderListQuery): URLSearchParams {
  const params = filterParams(search);
  if (!search.open) params.set('open', '0');
  if (search.sort !== defaultSort(search)) params.set('sort', search.sort);
  if (search.order !== defaultOrder(search.sort, search.open)) params.set('order', search.order);
  if (search.page > 1) params.set('page', String(search.page));
  return params;
}

/** The query of `GET /api/facets`. */
export function facetsQuery(filter: TenderFilter): string {
  const params = filterParams(filter);
  if (!filter.open) params.set('open', '0');
  return params.toString();
}

/** The query of `GET /api/tenders`, with all parameters, for one page of notices. */
export function listQueryString(search: TenderListQuery): string {
  const params = filterParams(search);
  params.set('open', search.open ? '1' : '0');
  params.set('sort', search.sort);
  params.set('order', search.order);
  params.set('page', String(search.page));
  params.set('limit', String(PAGE_SIZE));
  params.set('notices', '1');
  return params.toString();
}

/** The `filter` of a list answer. `district` and `department` are for clients that support only one name. */
export function toListFilter({
  state,
  districts,
  departments,
  q,
}: Omit<PlaceFilter, 'literal'>): TenderListResponse['filter'] {
  const only = (names: readonly string[]) => (names.length === 1 ? (names[0] ?? null) : null);
  return {
    state: state || null,
    district: only(districts),
    department: only(departments),
    districts: [...districts],
    departments: [...departments],
    q: q || null,
  };
}

/** The form of names in a saved filter. One name is a text, so that apps that support only one can read it. */
export const oneOrSeveral = (names: readonly string[]): string | string[] =>
  names.length > 1 ? [...names] : (names[0] ?? '');
