/** The list of a search, answered by the device. */

import { PAGE_SIZE, type TenderSearch, writeSearch } from '@nivida/contract/list-address';
import type { TenderList } from '@nivida/contract/tender';
import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { listedPlace } from '../../../data/regions.ts';
import type { EngineAnswer } from '../engine/query.ts';
import { openScope, scopeFor, versionOf } from './local.ts';
import { startPacks } from './packs.ts';
import { patchList } from './patches.ts';
import { scopeOfState, searchableScopes, usePacks } from './status.ts';

/** An answer from the device, with what there is to say about the copy it comes from. */
export interface LocalList {
  list: TenderList;
  /** Tenders of each district and department by name, under the other filters. */
  facets: EngineAnswer['facets'];
  /** The scope that answered: a state's slug or 'india'. */
  scope: string;
  /** False while words match list fields only. */
  isComplete: boolean;
  /** False while it is the answer to the search before. */
  isCurrent: boolean;
}

/** `isAsked` while the device may still answer: nobody else need be asked. */
export interface LocalShown {
  local: LocalList | undefined;
  isAsked: boolean;
}

const NOBODY: LocalShown = { local: undefined, isAsked: false };

type Answered = Omit<LocalList, 'isCurrent'>;

/** Undefined when the device has no copy after all, null when a newer question has overtaken this one. */
async function ask(asked: TenderSearch, scope: string, now: Date): Promise<Answered | null | undefined> {
  const [search, opened] = await Promise.all([listedPlace(asked), openScope(scope)]);
  if (!opened) return undefined;
  const { state, district, department, q, open, sort, order, page, min, max, within, category } = search;
  const place = { state: state || null, district: district || null, department: department || null };
  const range = { minPrice: min, maxPrice: max, closesWithinDays: within, category };
  const query = { ...place, ...range, q, open, sort, order, page, limit: PAGE_SIZE };
  const answer = await opened.engine.search(query, now);
  if (!answer) return null;
  const { total, showingFor, facets, demonstration } = answer;
  const tenders = await patchList(answer.tenders);
  return {
    scope,
    facets,
    isComplete: opened.isComplete,
    list: {
      tenders,
      data: tenders,
      total,
      page,
      limit: PAGE_SIZE,
      filter: { ...place, q: q || null },
      showing_for: showingFor,
      demonstration,
    },
  };
}

/**
 * The answer of the device's copy, new with each search, each sync and each minute; the one before stays until it is
 * there. Nothing when the device has no copy of the state, or when that is broken.
 */
export function useLocalList(search: TenderSearch | null, now: Date): LocalShown {
  const searchable = usePacks(useShallow(searchableScopes));
  const isRead = usePacks((packs) => packs.isRead);
  // another name of a state (HP) costs its list no copy: its scope is found once the name is known
  const state = search?.state ? scopeOfState(search.state) : undefined;
  const scope = search ? scopeFor(state, searchable) : undefined;
  const version = usePacks(({ scopes }) => (scope === undefined ? '' : versionOf(scopes[scope]?.row)));
  const key = search && scope !== undefined ? `${scope}?${writeSearch(search)}` : null;
  useEffect(() => void startPacks(), []);
  const [answered, setAnswered] = useState<{ scope: string; key: string; local: Answered | undefined }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the search, the version that of the copy
  useEffect(() => {
    if (key === null || scope === undefined || !search || !isRead) return;
    let isWanted = true;
    const put = (local: Answered | undefined) => isWanted && setAnswered({ scope, key, local });
    ask(search, scope, now).then(
      (local) => local !== null && put(local),
      () => put(undefined),
    );
    return () => {
      isWanted = false;
    };
  }, [key, version, isRead, now]);

  if (key === null || scope === undefined) return NOBODY;
  const isCurrent = answered?.key === key;
  const local = answered?.scope === scope ? answered.local : undefined;
  return { local: local && { ...local, isCurrent }, isAsked: local !== undefined || !isCurrent };
}
