import type { TenderList } from '@nivida/contract/tender';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { Shown } from '../../data/answers.ts';
import { useTenderList } from '../../data/tenders.ts';
import { readSearch, type TenderSearch, toQuery, writeSearch } from './search.ts';

/** The results page's state: the search of its address and the answer to it. */
export interface Results extends Shown<TenderList> {
  /** With the listed names once the answer has named them, where the address had a slug or an alias. */
  search: TenderSearch;
  /** Goes to another search in place of this one, so that back still leaves the list. */
  change: (search: TenderSearch) => void;
}

/** Reads the address and asks for its page of tenders; null when it names neither a state nor words. */
export function useResults(): Results | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const asked = readSearch(params);
  const hasScope = asked.state !== '' || asked.q !== '';
  const shown = useTenderList(hasScope ? toQuery(asked) : null);
  if (!hasScope) return null;

  const filter = shown.answer?.filter;
  const named = filter && {
    state: filter.state ?? '',
    district: filter.district ?? '',
    department: filter.department ?? '',
  };
  return {
    ...shown,
    search: { ...asked, ...named },
    change: (search) =>
      void navigate({ search: `?${writeSearch(search)}` }, { replace: true, state: { page: search.page } }),
  };
}
