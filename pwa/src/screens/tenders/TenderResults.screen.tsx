import { t } from '@lingui/core/macro';
import { resultsTitle } from '@nivida/contract/filter/filter-texts';
import { parseListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { hasSeveralIds } from '@nivida/contract/tenders/tender-numbers';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { useReachability } from '../../data/server/reachability.ts';
import type { ScreenHandle } from '../../features/layout/PublicLayout.tsx';
import { Results } from '../../features/results/Results.tsx';
import { ResultsPageHeader } from '../../features/results/ResultsPageHeader.tsx';
import { type ResultsState, useResults } from '../../features/results/useResults.ts';
import { SaveSearchButton } from '../../features/searches/SaveSearchButton.tsx';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { listText } from '../../features/share/list-text.ts';
import { nextPageForSourceId } from '../../features/share/page-for-source-id.ts';
import { newestTenders } from '../../offline/queries/device-tenders.ts';
import { useShownLocation } from '../../ui/browser-state.ts';
import { lazyPart, optionalPart } from '../../ui/lazy/lazy.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { useCardMarks } from '../card-marks/useCardMarks.tsx';
import { cardBookmark } from './TenderBookmarkButton.tsx';
import css from './Tenders.module.css';

const TypedTenders = lazyPart(async () => (await import('./TypedTenders.tsx')).TypedTenders, {
  loading: () => t`Looking for the tenders`,
  failed: () => t`This could not be loaded. Please check your internet connection.`,
});

const ListFeedsButton = optionalPart(
  async () => (await import('../../features/feeds/FeedButtons.tsx')).ListFeedsButton,
);

/**
 * The button that saves the search, with the highest known tender id: of the packs on the device, or of the
 * shown page.
 */
function SaveResultSearch({ results: { search, answer }, now }: { results: ResultsState; now: Date }) {
  const ids = answer?.tenders.flatMap(({ _id, works = [] }) => [_id, ...works]) ?? [];
  const seenUpTo = Math.max(0, ...ids.map(Number));
  async function findHighestId(): Promise<number> {
    const news = await newestTenders(search, 0, 0, now).catch(() => undefined);
    return news?.highestId ?? seenUpTo;
  }
  // Alerts do not correct words, so the corrected words are saved.
  const meant = { ...search, q: answer?.showing_for ?? search.q };
  return <SaveSearchButton search={meant} shown={answer} seenUpTo={seenUpTo} findHighestId={findHighestId} />;
}

export const handle: ScreenHandle = { Header: ResultsPageHeader };

/** The list of a search, or the tenders whose ids its words name. */
export function TenderResults() {
  const [params] = useSearchParams();
  const { q } = parseListQuery(params);
  if (!hasSeveralIds(q)) return <SearchResults />;
  return (
    <div className={`page ${css.tight}`}>
      <PageMeta title={q} description={pageText(PAGES['/tenders']).description} />
      <TypedTenders words={q} />
    </div>
  );
}

/** Without a state and without words it redirects to the form (R35). */
function SearchResults() {
  const now = useNow();
  const results = useResults(now);
  const marks = useCardMarks();
  const { state } = useShownLocation();
  const isReachable = useReachability(({ status }) => status === 'reachable');
  if (!results) return <Navigate to="/tenders" replace />;

  const { search, answer, local, isIdLookup } = results;
  // Another state may have the same id, so the server decides if it can be reached. A tender without its
  // details cannot be opened.
  const isOnlyOnDevice = isIdLookup && local !== undefined && results.missingPart === undefined;
  const isMissing = results.missingPart === 'unreachable' || !isReachable;
  const isDecided = !isIdLookup || (local ? local.isComplete && (isOnlyOnDevice || isMissing) : !results.isSearching);
  // When another app has shared an id and exactly one tender has it, that tender opens at once.
  if (answer && isDecided && search.q !== '' && search.q === state?.received) {
    // The server has not been asked for closed tenders yet.
    const found = isOnlyOnDevice && search.open ? [] : answer.tenders;
    const next = nextPageForSourceId(search.q, search.open, found, search.state);
    if (next !== null) return <Navigate to={next} state={search.open ? state : null} replace />;
  }
  return (
    <div className={`page ${css.tight}`}>
      <PageMeta
        title={resultsTitle(results.search)}
        description={t`Government tenders with value, EMD and the closing hour of each.`}
      />
      <Results
        results={results}
        now={now}
        renderBookmark={cardBookmark}
        marks={marks}
        renderCopy={(list) => (
          <>
            <CopyListButton
              makeText={(origin) =>
                listText(
                  {
                    title: resultsTitle(search),
                    tenders: list.tenders,
                    total: list.total,
                    has_more: list.has_more,
                    path: `/tenders/results?${tenderFilterParams({ ...search, page: 1 })}`,
                  },
                  origin,
                  now,
                )
              }
            />
            <ListFeedsButton search={search} />
          </>
        )}
        save={search.open && <SaveResultSearch results={results} now={now} />}
      />
    </div>
  );
}
