import { useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { currentTime } from '../../data/clock.ts';
import { MuteButton } from '../../features/alerts/settings/MuteButton.tsx';
import { SavedSearchList } from '../../features/searches/SavedSearchList.tsx';
import { type CountHits, useNewHits } from '../../features/searches/useNewHits.ts';
import { type SavedSearchesState, useSavedSearches } from '../../features/searches/useSavedSearches.ts';
import { newestTenders, usePackVersions } from '../../features/tenders/offline/device-tenders.ts';
import { useId } from '../../ui/HydrateLater.tsx';

/** The saved searches with their new hits, as far as the packs on the device can count them. */
export function useSearchesWithHits(): SavedSearchesState & { hits: ReadonlyMap<string, number> } {
  const savedSearches = useSavedSearches();
  const packVersions = usePackVersions();
  const count = useMemo(
    (): CountHits | undefined =>
      packVersions === null
        ? undefined
        : async (filter, above) => (await newestTenders(filter, above, 0, currentTime()))?.count,
    [packVersions],
  );
  return { ...savedSearches, hits: useNewHits(savedSearches.searches, count) };
}

/** "Saved searches" on the search page; renders nothing before the first. */
export function SavedSearches() {
  const heading = useId();
  const { searches, hits } = useSearchesWithHits();
  const location = useLocation();
  const section = useRef<HTMLElement>(null);
  const isRead = searches !== undefined;

  // The router scrolls there too, but before the list is loaded. A second click on the same link is another location.
  useEffect(() => {
    if (location.hash === '#searches' && isRead) section.current?.scrollIntoView();
  }, [location, isRead]);

  if (!searches || searches.length === 0) return null;
  return (
    <section id="searches" ref={section} aria-labelledby={heading} className="stack">
      <h2 id={heading} className="s">
        Saved searches
      </h2>
      <SavedSearchList
        searches={searches}
        hits={hits}
        isManaged
        renderMore={({ id, name }) => <MuteButton kind="mutedSearches" id={id} name={name} />}
      />
    </section>
  );
}
