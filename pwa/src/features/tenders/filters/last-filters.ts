/** The last filter of each state, of the signed-in user or of the signed-out device. Words are not stored. */
import {
  EMPTY_FILTER,
  parseTenderFilter,
  type TenderFilter,
  tenderFilterParams,
} from '@nivida/contract/filter/tender-filter';
import { create } from 'zustand';
import { readInstantSetting, takeEarlierSetting, writeInstantSetting } from '../../../data/device/instant-settings.ts';
import { currentOwner } from '../../../data/session.ts';
import { hasFilters } from '../search/search.ts';

/** Queries of the results page without state ('district=Kullu&min=100000'), by the state's name. */
type StoredFilters = Readonly<Record<string, string>>;

const lastFiltersKey = (owner: string) => (owner === '' ? 'last filters' : `last filters of ${owner}`);

/** Empty until `loadLastFilters`. */
export const useLastFilters = create<{ filters: StoredFilters }>(() => ({ filters: {} }));

function filtersIn(value: unknown): StoredFilters {
  const entries = Object.entries((typeof value === 'object' && value) || {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

const storedFilters = (owner: string): StoredFilters => filtersIn(readInstantSetting(lastFiltersKey(owner)));

function storeFilters(filters: StoredFilters, owner: string): void {
  writeInstantSetting(lastFiltersKey(owner), Object.keys(filters).length > 0 ? filters : undefined);
  showStoredFilters();
}

const showStoredFilters = (): void => useLastFilters.setState({ filters: storedFilters(currentOwner()) });

/** Shows the owner's filters, with those that an earlier version stored in the device's database. */
export async function loadLastFilters(owner: string): Promise<void> {
  showStoredFilters();
  const earlier = filtersIn(await takeEarlierSetting(lastFiltersKey(owner)));
  if (Object.keys(earlier).length > 0) storeFilters({ ...earlier, ...storedFilters(owner) }, owner);
}

/** The filter as it is stored: without state, words, and whether the tenders were open; '' without filters. */
export function storedFilterOf(filter: TenderFilter): string {
  const { districts, departments, min, max, within, publishedWithin, category } = filter;
  const stored = { ...EMPTY_FILTER, districts, departments, min, max, within, publishedWithin, category };
  if (!hasFilters(stored)) return '';
  return tenderFilterParams({ ...stored, sort: 'price', order: 'desc', page: 1 }).toString();
}

/** The filter of a state's list that was stored. */
export function filterOfStored(state: string, stored: string): TenderFilter {
  const { sort: _sort, order: _order, page: _page, ...filter } = parseTenderFilter(new URLSearchParams(stored));
  return { ...filter, state, q: '', open: true };
}

/** Stores the last filter of a state, at once: the page may be left. '' deletes it. */
export function storeLastFilter(state: string, stored: string): void {
  const owner = currentOwner();
  const { [state]: _before, ...others } = storedFilters(owner);
  storeFilters(stored === '' ? others : { ...others, [state]: stored }, owner);
}

/** Deletes all last filters of a user at sign-out. */
export async function deleteLastFiltersOf(owner: string): Promise<void> {
  if (owner === '') return;
  storeFilters({}, owner);
  await takeEarlierSetting(lastFiltersKey(owner));
}
