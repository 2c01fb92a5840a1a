import { Navigate, useLocation } from 'react-router-dom';
import { useNow } from '../data/clock.ts';
import { BookmarkButton } from '../features/bookmarks/BookmarkButton.tsx';
import { TopLead } from '../features/layout/TopLead.tsx';
import { nextPage } from '../features/share/received.ts';
import { Results } from '../features/tenders/Results.tsx';
import { ResultsLead } from '../features/tenders/ResultsLead.tsx';
import { resultsTitle } from '../features/tenders/search.ts';
import { useResults } from '../features/tenders/useResults.ts';
import { findTender } from './find-tender.ts';
import css from './Tenders.module.css';

/** The list of a search; without a state and without words it goes to the form (RESOLUTIONS R35). */
export function TenderResults() {
  const now = useNow();
  const results = useResults(now);
  const { state } = useLocation();
  if (!results) return <Navigate to="/tenders" replace />;

  const { search, answer } = results;
  // an id that another app shared: its tender, if there is just one, is opened in place of the list
  if (answer && search.q !== '' && search.q === state?.received) {
    const next = nextPage(search.q, search.open, answer.tenders);
    if (next !== null) return <Navigate to={next} state={search.open ? state : null} replace />;
  }
  return (
    <div className={`page ${css.tight}`}>
      <title>{`${resultsTitle(results.search)} · Nivida`}</title>
      <TopLead>
        <ResultsLead results={results} />
      </TopLead>
      <Results
        results={results}
        now={now}
        renderBookmark={(tender) => <BookmarkButton tender={tender} find={findTender} look="card" />}
      />
    </div>
  );
}
