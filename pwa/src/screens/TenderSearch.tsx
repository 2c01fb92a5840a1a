import { readSearch } from '@nivida/contract/list-address';
import { PAGES } from '@nivida/contract/pages';
import { useMemo } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { useSession } from '../data/session.ts';
import { PhoneSection } from '../features/tenders/packs/PhoneSection.tsx';
import { RecentSearches } from '../features/tenders/RecentSearches.tsx';
import { SearchForm } from '../features/tenders/SearchForm.tsx';
import { OpenStates } from '../features/tenders/StateLinks.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { PhoneAlerts } from './PhoneAlerts.tsx';
import { SavedHere } from './SavedHere.tsx';
import { SavedSearches } from './SavedSearches.tsx';

/** The search form, filled from the address by Modify Search, over the states that have tenders. */
export function TenderSearch() {
  const [params] = useSearchParams();
  const initial = useMemo(() => readSearch(params), [params]);
  const session = useSession();
  const { hash } = useLocation();
  // the installed app's shortcut knows this one address
  if (session && hash === '#saved') return <Navigate to="/bookmarks" replace />;
  return (
    <div className="page">
      <PageHead {...PAGES['/tenders']} />
      <div className="column stack">
        <h1>Find tenders</h1>
        <SearchForm key={params.toString()} initial={initial} />
        <PhoneSection renderAlerts={(part) => <PhoneAlerts part={part} />} />
        <SavedSearches />
        <RecentSearches />
        {!session && <SavedHere />}
        <OpenStates />
      </div>
    </div>
  );
}
