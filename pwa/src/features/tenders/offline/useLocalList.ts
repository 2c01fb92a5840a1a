/** The list of a search from the device. */

import {
  PAGE_SIZE,
  type TenderListQuery,
  tenderFilterParams,
  toListFilter,
} from '@nivida/contract/filter/tender-filter';
import type { TenderListResponse } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { canonicalPlace } from '../../../data/regions.ts';
import type { EngineAnswer } from '../engine/query.ts';
import { openScopeEngine, packVersion, searchableScopeFor } from '../packs/local-engines.ts';
import { scopeOfState, searchableScopes, usePacks } from '../packs/pack-status.ts';
import { startPacks } from '../packs/packs.ts';
import { listWithPushedChanges } from '../packs/with-pushed-changes.ts';

/** An answer from the device, with facts about its pack. */
export interface LocalList {
  list: TenderListResponse;
  /** Number of tenders by name of district and department, each without its own filter. */
  facets: EngineAnswer['facets'];
  /** The scope that answered: a state's slug or 'india'. */
  scope: string;
  /** False while words match list fields only. */
  isComplete: boolean;
  /** False while the answer belongs to the previous search. */
  isCurrent: boolean;
}

/** `isPending` while the device may still answer; the server is not asked until then. */
export interface LocalListState {
  local: LocalList | undefined;
  isPending: boolean;
}

const NO_LOCAL_LIST: LocalListState = { local: undefined, isPending: false };

type LocalAnswer = Omit<LocalList, 'isCurrent'>;

/** Undefined when the device has no pack, null when a newer search has cancelled this one. */
async function searchOnDevice(
  filter: TenderListQuery,
  scope: string,
  now: Date,
): Promise<LocalAnswer | null | undefined> {
  const [search, opened] = await Promise.all([canonicalPlace(filter), openScopeEngine(scope)]);
  if (!opened) return undefined;
  const answer = await opened.engine.search({ ...search, limit: PAGE_SIZE }, now);
  if (!answer) return null;
  const { total, fullTotal, place, words, nearest, showingFor, facets, demonstration } = answer;
  const tenders = await listWithPushedChanges(answer.tenders);
  return {
    scope,
    facets,
    isComplete: opened.isComplete,
    list: {
      tenders,
      data: tenders,
      total,
      total_full: fullTotal,
      page: search.page,
      limit: PAGE_SIZE,
      filter: toListFilter(search),
      place,
      words: [...words],
      nearest: [...nearest],
      showing_for: showingFor,
      demonstration,
    },
  };
}

/**
 * The answer of the device's pack, renewed with each search, sync and minute; the last answer stays until then. Empty
 * when the device has no pack of the state or the pack is broken.
 */
export function useLocalList(search: TenderListQuery | null, now: Date): LocalListState {
  const searchable = usePacks(useShallow(searchableScopes));
  const isRead = usePacks((packs) => packs.isRead);
  // A state's alias (HP) is resolved to its scope once the name is known.
  const state = search?.state ? scopeOfState(search.state) : undefined;
  const scope = search ? searchableScopeFor(state, searchable) : undefined;
  const version = usePacks(({ scopes }) => (scope === undefined ? '' : packVersion(scopes[scope]?.row)));
  const key = search && scope !== undefined ? `${scope}?${tenderFilterParams(search)}` : null;
  useEffect(() => void startPacks(), []);
  const [answered, setAnswered] = useState<{ scope: string; key: string; local: LocalAnswer | undefined }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies `search`, `version` the pack
  useEffect(() => {
    if (key === null || scope === undefined || !search || !isRead) return;
    let isWanted = true;
    const put = (local: LocalAnswer | undefined) => isWanted && setAnswered({ scope, key, local });
    searchOnDevice(search, scope, now).then(
      (local) => local !== null && put(local),
      () => put(undefined),
    );
    return () => {
      isWanted = false;
    };
  }, [key, version, isRead, now]);

  if (key === null || scope === undefined) return NO_LOCAL_LIST;
  const isCurrent = answered?.key === key;
  const local = answered?.scope === scope ? answered.local : undefined;
  return { local: local && { ...local, isCurrent }, isPending: local !== undefined || !isCurrent };
}
