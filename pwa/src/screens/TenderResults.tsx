import { Navigate } from 'react-router-dom';
import { useNow } from '../data/clock.ts';
import { TopLead } from '../features/layout/TopLead.tsx';
import { Results } from '../features/tenders/Results.tsx';
import { ResultsLead } from '../features/tenders/ResultsLead.tsx';
import { resultsTitle } from '../features/tenders/search.ts';
import { useResults } from '../features/tenders/useResults.ts';
import css from './Tenders.module.css';

/** The list of a search; without a state and without words it goes to the form (RESOLUTIONS R35). */
export function TenderResults() {
  const results = useResults();
  const now = useNow();
  if (!results) return <Navigate to="/tenders" replace />;
  return (
    <div className={`page ${css.tight}`}>
      <title>{`${resultsTitle(results.search)} · Nivida`}</title>
      <TopLead>
        <ResultsLead search={results.search} />
      </TopLead>
      <Results results={results} now={now} />
    </div>
  );
}
