import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SearchForm } from '../features/tenders/SearchForm.tsx';
import { OpenStates } from '../features/tenders/StateLinks.tsx';
import { readSearch } from '../features/tenders/search.ts';

/** The search form, filled from the address by Modify Search, over the states that have tenders. */
export function TenderSearch() {
  const [params] = useSearchParams();
  const initial = useMemo(() => readSearch(params), [params]);
  return (
    <div className="page">
      <title>Find tenders · Nivida</title>
      <div className="column stack">
        <h1>Find tenders</h1>
        <SearchForm key={params.toString()} initial={initial} />
        <OpenStates />
      </div>
    </div>
  );
}
