/** The last searches of the signed-in user or of the signed-out device. */
import { create } from 'zustand';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import { currentOwner } from '../../../data/session.ts';

const recentSearchesKey = (owner: string) => (owner === '' ? 'recent searches' : `recent searches of ${owner}`);
const MAX_STORED = 8;

/** Queries of the results page ('state=Punjab&q=road'), newest first. */
export const useRecentSearches = create<{ searches: readonly string[] }>(() => ({ searches: [] }));

async function readStoredSearches(): Promise<string[]> {
  const value = await readSetting(recentSearchesKey(currentOwner()));
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

async function storeSearches(searches: readonly string[]): Promise<void> {
  useRecentSearches.setState({ searches });
  await writeSetting(recentSearchesKey(currentOwner()), searches);
}

export async function loadRecentSearches(): Promise<void> {
  useRecentSearches.setState({ searches: await readStoredSearches() });
}

/** Puts a search first, instead of `replaced`; the ninth is deleted. */
export async function addRecentSearch(query: string, replaced?: string): Promise<void> {
  const others = (await readStoredSearches()).filter((each) => each !== query && each !== replaced);
  await storeSearches([query, ...others].slice(0, MAX_STORED));
}

export async function removeRecentSearch(query: string): Promise<void> {
  await storeSearches((await readStoredSearches()).filter((each) => each !== query));
}

/** Deletes all searches of a user at sign-out. */
export async function deleteRecentSearchesOf(owner: string): Promise<void> {
  if (owner !== '') await writeSetting(recentSearchesKey(owner), []);
}
