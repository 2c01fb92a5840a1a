/** The filter of a saved search: from a list, as an address, as a name and in requests. */
import { formatRupees, truncateText } from '@nivida/contract/format';
import type { SavedFilterInput, SavedSearch } from '@nivida/contract/search/saved-search';

/** A filter; an absent bound is not set. */
export type SavedSearchFilter = SavedSearch['filter'];

/** The filter of a list; null is not set. Sort and page are not saved. */
export type ListFilterValues = Pick<SavedSearchFilter, 'state' | 'district' | 'department' | 'q'> & {
  [Name in 'min' | 'max' | 'within' | 'category']: SavedSearchFilter[Name] | null;
};

const FILTER_NAMES = ['state', 'district', 'department', 'q', 'min', 'max', 'within', 'category'] as const;
const MAX_NAME_CHARACTERS = 80;

/** The filter of a list. */
export function savedFilterOf({
  state,
  district,
  department,
  q,
  min,
  max,
  within,
  category,
}: ListFilterValues): SavedSearchFilter {
  return {
    state,
    district,
    department,
    q: q.trim().replace(/\s+/gu, ' '),
    ...(min !== null && { min }),
    ...(max !== null && { max }),
    ...(within !== null && { within }),
    ...(category && { category }),
  };
}

/** The query of the results page that shows these tenders: 'state=Punjab&q=road'. Equal filters have equal queries. */
export function filterQuery(filter: SavedSearchFilter): string {
  const givenEntries = FILTER_NAMES.filter((name) => filter[name] !== undefined && filter[name] !== '');
  return new URLSearchParams(givenEntries.map((name) => [name, String(filter[name])])).toString();
}

/** Equal for filters that find the same tenders: words are compared without regard to case. */
export function filterKey(filter: SavedSearchFilter): string {
  return filterQuery({ ...filter, q: filter.q.toLowerCase() });
}

/** The filter for `POST /api/searches`, with numbers as text. */
export function filterToWire(filter: SavedSearchFilter): SavedFilterInput {
  const { min, max, within, ...rest } = filter;
  return {
    ...rest,
    ...(min !== undefined && { min: String(min) }),
    ...(max !== undefined && { max: String(max) }),
    ...(within !== undefined && { within: String(within) }),
  };
}

const rupeesText = (rupees: number) => formatRupees(rupees).replace('.00', '');

function priceRangeText({ min, max }: SavedSearchFilter): string {
  if (min !== undefined && max !== undefined) return `${rupeesText(min)} to ${rupeesText(max)}`;
  if (min !== undefined) return `from ${rupeesText(min)}`;
  return max === undefined ? '' : `up to ${rupeesText(max)}`;
}

function closingWindowText(within: number | undefined): string {
  if (within === undefined) return '';
  if (within === 0) return 'closing today';
  return within === 1 ? 'closing by tomorrow' : `closing within ${within} days`;
}

/** The proposed name: 'bridge · Solan · closing within 7 days'. The district replaces the state. */
export function proposedSearchName(filter: SavedSearchFilter): string {
  const { q, district, state, department, within, category } = filter;
  const parts = [q, district || state, department, priceRangeText(filter), closingWindowText(within), category ?? ''];
  return truncateText(parts.filter(Boolean).join(' · '), MAX_NAME_CHARACTERS);
}
