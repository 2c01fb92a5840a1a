/** The last filter of each state, of the signed-in user or of the signed-out device. Words are not stored. */
import {
  EMPTY_FILTER,
  parseListQuery,
  type TenderFilter,
  tenderFilterParams,
} from '@nivida/contract/filter/tender-filter';
import { createOwnerSetting } from '../../../data/device/instant-settings.ts';
import { currentOwner } from '../../../data/session.ts';
import { hasFilters } from '../../search/search.ts';

/** Query strings of the results page without the state ('district=Kullu&min=100000'), by the state's name. */
type StoredFilters = Readonly<Record<string, string>>;

function parseStored(value: unknown): StoredFilters {
  const entries = Object.entries((typeof value === 'object' && value) || {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export const lastFilters = createOwnerSetting('last filters', parseStored);

/**
 * The filter as it is stored: without state, words, the hour of today, and whether tenders are open. ''
 * without filters.
 */
export function storedFilterOf(filter: TenderFilter): string {
  const { districts, departments, min, max, within, publishedWithin, category } = filter;
  const stored = { ...EMPTY_FILTER, districts, departments, min, max, within, publishedWithin, category };
  if (!hasFilters(stored)) return '';
  return tenderFilterParams({ ...stored, sort: 'price', order: 'desc', page: 1 }).toString();
}

/** The stored filter of a state's list. */
export function filterOfStored(state: string, stored: string): TenderFilter {
  const { sort: _sort, order: _order, page: _page, ...filter } = parseListQuery(new URLSearchParams(stored));
  return { ...filter, state, q: '', open: true };
}

/** Stores the last filter of a state; '' deletes it. */
export function storeLastFilter(state: string, stored: string): void {
  const owner = currentOwner();
  const { [state]: _before, ...others } = lastFilters.read(owner);
  lastFilters.write(owner, stored === '' ? others : { ...others, [state]: stored });
}
