import {
  parseTenderFilter,
  placeFilterParams,
  type TenderListFilter,
  tenderFilterParams,
  tenderListQuery,
} from '@nivida/contract/search/tender-filter';
import type { TenderListResponse } from '@nivida/contract/tenders/tender';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { create } from 'zustand';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { useKnownTenderList, useTenderList } from '../../../data/server/tenders.ts';
import { type LocalList, useLocalList } from '../offline/useLocalList.ts';
import { addRecentSearch } from '../search/recent-searches.ts';

/** The results page's state: the search of its address and the answer to it. */
export interface ResultsState extends QueryResult<TenderListResponse> {
  /** With the listed names once the answer has named them, where the address had a slug or an alias. */
  search: TenderListFilter;
  /** What the device answered; undefined when the answer is the server's. */
  local: LocalList | undefined;
  /**
   * Set while `local` holds only part of what was asked for, because copies keep tenders that closed lately:
   * 'asked' while the server is asked for the others, 'missing' when it could not be reached.
   */
  older: 'asked' | 'missing' | undefined;
  /** The device has been asked and may still give the whole answer. */
  isAsked: boolean;
  /** Goes to another search in place of this one, so that back still leaves the list. */
  change: (search: TenderListFilter) => void;
}

type Names = Partial<Pick<TenderListFilter, 'state' | 'district' | 'department'>>;

/** The listed names of an answered search, by its query; of the last answer only. */
const useNames = create<Record<string, Names>>(() => ({}));

function namesIn(list: TenderListResponse | undefined): Names {
  if (!list) return {};
  const { state, district, department } = list.filter;
  return { state: state ?? '', district: district ?? '', department: department ?? '' };
}

/** The search of the address, with the listed names once an answer has named them: for the page header. */
export function useShownSearch(): TenderListFilter {
  const [params] = useSearchParams();
  const asked = parseTenderFilter(params);
  const query = tenderListQuery(asked);
  const named = useNames((names) => names[query]);
  const list = useKnownTenderList(query);
  return { ...asked, ...(named ?? namesIn(list)) };
}

/**
 * Reads the address; the device answers when it has the state's copy, else the server. The server answers for closed
 * tenders, of which the device shows what it has until then. Null without state and words.
 */
export function useResults(now: Date): ResultsState | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const requested = parseTenderFilter(params);
  const hasScope = requested.state !== '' || requested.q !== '';
  const query = hasScope ? tenderListQuery(requested) : null;
  const { local: held, isAsked } = useLocalList(hasScope ? requested : null, now);
  // a copy that has just arrived takes over only with its answer: until then the server's stays
  const lastServerQuery = useRef<string | null>(null);
  if (!isAsked) lastServerQuery.current = query;
  const isPartial = hasScope && !requested.open;
  const asksServer = isPartial || (held === undefined && lastServerQuery.current === query);
  const serverResult = useTenderList(asksServer ? query : null);
  const older =
    isPartial && serverResult.answer === undefined
      ? serverResult.error === undefined
        ? 'asked'
        : 'missing'
      : undefined;
  // a page without tenders may be one that only the server knows
  const isUseful = older !== 'asked' || (held?.list.tenders.length ?? 0) > 0;
  const local = isPartial && (older === undefined || !isUseful) ? undefined : held;

  // some devices never send an `online` event
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a minute
  useEffect(() => {
    if (older === 'missing') serverResult.reload();
  }, [now]);

  const place = hasScope ? placeFilterParams(requested).toString() : '';
  const isFound = (local?.list ?? serverResult.answer)?.total;
  useEffect(() => {
    if (place !== '' && isFound) void addRecentSearch(place);
  }, [place, isFound]);

  const names = local?.isCurrent === false ? undefined : (local?.list ?? serverResult.answer);
  const named = namesIn(names);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names belong to the answer
  useEffect(() => {
    if (query !== null && names) useNames.setState({ [query]: named }, true);
  }, [query, names]);

  if (!hasScope) return null;
  return {
    ...serverResult,
    ...(local && { answer: local.list, error: undefined, isLoading: false }),
    local,
    older: local && older,
    isAsked: isAsked && !isPartial,
    search: { ...requested, ...named },
    change: (search) =>
      void navigate({ search: `?${tenderFilterParams(search)}` }, { replace: true, state: { page: search.page } }),
  };
}
