/** The last searches of the signed-in user or of the signed-out device. */
import { namesText } from '@nivida/contract/filter/filter-texts';
import { parseTenderFilter } from '@nivida/contract/filter/tender-filter';
import { foldText } from '@nivida/contract/search/terms';
import { useEffect } from 'react';
import { create } from 'zustand';
import { readInstantSetting, takeEarlierSetting, writeInstantSetting } from '../../../data/device/instant-settings.ts';
import { currentOwner, useOwner } from '../../../data/session.ts';
import { searchName } from './search.ts';

const recentSearchesKey = (owner: string) => (owner === '' ? 'recent searches' : `recent searches of ${owner}`);
const MAX_STORED = 8;

/** Queries of the results page ('state=Punjab&q=road'), newest first. */
export const useRecentSearches = create<{ searches: readonly string[] }>(() => ({ searches: [] }));

const searchesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const storedSearches = (owner: string): string[] => searchesIn(readInstantSetting(recentSearchesKey(owner)));

function storeSearches(searches: readonly string[], owner = currentOwner()): void {
  writeInstantSetting(recentSearchesKey(owner), searches.length > 0 ? searches.slice(0, MAX_STORED) : undefined);
  showStoredSearches();
}

const showStoredSearches = (): void => useRecentSearches.setState({ searches: storedSearches(currentOwner()) });

/** '“road” in Mandi, Himachal Pradesh · PWD'. */
export function recentSearchName(query: string): string {
  const search = parseTenderFilter(new URLSearchParams(query));
  return [searchName(search), namesText(search.departments, 'departments')].filter(Boolean).join(' · ');
}

/** The searches with a word, a place or a department that begins with the typed text, newest first. */
export function matchingRecentSearches(
  searches: readonly string[],
  typed: string,
  limit: number,
): { query: string; name: string }[] {
  const begun = foldText(typed).trim();
  if (begun === '') return [];
  return searches
    .filter((query) => {
      const { q, state, districts, departments } = parseTenderFilter(new URLSearchParams(query));
      return [q, state, ...districts, ...departments].some((each) => ` ${foldText(each)}`.includes(` ${begun}`));
    })
    .slice(0, limit)
    .map((query) => ({ query, name: recentSearchName(query) }));
}

/** Shows the owner's searches, with those that an earlier version stored in the device's database. */
export async function loadRecentSearches(owner: string): Promise<void> {
  showStoredSearches();
  const earlier = searchesIn(await takeEarlierSetting(recentSearchesKey(owner)));
  if (earlier.length > 0) storeSearches([...new Set([...storedSearches(owner), ...earlier])], owner);
}

/** The recent searches for a screen; empty until they are read. */
export function useOwnRecentSearches(): readonly string[] {
  const owner = useOwner();
  useEffect(() => void loadRecentSearches(owner), [owner]);
  return useRecentSearches(({ searches }) => searches);
}

/** The state of the newest search; '' without one, and after a search in all states. */
export function useLastState(): string {
  const [newest] = useOwnRecentSearches();
  return parseTenderFilter(new URLSearchParams(newest)).state;
}

/**
 * Puts a search first, instead of `replaced`; the ninth is deleted. Stored at once: the page may be left. Returns the function
 * that takes it back.
 */
export function addRecentSearch(query: string, replaced?: string): () => void {
  const owner = currentOwner();
  const before = storedSearches(owner);
  storeSearches([query, ...before.filter((each) => each !== query && each !== replaced)], owner);
  return () => storeSearches(before, owner);
}

export function removeRecentSearch(query: string): void {
  storeSearches(storedSearches(currentOwner()).filter((each) => each !== query));
}

/** Deletes all searches of a user at sign-out. */
export async function deleteRecentSearchesOf(owner: string): Promise<void> {
  if (owner === '') return;
  storeSearches([], owner);
  await takeEarlierSetting(recentSearchesKey(owner));
}
