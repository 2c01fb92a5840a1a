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
  /** Goes to another search in place of this one, so that back still leaves the list. */
  change: (search: TenderSearch) => void;
}

/** Reads the address; the device answers when it has the state's copy, else the server. Null without state and words. */
export function useResults(now: Date): Results | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const asked = readSearch(params);
  const hasScope = asked.state !== '' || asked.q !== '';
  const query = hasScope ? toQuery(asked) : null;
  const { local, isAsked } = useLocalList(hasScope ? asked : null, now);
  // a copy that has just arrived takes over only with its answer: until then the server's stays
  const askedServer = useRef<string | null>(null);
  if (!isAsked) askedServer.current = query;
  const shown = useTenderList(local === undefined && askedServer.current === query ? query : null);

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
    search: { ...asked, ...(local?.isCurrent !== false && named) },
    change: (search) =>
      void navigate({ search: `?${writeSearch(search)}` }, { replace: true, state: { page: search.page } }),
  };
}
