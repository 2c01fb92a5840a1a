/** The list of a search from the device. */

import {
  PAGE_SIZE,
  type TenderListQuery,
  tenderFilterParams,
  toListFilter,
} from '@nivida/contract/filter/tender-filter';
import { isTenderId } from '@nivida/contract/search/terms';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import type { TenderListResponse } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { canonicalPlace } from '../../data/regions.ts';
import type { EngineAnswer } from '../engine/query.ts';
import { joinScopes, openScopeEngine, packVersion, searchableScopeFor } from '../packs/local-engines.ts';
import { scopeOfState, searchableScopes, usePacks } from '../packs/pack-status.ts';
import { startPacks } from '../packs/packs.ts';
import { listWithPushedChanges } from '../packs/with-pushed-changes.ts';

/** An answer from the device, with facts about its pack. */
export interface LocalList {
  list: TenderListResponse;
  /** Number of tenders by name of district and department, each without its own filter. */
  facets: EngineAnswer['facets'];
  /** The scope that answered: a state's slug or 'india'. Several slugs have spaces between. */
  scope: string;
  /** False while words match list fields only. */
  isComplete: boolean;
  /** False while the answer belongs to the previous search. */
  isCurrent: boolean;
}

/** `isPending` is true while the device may still answer; the server is not asked until then. */
export interface LocalListState {
  local: LocalList | undefined;
  isPending: boolean;
  /**
   * The search is a tender id. It is looked up in the packs of all states on the device, because portals of
   * several states may give the same id.
   */
  isIdLookup?: boolean;
}

const NO_LOCAL_LIST: LocalListState = { local: undefined, isPending: false };

type LocalAnswer = Omit<LocalList, 'isCurrent'>;

/** Undefined when the device has no pack. Null when a newer search has cancelled this one. */
async function searchOnDevice(
  filter: TenderListQuery,
  scope: string,
  now: Date,
  isWanted: () => boolean,
): Promise<LocalAnswer | null | undefined> {
  const [search, opened] = await Promise.all([canonicalPlace(filter), openScopeEngine(scope)]);
  if (!opened) return undefined;
  if (!isWanted()) return null;
  const answer = await opened.engine.search({ ...search, limit: PAGE_SIZE, notices: true }, now);
  if (!answer) return null;
  const {
    total,
    fullTotal,
    notices = total,
    before = 0,
    place,
    conditions,
    words,
    nearest,
    showingFor,
    facets,
    demonstration,
  } = answer;
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
      notices,
      before,
      page: search.page,
      limit: PAGE_SIZE,
      filter: toListFilter(search),
      place,
      conditions,
      words: [...words],
      nearest: [...nearest],
      showing_for: showingFor,
      demonstration,
    },
  };
}

/**
 * Looks up the tender id `filter.q`, in open and in closed tenders, and returns the list of all packs that
 * have it. Undefined when no pack has it. Null when a newer search has cancelled this one.
 *
 * Each search cancels the engine's earlier one, so no search is made after `isWanted` is false.
 */
async function findIdOnDevice(
  filter: TenderListQuery,
  scopes: readonly string[],
  now: Date,
  isWanted: () => boolean,
): Promise<LocalAnswer | null | undefined> {
  const id = filter.q.trim().toUpperCase();
  for (const open of [filter.open, !filter.open]) {
    const found: LocalAnswer[] = [];
    for (const scope of scopes) {
      if (!isWanted()) return null;
      const answer = await searchOnDevice({ ...filter, open }, scope, now, isWanted).catch(() => undefined);
      if (answer === null) return null;
      if (answer?.list.tenders.some((tender) => tender.source_tender_id.toUpperCase() === id)) found.push(answer);
    }
    const [first] = found;
    if (!first) continue;
    // Portals of two states may give the same id.
    const tenders = found.flatMap(({ list }) => list.tenders);
    const total = found.reduce((sum, { list }) => sum + list.total, 0);
    const notices = found.reduce((sum, { list }) => sum + (list.notices ?? list.total), 0);
    const isComplete = found.every((answer) => answer.isComplete);
    return { ...first, isComplete, list: { ...first.list, tenders, data: tenders, total, total_full: total, notices } };
  }
  return undefined;
}

/**
 * The packs that answer a search. Without a state, the pack of all states answers. If there is none, a tender
 * id is looked up in each pack, and other words are searched in all packs together.
 */
function packsFor(search: TenderListQuery | null, searchable: readonly string[]) {
  // A state's alias (HP) has a scope only once its name is known.
  const state = search?.state ? scopeOfState(search.state) : undefined;
  const scope = search ? searchableScopeFor(state, searchable) : undefined;
  if (scope !== undefined) return { scopes: [scope], isIdLookup: false };
  if (search?.state !== '' || search.q === '') return { scopes: [], isIdLookup: false };
  return { scopes: searchable, isIdLookup: isTenderId(search.q) && searchable.length > 0 };
}

/**
 * True for words in all states while this phone has only some states: only the server has the whole answer.
 */
export function useIsSearchOfSavedStates(search: TenderListQuery | null): boolean {
  const searchable = usePacks(useShallow(searchableScopes));
  const { scopes, isIdLookup } = packsFor(search, searchable);
  return search?.state === '' && scopes.length > 0 && !isIdLookup && !scopes.includes(INDIA_SCOPE);
}

/**
 * The answer of the device's packs. It is renewed with each search, sync and minute; the last answer stays
 * until then. Empty when the device has no pack of the state or the pack is broken. A tender id without a
 * state is looked up in all packs.
 */
export function useLocalList(search: TenderListQuery | null, now: Date): LocalListState {
  const searchable = usePacks(useShallow(searchableScopes));
  const isRead = usePacks((packs) => packs.isRead);
  const { scopes, isIdLookup } = packsFor(search, searchable);
  const packs = joinScopes(scopes);
  const version = usePacks(({ scopes: rows }) => scopes.map((scope) => packVersion(rows[scope]?.row)).join('\n'));
  const key = search && packs !== '' ? `${packs}?${tenderFilterParams(search)}` : null;
  useEffect(() => void startPacks(), []);
  const [answered, setAnswered] = useState<{ packs: string; key: string; local: LocalAnswer | undefined }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies `search`, `version` the packs
  useEffect(() => {
    if (key === null || !search || !isRead) return;
    let isWanted = true;
    const put = (local: LocalAnswer | undefined) => isWanted && setAnswered({ packs, key, local });
    const asked = isIdLookup
      ? findIdOnDevice(search, scopes, now, () => isWanted)
      : searchOnDevice(search, packs, now, () => isWanted);
    asked.then(
      (local) => local !== null && put(local),
      () => put(undefined),
    );
    return () => {
      isWanted = false;
    };
  }, [key, version, isRead, now]);

  if (key === null) return NO_LOCAL_LIST;
  const isCurrent = answered?.key === key;
  // For a tender id an earlier answer would show another tender.
  const isShown = isIdLookup ? isCurrent : answered?.packs === packs;
  const local = isShown ? answered?.local : undefined;
  const isPending = local !== undefined || !isCurrent;
  return { local: local && { ...local, isCurrent }, isPending, ...(isIdLookup && { isIdLookup }) };
}
