import {
  followDefaultOrder,
  listQueryString,
  parseListQuery,
  placeFilterParams,
  type TenderListQuery,
  tenderFilterParams,
} from '@nivida/contract/filter/tender-filter';
import type { TenderListResponse } from '@nivida/contract/tenders/tender';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { create } from 'zustand';
import type { QueryResult } from '../../data/server/query-cache.ts';
import { useSite } from '../../data/server/site.ts';
import { useKnownTenderList, useTenderList } from '../../data/server/tenders.ts';
import { removeSavedNote } from '../../data/stored-pages/shown-page.ts';
import { type LocalList, useIsSearchOfSavedStates, useLocalList } from '../../offline/queries/useLocalList.ts';
import { useHasNoNetwork } from '../on-this-phone/NoNetwork.tsx';
import { addRecentSearch } from '../search/recent-searches.ts';
import { chooseAnswer, hasOtherRules } from './answer-source.ts';
import { storedFilterOf, storeLastFilter } from './filters/last-filters.ts';

/** State of the results page: the search in the URL and its answer. */
export interface ResultsState extends QueryResult<TenderListResponse> {
  /** The search of the address. Slugs and aliases are replaced by listed names once the answer has them. */
  search: TenderListQuery;
  /** The device's answer. Undefined when the server's answer is shown. */
  local: LocalList | undefined;
  /**
   * Set while `local` is only a part of the result: packs have only recently closed tenders, or other states
   * may have more. 'loading' while the server is asked for the rest, 'unreachable' when it cannot be reached.
   */
  missingPart: 'loading' | 'unreachable' | undefined;
  /** The device may still give the whole answer. */
  isPending: boolean;
  /** The device is being searched and has no answer yet, not even a part. */
  isSearching: boolean;
  /** As in `LocalListState`. */
  isIdLookup: boolean;
  /** Replaces the search in the history, so that going back still leaves the list. */
  change: (search: TenderListQuery) => void;
}

/** Resets `literal` when the words change, because it belonged to the previous words. */
const withOwnReading = (before: TenderListQuery, after: TenderListQuery): TenderListQuery =>
  after.q === before.q ? after : { ...after, literal: null };

type Names = Partial<Pick<TenderListQuery, 'state' | 'districts' | 'departments'>>;

/** What the page header shows of an answer. */
export type FoundList = Pick<TenderListResponse, 'total' | 'notices' | 'has_more' | 'place' | 'showing_for'>;

/** The last answer and its listed names, by its query. */
const useNames = create<Record<string, { named: Names; found: FoundList }>>(() => ({}));

function namesIn(list: TenderListResponse | undefined): Names {
  if (!list) return {};
  const { state, districts, departments } = list.filter;
  return { state: state ?? '', districts, departments };
}

/**
 * The search of the address and its answer, for the page header. The search has listed names once an answer
 * has them.
 */
export function useShownSearch(): { search: TenderListQuery; found: FoundList | undefined } {
  const [params] = useSearchParams();
  const asked = parseListQuery(params);
  const query = listQueryString(asked);
  const shown = useNames((names) => names[query]);
  const list = useKnownTenderList(query);
  return { search: { ...asked, ...(shown?.named ?? namesIn(list)) }, found: shown?.found ?? list };
}

/**
 * Stores the filter as the last one of its state, when the list has tenders. Deletes it when the user removes
 * the last filter.
 */
function useStoredFilter(search: TenderListQuery, hasTenders: boolean): void {
  const { state } = search;
  const filter = storedFilterOf(search);
  const before = useRef<{ state: string; filter: string }>(undefined);
  // A layout effect, because a later effect is dropped when the user leaves the list at once.
  useLayoutEffect(() => {
    if (!hasTenders || state === '') return;
    const isCleared = filter === '' && before.current?.state === state && before.current.filter !== '';
    if (filter !== '' || isCleared) storeLastFilter(state, filter);
    before.current = { state, filter };
  }, [state, filter, hasTenders]);
}

/** True when a list has a tender with this id at its portal. */
function hasId(list: TenderListResponse | undefined, id: string): boolean {
  const wanted = id.trim().toUpperCase();
  return list?.tenders.some((tender) => tender.source_tender_id.toUpperCase() === wanted) ?? false;
}

