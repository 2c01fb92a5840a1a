/** What a saved search looks for: as the list holds it, as an address, as a name and as the server takes it. */
import { formatRupees, shorten } from '@nivida/contract/format';
import type { SavedFilterText, SavedSearch } from '@nivida/contract/saved-search';

/** What is looked for; a bound that is not given is absent. */
export type SearchFilter = SavedSearch['filter'];

/** A list's search as screens hold it; null means not given. What is sorted and paged is not saved. */
export type ListedSearch = Pick<SearchFilter, 'state' | 'district' | 'department' | 'q'> & {
  [Name in 'min' | 'max' | 'within' | 'category']: SearchFilter[Name] | null;
};

const NAMES = ['state', 'district', 'department', 'q', 'min', 'max', 'within', 'category'] as const;
const LONGEST_NAME = 80;

/** The filter of a list. */
export function filterOf({ state, district, department, q, min, max, within, category }: ListedSearch): SearchFilter {
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
export function queryOf(filter: SearchFilter): string {
  const given = NAMES.filter((name) => filter[name] !== undefined && filter[name] !== '');
  return new URLSearchParams(given.map((name) => [name, String(filter[name])])).toString();
}

/** Equal for filters that find the same tenders: words are compared without regard to case. */
export function keyOf(filter: SearchFilter): string {
  return queryOf({ ...filter, q: filter.q.toLowerCase() });
}

/** The filter as `POST /api/searches` takes it: numbers are text there. */
export function toWire(filter: SearchFilter): SavedFilterText {
  const { min, max, within, ...rest } = filter;
  return {
    ...rest,
    ...(min !== undefined && { min: String(min) }),
    ...(max !== undefined && { max: String(max) }),
    ...(within !== undefined && { within: String(within) }),
  };
}

const money = (rupees: number) => formatRupees(rupees).replace('.00', '');

function rangeWords({ min, max }: SearchFilter): string {
  if (min !== undefined && max !== undefined) return `${money(min)} to ${money(max)}`;
  if (min !== undefined) return `from ${money(min)}`;
  return max === undefined ? '' : `up to ${money(max)}`;
}

function windowWords(within: number | undefined): string {
  if (within === undefined) return '';
  if (within === 0) return 'closing today';
  return within === 1 ? 'closing by tomorrow' : `closing within ${within} days`;
}

/** The proposed name: 'bridge · Solan · closing within 7 days'. The state stands where no district says more. */
export function nameOf(filter: SearchFilter): string {
  const { q, district, state, department, within, category } = filter;
  const parts = [q, district || state, department, rangeWords(filter), windowWords(within), category ?? ''];
  return shorten(parts.filter(Boolean).join(' · '), LONGEST_NAME);
}
