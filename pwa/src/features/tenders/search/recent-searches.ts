/** The last searches of the signed-in user or of the signed-out device. */
import { namesText } from '@nivida/contract/filter/filter-texts';
import { parseTenderFilter } from '@nivida/contract/filter/tender-filter';
import { foldText } from '@nivida/contract/search/terms';
import { useEffect } from 'react';
import { create } from 'zustand';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import { currentOwner, useOwner } from '../../../data/session.ts';
import { searchName } from './search.ts';

const recentSearchesKey = (owner: string) => (owner === '' ? 'recent searches' : `recent searches of ${owner}`);
const MAX_STORED = 8;

/** Queries of the results page ('state=Punjab&q=road'), newest first. */
export const useRecentSearches = create<{ searches: readonly string[] }>(() => ({ searches: [] }));

let lastChange: Promise<void> = Promise.resolve();

/** One change or reading after the other: a reading during a change would bring back the searches before it. */
function inTurn(work: () => Promise<void>): Promise<void> {
  lastChange = lastChange.then(work, work);
  return lastChange;
}

async function readStoredSearches(owner: string): Promise<string[]> {
  const value = await readSetting(recentSearchesKey(owner));
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

async function storeSearches(searches: readonly string[]): Promise<void> {
  useRecentSearches.setState({ searches });
  await writeSetting(recentSearchesKey(currentOwner()), searches);
}

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

export function loadRecentSearches(owner: string): Promise<void> {
  return inTurn(async () => useRecentSearches.setState({ searches: await readStoredSearches(owner) }));
}

/** The recent searches for a screen; empty until they are read. */
export function useOwnRecentSearches(): readonly string[] {
  const owner = useOwner();
  useEffect(() => void loadRecentSearches(owner), [owner]);
  return useRecentSearches(({ searches }) => searches);
}

/** Puts a search first, instead of `replaced`; the ninth is deleted. */
export function addRecentSearch(query: string, replaced?: string): Promise<void> {
  return inTurn(async () => {
    const others = (await readStoredSearches(currentOwner())).filter((each) => each !== query && each !== replaced);
    await storeSearches([query, ...others].slice(0, MAX_STORED));
  });
}

export function removeRecentSearch(query: string): Promise<void> {
  return inTurn(async () => storeSearches((await readStoredSearches(currentOwner())).filter((each) => each !== query)));
}

/** Deletes all searches of a user at sign-out. */
export async function deleteRecentSearchesOf(owner: string): Promise<void> {
  if (owner !== '') await writeSetting(recentSearchesKey(owner), []);
}
