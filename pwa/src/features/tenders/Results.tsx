import type { TenderList } from '@nivida/contract/tender';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { messageOf } from '../../data/api.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Note } from '../../ui/Note.tsx';
import { CardList, CardListSkeleton } from './CardList.tsx';
import { Filters } from './Filters.tsx';
import { NoTenders } from './NoTenders.tsx';
import { Pages } from './Pages.tsx';
import { Preview } from './Preview.tsx';
import { pageCount } from './pages.ts';
import css from './Results.module.css';
import { ResultsBar } from './ResultsBar.tsx';
import { PAGE_SIZE, resultsTitle, writeSearch } from './search.ts';
import { useIsWide } from './useIsWide.ts';
import type { Results as ResultsState } from './useResults.ts';

/** The results: filters, list and preview, as wide as there is room; one of loading, error, empty or cards. */
export function Results({ results, now }: { results: ResultsState; now: Date }) {
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
      {hasFilters && <Filters search={search} onChange={change} />}
      <div className={css.list}>
        <h1 className="sr">{resultsTitle(search)}</h1>
        {(list || isLoading) && (
          <ResultsBar
            search={search}
            list={list}
            savedAt={error === undefined ? null : receivedAt}
            now={now}
            onChange={change}
          />
        )}
        {isLoading && <CardListSkeleton />}
        {!list && error !== undefined && <ResultsError error={error} reload={reload} />}
        {list?.total === 0 && <NoTenders search={search} list={list} />}
        {list && list.total > 0 && (
          <>
            <SearchedFor list={list} />
            <CardList tenders={list.tenders} now={now} previewId={preview?._id} onPreview={setPointedAt} />
            <Pages search={search} count={pages} />
            {list.demonstration && (
              <Note tone="amber">Demonstration data: these tenders are generated or their dates are shifted.</Note>
            )}
          </>
        )}
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

function ResultsError({ error, reload }: { error: unknown; reload: () => void }) {
  return (
    <EmptyState
      title="Error Loading Tenders"
      alert
      actions={
        <Button look="main" onClick={reload}>
          Try Again
        </Button>
      }
    >
      {messageOf(error, 'Failed to fetch tenders. Please try again later.', 'No tenders data received from server')}
    </EmptyState>
  );
}
