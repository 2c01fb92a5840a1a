/** The last searches of the signed-in user or of the signed-out device. */
import { namesText, searchName } from '@nivida/contract/filter/filter-texts';
import { parseListQuery } from '@nivida/contract/filter/tender-filter';
import { placeName } from '@nivida/contract/regions/states';
import { foldText } from '@nivida/contract/search/terms';
import { useEffect } from 'react';
import { createOwnerSetting } from '../../data/device/instant-settings.ts';
import { currentOwner, useOwner } from '../../data/session.ts';

const MAX_STORED = 8;

const parseSearches = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** Query strings of the results page ('state=Punjab&q=road'), newest first. */
export const recentSearches = createOwnerSetting('recent searches', parseSearches);

/** '“road” in Mandi, Himachal Pradesh · PWD'. */
export function recentSearchName(query: string): string {
  const search = parseListQuery(new URLSearchParams(query));
  return [searchName(search), namesText(search.departments, 'departments')].filter(Boolean).join(' · ');
}

/** Searches in which a word, a place or a department begins with the typed text, newest first. */
export function matchingRecentSearches(
  searches: readonly string[],
  typed: string,
  limit: number,
): { query: string; name: string }[] {
  const begun = foldText(typed).trim();
  if (begun === '') return [];
  return searches
    .filter((query) => {
      const { q, state, districts, departments } = parseListQuery(new URLSearchParams(query));
      const names = [q, state, ...districts, ...departments];
      return [...names, ...names.map(placeName)].some((each) => ` ${foldText(each)}`.includes(` ${begun}`));
    })
    .slice(0, limit)
    .map((query) => ({ query, name: recentSearchName(query) }));
}

/** The recent searches for a screen. Empty until they are read. */
export function useOwnRecentSearches(): readonly string[] {
  const owner = useOwner();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another owner has other searches
  useEffect(() => recentSearches.show(), [owner]);
  return recentSearches.useShown(({ value }) => value);
}

/** The state of the newest search. '' when there is none, and after a search in all states. */
export function useLastState(): string {
  const [newest] = useOwnRecentSearches();
  return parseListQuery(new URLSearchParams(newest)).state;
}

/**
 * Puts a search first, in place of `replaced`. The ninth search is deleted. Returns a function that undoes
 * this.
 */
export function addRecentSearch(query: string, replaced?: string): () => void {
  const owner = currentOwner();
  const before = recentSearches.read(owner);
  const others = before.filter((each) => each !== query && each !== replaced);
  recentSearches.write(owner, [query, ...others].slice(0, MAX_STORED));
  return () => recentSearches.write(owner, before);
}

export function removeRecentSearch(query: string): void {
  const owner = currentOwner();
  recentSearches.write(
    owner,
    recentSearches.read(owner).filter((each) => each !== query),
  );
}
