/** The last searches of the present user, or of the signed-out device, to be made again with one tap. */
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

/** Reads what is kept. */
export async function loadRecentSearches(): Promise<void> {
  useRecentSearches.setState({ searches: await readStoredSearches() });
}

/** Puts a search before the others; the ninth is forgotten. */
export async function addRecentSearch(query: string): Promise<void> {
  const others = (await readStoredSearches()).filter((each) => each !== query);
  await storeSearches([query, ...others].slice(0, MAX_STORED));
}

/** Forgets one search. */
export async function removeRecentSearch(query: string): Promise<void> {
  await storeSearches((await readStoredSearches()).filter((each) => each !== query));
}

/** Forgets all searches of a user, who has signed out. */
export async function deleteRecentSearchesOf(owner: string): Promise<void> {
  if (owner !== '') await writeSetting(recentSearchesKey(owner), []);
}
