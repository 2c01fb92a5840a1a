/** The last filter of each state, of the signed-in user or of the signed-out device. Words are not stored. */
import {
  EMPTY_FILTER,
  parseTenderFilter,
  type TenderFilter,
  tenderFilterParams,
} from '@nivida/contract/filter/tender-filter';
import { create } from 'zustand';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import { currentOwner } from '../../../data/session.ts';
import { hasFilters } from '../search/search.ts';

/** Queries of the results page without state ('district=Kullu&min=100000'), by the state's name. */
type StoredFilters = Readonly<Record<string, string>>;

const lastFiltersKey = (owner: string) => (owner === '' ? 'last filters' : `last filters of ${owner}`);

/** Empty until `loadLastFilters`. */
export const useLastFilters = create<{ filters: StoredFilters }>(() => ({ filters: {} }));

async function readStoredFilters(owner: string): Promise<StoredFilters> {
  const value = await readSetting(lastFiltersKey(owner));
  const entries = Object.entries((typeof value === 'object' && value) || {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export async function loadLastFilters(owner: string): Promise<void> {
  useLastFilters.setState({ filters: await readStoredFilters(owner) });
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

/** Stores the last filter of a state; '' deletes it. */
export async function storeLastFilter(state: string, stored: string): Promise<void> {
  const owner = currentOwner();
  const { [state]: before = '', ...others } = await readStoredFilters(owner);
  if (stored === before) return;
  const filters = stored === '' ? others : { ...others, [state]: stored };
  useLastFilters.setState({ filters });
  await writeSetting(lastFiltersKey(owner), filters);
}

/** Deletes all last filters of a user at sign-out. */
export async function deleteLastFiltersOf(owner: string): Promise<void> {
  if (owner !== '') await writeSetting(lastFiltersKey(owner), {});
}
