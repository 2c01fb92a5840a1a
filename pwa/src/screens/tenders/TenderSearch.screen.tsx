import { t } from '@lingui/core/macro';
import { parseListQuery } from '@nivida/contract/filter/tender-filter';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useMemo } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { OnThisPhoneSection } from '../../features/on-this-phone/OnThisPhoneSection.tsx';
import { RecentSearches } from '../../features/search/RecentSearches.tsx';
import { SearchForm } from '../../features/search/SearchForm.tsx';
import { OpenStateLinks } from '../../features/search/StateLinks.tsx';
import { useShownLocation } from '../../ui/browser-state.ts';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { AlertStateLine } from '../alerts/AlertStateLine.tsx';
import { DeviceAlerts, usePreparedAlerts } from '../lazy-alerts.tsx';
import { BookmarksOnDevice } from './BookmarkCards.tsx';
import { SavedSearches } from './SavedSearches.tsx';

/** The search form, above the states with tenders. Modify Search fills it from the address. */
export function TenderSearch() {
  const [params] = useSearchParams();
  usePreparedAlerts();
  const initial = useMemo(() => parseListQuery(params), [params]);
  const session = useSession();
  const { hash } = useShownLocation();
  // The installed app's shortcut opens this address.
  if (session && hash === '#saved') return <Navigate to="/bookmarks" replace />;
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/tenders'])} />
      <div className="column stack">
        <h1>{t`Find tenders`}</h1>
        <SearchForm key={params.toString()} initial={initial} />
        <OnThisPhoneSection alertState={<AlertStateLine />} alerts={<DeviceAlerts />} />
        <SavedSearches />
        <RecentSearches />
        {!session && <BookmarksOnDevice />}
        <OpenStateLinks />
      </div>
    </div>
  );
}
