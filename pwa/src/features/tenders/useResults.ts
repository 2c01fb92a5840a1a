import { readSearch, type TenderSearch, toQuery, writePlace, writeSearch } from '@nivida/contract/list-address';
import type { TenderList } from '@nivida/contract/tender';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { Shown } from '../../data/answers.ts';
import { useTenderList } from '../../data/tenders.ts';
import { type LocalList, useLocalList } from './packs/useLocalList.ts';
import { rememberSearch } from './recent.ts';

/** The results page's state: the search of its address and the answer to it. */
export interface Results extends Shown<TenderList> {
  /** With the listed names once the answer has named them, where the address had a slug or an alias. */
  search: TenderSearch;
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
  change: (search: TenderSearch) => void;
}

/**
 * Reads the address; the device answers when it has the state's copy, else the server. The server answers for closed
 * tenders, of which the device shows what it has until then. Null without state and words.
 */
export function useResults(now: Date): Results | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const asked = readSearch(params);
  const hasScope = asked.state !== '' || asked.q !== '';
  const query = hasScope ? toQuery(asked) : null;
  const { local: held, isAsked } = useLocalList(hasScope ? asked : null, now);
  // a copy that has just arrived takes over only with its answer: until then the server's stays
  const askedServer = useRef<string | null>(null);
  if (!isAsked) askedServer.current = query;
  const isPartial = hasScope && !asked.open;
  const asksServer = isPartial || (held === undefined && askedServer.current === query);
  const shown = useTenderList(asksServer ? query : null);
  const older = isPartial && shown.answer === undefined ? (shown.error === undefined ? 'asked' : 'missing') : undefined;
  // a page without tenders may be one that only the server knows
  const isUseful = older !== 'asked' || (held?.list.tenders.length ?? 0) > 0;
  const local = isPartial && (older === undefined || !isUseful) ? undefined : held;

  // some devices never send an `online` event
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a minute
  useEffect(() => {
    if (older === 'missing') shown.reload();
  }, [now]);

  const place = hasScope ? writePlace(asked).toString() : '';
  const isFound = (local?.list ?? shown.answer)?.total;
  useEffect(() => {
    if (place !== '' && isFound) void rememberSearch(place);
  }, [place, isFound]);

  if (!hasScope) return null;
  const answer = local?.list ?? shown.answer;
  const filter = answer?.filter;
  const named = filter && {
    state: filter.state ?? '',
    district: filter.district ?? '',
    department: filter.department ?? '',
  };
  return {
    ...shown,
    ...(local && { answer: local.list, error: undefined, isLoading: false }),
    local,
    older: local && older,
    isAsked: isAsked && !isPartial,
    search: { ...asked, ...(local?.isCurrent !== false && named) },
    change: (search) =>
      void navigate({ search: `?${writeSearch(search)}` }, { replace: true, state: { page: search.page } }),
  };
}
