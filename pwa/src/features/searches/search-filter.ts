/** The filter of a saved search: as an address, as a name and in requests. */

import { closingWindowText, priceRangeText } from '@nivida/contract/filter/filter-texts';
import { fromSavedFilter, toSavedFilter } from '@nivida/contract/filter/saved-filter';
import type { SavedFilter } from '@nivida/contract/filter/saved-search';
import { parseListQuery, tenderFilterParams, withDefaultOrder } from '@nivida/contract/filter/tender-filter';
import { truncateText } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';

const MAX_NAME_CHARACTERS = 80;

/**
 * The query string of the results page for a filter: 'state=Punjab&q=road'. Equal filters have equal query
 * strings.
 */
export function filterQuery(filter: SavedFilter): string {
  const found = fromSavedFilter(filter);
  return tenderFilterParams({ ...found, ...withDefaultOrder(found), page: 1 }).toString();
}

/** The filter of a query string from `filterQuery`. */
export const filterOfQuery = (query: string): SavedFilter => toSavedFilter(parseListQuery(new URLSearchParams(query)));

/** A key that is equal for filters that find the same tenders. Upper and lower case of words are equal. */
export function filterKey(filter: SavedFilter): string {
  return filterQuery({ ...filter, q: filter.q.toLowerCase() });
}

/**
 * The proposed name: 'bridge · Solan · closing within 7 days'. The districts replace the state. It is English in every
 * language, because it is stored and named in alerts.
 */
export const proposedSearchName = (filter: SavedFilter): string => inLanguage('en', () => englishName(filter));

function englishName(filter: SavedFilter): string {
  const { q, state, districts, departments, min, max, within, category } = fromSavedFilter(filter);
  const where = districts.length > 0 ? districts : [state];
  const parts = [q, where.join(', '), departments.join(', '), priceRangeText({ min, max }), closingWindowText(within)];
  return truncateText([...parts, category].filter(Boolean).join(' · '), MAX_NAME_CHARACTERS);
}