/**
 * The search of the address and its answer. Null when the address has no state and no words.
 * - State on the device: the device answers. Otherwise the server answers.
 * - Closed tenders: the server answers. Until then the device shows its own.
 * - Tender id: as for closed tenders. The device looks in the packs of all states. An id that only the device
 *   has stays.
 * - Words without a state: the server answers. While it does not, the device searches its own states.
 */
export function useResults(now: Date): ResultsState | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const requested = parseListQuery(params);
  const hasScope = requested.state !== '' || requested.q !== '';
  const query = hasScope ? listQueryString(requested) : null;
  const isOfSavedStates = useIsSearchOfSavedStates(hasScope ? requested : null);
  // The server has all states. The device answers this query for its own states once the server does not
  // answer.
  const [unanswered, setUnanswered] = useState<string | null>(null);
  const isForDevice = hasScope && (!isOfSavedStates || unanswered === query);
  const { local: localList, isPending, isIdLookup = false } = useLocalList(isForDevice ? requested : null, now);
  // The server's answer stays until a pack that has just arrived gives an answer.
  const lastServerQuery = useRef<string | null>(null);
  if (!isPending) lastServerQuery.current = query;
  const isPartial = hasScope && (!requested.open || isIdLookup || isOfSavedStates);
  const { searchVersion } = useSite();
  const isOutdated = hasOtherRules(requested.q, searchVersion);
  const asksServer = isPartial || isOutdated || (localList === undefined && lastServerQuery.current === query);
  const serverResult = useTenderList(asksServer ? query : null);
  const hasNoNetwork = useHasNoNetwork(serverResult.isLoading ? query : null, serverResult.error);
  useEffect(() => {
    if (isOfSavedStates && hasNoNetwork) setUnanswered(query);
  }, [isOfSavedStates, hasNoNetwork, query]);
  const rows = localList?.list.tenders.length ?? 0;
  const isOnlyOnDevice = isIdLookup && hasId(localList?.list, requested.q) && !hasId(serverResult.answer, requested.q);
  const { isFromDevice, missingPart } = chooseAnswer({
    isPartial,
    isOutdated,
    isOnlyOnDevice,
    rows,
    server: serverResult,
  });
  const local = isFromDevice ? localList : undefined;
  const isLocal = local !== undefined;
  useEffect(() => {
    if (isLocal) removeSavedNote();
  }, [isLocal]);

  // Some devices never send an `online` event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` changes once a minute, which repeats the failed call
  useEffect(() => {
    if (missingPart === 'unreachable') serverResult.reload();
  }, [now]);

  const place = hasScope ? placeFilterParams(requested).toString() : '';
  const foundTotal = (local?.list ?? serverResult.answer)?.total;
  // When the user narrows a search further, it stays one recent search. A search that finds nothing is
  // removed again.
  const lastPlace = useRef<{ query: string; whole: string; takeBack: () => void }>(undefined);
  const whole = placeFilterParams({ ...requested, districts: [], departments: [] }).toString();
  // A layout effect, because a later effect is dropped when the user leaves the list at once.
  useLayoutEffect(() => {
    if (place === '') return;
    const before = lastPlace.current;
    if (foundTotal === 0) {
      if (before?.query === place) before.takeBack();
      lastPlace.current = undefined;
      return;
    }
    if (before?.query === place) return;
    const isNarrowed = before?.whole === whole && before.query !== whole;
    const takeBack = addRecentSearch(place, isNarrowed ? before.query : undefined);
    lastPlace.current = { query: place, whole, takeBack };
  }, [place, whole, foundTotal]);

  const names = local?.isCurrent === false ? undefined : (local?.list ?? serverResult.answer);
  const named = useMemo(() => namesIn(names), [names]);
  useEffect(() => {
    if (query !== null && names) useNames.setState({ [query]: { named, found: names } }, true);
  }, [query, names, named]);

  useStoredFilter({ ...requested, ...named }, foundTotal !== undefined && foundTotal > 0);

  if (!hasScope) return null;
  return {
    ...serverResult,
    ...(local && { answer: local.list, error: undefined, isLoading: false }),
    local,
    missingPart: local && missingPart,
    isPending: isPending && !isPartial,
    isSearching: isPending && !localList,
    isIdLookup,
    search: { ...requested, ...named },
    change: (search) =>
      void navigate(
        { search: `?${tenderFilterParams(followDefaultOrder(requested, withOwnReading(requested, search)))}` },
        { replace: true, state: { page: search.page } },
      ),
  };
}
