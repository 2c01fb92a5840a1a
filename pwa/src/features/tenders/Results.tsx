import { PAGE_SIZE, type TenderSearch, writeSearch } from '@nivida/contract/list-address';
import { KEPT_CLOSED_DAYS } from '@nivida/contract/sync';
import type { TenderList, TenderSummary } from '@nivida/contract/tender';
import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { messageOf } from '../../data/api.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Note } from '../../ui/Note.tsx';
import { useIsWide } from '../../ui/useIsWide.ts';
import { CardList, CardListSkeleton } from './CardList.tsx';
import { Filters } from './Filters.tsx';
import { NoTenders } from './NoTenders.tsx';
import { Pages } from './Pages.tsx';
import { Preview } from './Preview.tsx';
import { OfflineCopy } from './packs/OfflineCopy.tsx';
import { PackOffer } from './packs/PackOffer.tsx';
import { PackLine } from './packs/PackProgress.tsx';
import { scopeName, scopeOfState, searchableScopes, usePacks } from './packs/status.ts';
import { pageCount } from './pages.ts';
import css from './Results.module.css';
import { ResultsBar } from './ResultsBar.tsx';
import { resultsTitle } from './search.ts';
import type { Results as ResultsState } from './useResults.ts';

/** What a list of closed tenders from the device lacks. */
const OLDER = {
  asked: `Closed in the last ${KEPT_CLOSED_DAYS} days. Loading older ones…`,
  missing: `Only the last ${KEPT_CLOSED_DAYS} days are on this phone. Older ones need a connection.`,
};

interface ResultsProps {
  results: ResultsState;
  now: Date;
  /** The bookmark button of one card. */
  renderBookmark: (tender: TenderSummary) => ReactNode;
  /** The button that saves the search. */
  save: ReactNode;
}

/** The results: filters, list and preview, as wide as there is room; one of loading, error, empty or cards. */
export function Results({ results, now, renderBookmark, save }: ResultsProps) {
  const { search, answer: list, receivedAt, error, isLoading, reload, change } = results;
  const hasFilters = useIsWide('60rem');
  const hasPreview = useIsWide('72rem');
  const [pointedAt, setPointedAt] = useState<string>();
  const preview = list?.tenders.find(({ _id }) => _id === pointedAt) ?? list?.tenders[0];
  const pages = pageCount(list?.total ?? 0, PAGE_SIZE);

  // an address with a page behind the last one, when tenders have closed since it was kept
  if (list && list.total > 0 && list.tenders.length === 0 && search.page > pages) {
    return <Navigate to={{ search: `?${writeSearch({ ...search, page: pages })}` }} replace />;
  }
  return (
    <div className={css.columns} data-preview={isLoading || preview !== undefined || undefined}>
      {hasFilters && <Filters search={search} here={results} onChange={change} />}
      <div className={css.list}>
        <h1 className="sr">{resultsTitle(search)}</h1>
        {(list || isLoading) && (
          <ResultsBar
            search={search}
            list={list}
            savedAt={error === undefined ? null : receivedAt}
            now={now}
            onChange={change}
            save={save}
          >
            {results.local ? (
              <>
                <OfflineCopy local={results.local} hasWords={search.q !== ''} now={now} />
                {results.older && <p className="muted">{OLDER[results.older]}</p>}
              </>
            ) : (
              <PackLine scope={scopeOfState(search.state)} />
            )}
          </ResultsBar>
        )}
        {isLoading && <CardListSkeleton />}
        {!list && error !== undefined && <ResultsError error={error} search={search} reload={reload} />}
        {list?.total === 0 && <NoTenders search={search} list={list} isPartial={results.older !== undefined} />}
        {list && list.total > 0 && (
          <>
            <SearchedFor list={list} />
            <CardList
              tenders={list.tenders}
              now={now}
              previewId={preview?._id}
              onPreview={setPointedAt}
              renderBookmark={renderBookmark}
            />
            <Pages search={search} count={pages} />
            {list.demonstration && (
              <Note tone="amber">Demonstration data: these tenders are generated or their dates are shifted.</Note>
            )}
          </>
        )}
        <PackOffer state={search.state} isListShown={list !== undefined} />
      </div>
      {hasPreview && preview && <Preview tender={preview} now={now} />}
    </div>
  );
}

/** Says so when other words than the asked ones were searched. */
function SearchedFor({ list }: { list: TenderList }) {
  if (list.showing_for === null) return null;
  return (
    <p className={css.searchedFor}>
      Showing results for <b>“{list.showing_for}”</b>
      {list.filter.q && <span className="muted">. Nothing was found for “{list.filter.q}”.</span>}
    </p>
  );
}

interface ResultsErrorProps {
  error: unknown;
  search: TenderSearch;
  reload: () => void;
}

/** Why there is no list; words for all states can at least be looked for in the state that the device has. */
function ResultsError({ error, search, reload }: ResultsErrorProps) {
  const [saved] = usePacks(useShallow(searchableScopes));
  const here = search.state === '' && saved !== undefined ? scopeName(saved) : undefined;
  return (
    <EmptyState
      title="Error Loading Tenders"
      alert
      actions={
        <>
          <Button look="main" onClick={reload}>
            Try Again
          </Button>
          {here && (
            <ButtonLink to={{ search: `?${writeSearch({ ...search, state: here, page: 1 })}` }}>
              Search in {here}, on this phone
            </ButtonLink>
          )}
        </>
      }
    >
      {messageOf(error, 'Failed to fetch tenders. Please try again later.', 'No tenders data received from server')}
    </EmptyState>
  );
}
