/** The query of `GET /api/tenders`, `GET /api/tenders/search` and `GET /api/facets`: a `TenderFilter` with order and page. */

import * as v from 'valibot';
import { asciiDigits } from '../digits.ts';
import { MAX_INTEGER_ID, MAX_LISTED_IDS } from '../limits.ts';
import { MAX_QUERY_CHARACTERS, TENDER_CATEGORIES } from '../tenders/tender.ts';
import {
  distinctTexts,
  LITERAL_PARTS,
  MAX_FILTER_PLACES,
  MAX_HOUR,
  MAX_WINDOW_DAYS,
  type TenderFilter,
} from './tender-filter.ts';

const MAX_PAGE_LIMIT = 100;
const MAX_PAGE = 100_000;
/** Higher than any estimate. A larger bound is a typing error. */
const MAX_RUPEES = 999_999_999_999;

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const PRINTABLE_PATTERN = /^[^\u0000-\u001f\u007f]*$/u;
const lengthMessage = (name: string, maxCharacters: number) => `${name} must be at most ${maxCharacters} characters`;
const controlMessage = (name: string) => `${name} must not contain control characters`;

const queryText = (name: string, maxCharacters: number) =>
  v.optional(
    v.pipe(
      v.string(`${name} must be given once, as text`),
      v.trim(),
      v.maxLength(maxCharacters, lengthMessage(name, maxCharacters)),
      v.regex(PRINTABLE_PATTERN, controlMessage(name)),
    ),
    '',
  );

/** A parameter that may be repeated; empty and repeated values are left out. */
const queryTexts = (name: string, maxCharacters: number) =>
  v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())], `${name} must be text`),
      v.transform((value): string[] => [value].flat()),
      v.maxLength(MAX_FILTER_PLACES, `${name} must be given at most ${MAX_FILTER_PLACES} times`),
      v.transform((values) => distinctTexts(values)),
      v.everyItem((text) => text.length <= maxCharacters, lengthMessage(name, maxCharacters)),
      v.everyItem((text) => PRINTABLE_PATTERN.test(text), controlMessage(name)),
    ),
    [],
  );

const wholeNumber = (name: string, min: number, max: number) => {
  const message = `${name} must be a whole number from ${min} to ${max}`;
  return v.optional(
    v.pipe(
      v.string(`${name} must be given once, as a number`),
      v.transform(asciiDigits),
      v.regex(/^\d{1,12}$/, message),
      v.transform(Number),
      v.minValue(min, message),
      v.maxValue(max, message),
    ),
  );
};

/** The parameters that a saved search has too. */
export const savedFilterEntries = {
  state: queryText('state', 100),
  district: queryTexts('district', 100),
  department: queryTexts('department', 200),
  q: queryText('q', MAX_QUERY_CHARACTERS),
  /** The part of `q` that is searched as typed. */
  literal: v.optional(v.picklist(LITERAL_PARTS, `literal must be ${LITERAL_PARTS.join(', ')}`)),
  min: wholeNumber('min', 0, MAX_RUPEES),
  max: wholeNumber('max', 0, MAX_RUPEES),
  within: wholeNumber('within', 0, MAX_WINDOW_DAYS),
  category: v.optional(v.picklist(TENDER_CATEGORIES, `category must be ${TENDER_CATEGORIES.join(', ')}`)),
};

const tenderQueryEntries = {
  ...savedFilterEntries,
  /** Closing, or with `open=0` closed, today in this hour of Indian time. */
  hour: wholeNumber('hour', 0, MAX_HOUR),
  published_within: wholeNumber('published_within', 0, MAX_WINDOW_DAYS),
  /** '1' (default): published and not yet closed; '0': closed, newest closing first unless sorted. */
  open: v.optional(v.picklist(['0', '1'], 'open must be 0 or 1'), '1'),
  sort: v.optional(
    v.picklist(
      ['relevance', 'price', 'closing_date', 'published_date'],
      'sort must be relevance, price, closing_date or published_date',
    ),
  ),
  order: v.optional(v.picklist(['asc', 'desc'], 'order must be asc or desc')),
  /** '1': one row for each NIT. It is the first of its tenders in the order; `works` has the others. */
  notices: v.optional(v.picklist(['0', '1'], 'notices must be 0 or 1'), '0'),
  page: wholeNumber('page', 1, MAX_PAGE),
  limit: wholeNumber('limit', 1, MAX_PAGE_LIMIT),
};

const tenderQueryObject = v.object(tenderQueryEntries);

function withFilter({
  state,
  district,
  department,
  q,
  literal,
  min,
  max,
  within,
  hour,
  published_within,
  category,
  open,
  notices,
  ...orderAndPage
}: v.InferOutput<typeof tenderQueryObject>) {
  const filter: TenderFilter = {
    state,
    districts: district,
    departments: department,
    q,
    literal: literal ?? null,
    min: min ?? null,
    max: max ?? null,
    within: within ?? null,
    hour: hour ?? null,
    publishedWithin: published_within ?? null,
    category: category ?? null,
    open: open === '1',
  };
  return { ...filter, notices: notices === '1', ...orderAndPage };
}

/** Query of the tender lists; all values come as text. Without `limit` up to 1,000 rows are sent. */
export const TenderQuery = v.pipe(tenderQueryObject, v.transform(withFilter));
export type TenderQuery = v.InferOutput<typeof TenderQuery>;

/** The query of `GET /api/tenders/listed` and `/readings`: up to `MAX_LISTED_IDS` ids of tenders between commas. */
export const ListedTendersQuery = v.object({
  ids: v.pipe(
    v.string('ids must be given once, as text'),
    v.regex(/^\d{1,10}(,\d{1,10})*$/, 'ids must be numbers between commas'),
    v.transform((text) => text.split(',').map(Number)),
    v.maxLength(MAX_LISTED_IDS, `ids must be at most ${MAX_LISTED_IDS}`),
    v.everyItem((id) => id >= 1 && id <= MAX_INTEGER_ID, 'ids must be those of tenders'),
  ),
});
export type ListedTendersQuery = v.InferOutput<typeof ListedTendersQuery>;

/** The query of `GET /api/tenders/search`: a TenderQuery with a required `q`. */
export const TenderSearchQuery = v.pipe(
  v.object({
    ...tenderQueryEntries,
    q: v.pipe(tenderQueryEntries.q, v.nonEmpty('q must not be empty')),
  }),
  v.transform(withFilter),
);
