import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import { useEffect, useId, useMemo, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { currentTime } from '../../data/clock.ts';
import type { DeviceQuery } from '../../data/device/live-query.ts';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import { MuteButton } from '../../features/alerts/settings/MuteButton.tsx';
import { SavedSearchList } from '../../features/searches/SavedSearchList.tsx';
import { filterQuery } from '../../features/searches/search-filter.ts';
import { type CountHits, useNewHits } from '../../features/searches/useNewHits.ts';
import { type SavedSearchesState, useSavedSearches } from '../../features/searches/useSavedSearches.ts';
import { newestTenders, usePackVersions } from '../../offline/queries/device-tenders.ts';
import { optionalPart } from '../../ui/lazy/lazy.tsx';
import type { ReadCardMarks } from '../card-marks/read-card-marks.ts';
import { loadMarks, useWithinLimit } from '../card-marks/within-limit.ts';

const SearchFeedButton = optionalPart(
  async () => (await import('../../features/feeds/FeedButtons.tsx')).SearchFeedButton,
);

const ShareSearchButtons = optionalPart(
  async () => (await import('../../features/firms/ShareSearchButtons.tsx')).ShareSearchButtons,
);

const loadNothing = async (): Promise<DeviceQuery<undefined>> => async () => undefined;

/** When there are more new hits than this, hits above the user's limit are counted too. */
const MAX_CHECKED_HITS = 1_000;

/** Counts new hits in the packs on the device. Refused hits are not counted. */
async function countHits(filter: TenderFilter, above: number, isRefused: ReadCardMarks['isRefused'] | undefined) {
  const checked = isRefused ? MAX_CHECKED_HITS : 0;
  const news = await newestTenders(filter, above, checked, currentTime());
  if (!news || !isRefused) return news?.count;
  return news.count - news.tenders.filter((tender) => Number(tender._id) > above && isRefused(tender)).length;
}

export interface SearchesWithHits extends SavedSearchesState {
  hits: ReadonlyMap<string, number>;
  /** "Works I may bid" is on: works above the user's limit are not counted. */
  isWithinLimit: boolean;
}

/** The saved searches with their new hits. Only searches whose pack is on the device are counted. */
export function useSearchesWithHits(): SearchesWithHits {
  const savedSearches = useSavedSearches();
  const packVersions = usePackVersions();
  const isOn = useWithinLimit();
  const { rows } = useSpaceRows<ReadCardMarks | undefined>(isOn ? loadMarks : loadNothing);
  const isWithinLimit = isOn && rows?.hasEnlistment === true;
  const isRefused = isWithinLimit ? rows?.isRefused : undefined;
  const count = useMemo(
    (): CountHits | undefined =>
      packVersions === null ? undefined : (filter, above) => countHits(filter, above, isRefused),
    [packVersions, isRefused],
  );
  return { ...savedSearches, hits: useNewHits(savedSearches.searches, count), isWithinLimit };
}

/** Says which new hits are not counted. */
export function WithinLimitNote({ isWithinLimit }: Pick<SearchesWithHits, 'isWithinLimit'>) {
  if (!isWithinLimit) return null;
  return (
    <p className="xs muted">
      <Trans>
        “Works I may bid” is on: works above the limit of your enlistment are not counted. Alerts name them too.
      </Trans>
    </p>
  );
}

/** "Saved searches" on the search page. Renders nothing without any. */
export function SavedSearches() {
  const heading = useId();
  const { searches, hits, isWithinLimit } = useSearchesWithHits();
  const location = useLocation();
  const section = useRef<HTMLElement>(null);
  const isRead = searches !== undefined;

  // The router scrolls before the list has loaded, so this scrolls again. A second click on the same link is
  // another location.
  useEffect(() => {
    if (location.hash === '#searches' && isRead) section.current?.scrollIntoView();
  }, [location, isRead]);

  if (!searches || searches.length === 0) return null;
  return (
    <section id="searches" ref={section} aria-labelledby={heading} className="stack">
      <h2 id={heading} className="s">
        {t`Saved searches`}
      </h2>
      <SavedSearchList
        searches={searches}
        hits={hits}
        isManaged
        renderMore={(search) => (
          <>
            <MuteButton kind="mutedSearches" id={search.id} name={search.name} />
            <SearchFeedButton search={search} />
            <ShareSearchButtons name={search.name} query={filterQuery(search.filter)} />
          </>
        )}
      />
      <WithinLimitNote isWithinLimit={isWithinLimit} />
    </section>
  );
}
