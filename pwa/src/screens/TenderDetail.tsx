import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { useNow } from '../data/clock.ts';
import { TopLead } from '../features/layout/TopLead.tsx';
import { SavedNote } from '../features/tenders/packs/SavedNote.tsx';
import { useTenderHere } from '../features/tenders/packs/useTenderHere.ts';
import { TenderLead } from '../features/tenders/TenderLead.tsx';
import { TenderError, TenderNotFound, TenderSkeleton } from '../features/tenders/TenderStates.tsx';
import { TenderView } from '../features/tenders/TenderView.tsx';
import { TenderActions } from './TenderActions.tsx';
import css from './Tenders.module.css';

/** One tender. Back leads to the list it was opened from, else to the search form. */
export function TenderDetail() {
  const { id = '' } = useParams();
  const { tender, error, savedAt, isGone } = useTenderHere(id);
  const now = useNow();
  const navigate = useNavigate();
  const { state } = useLocation();
  const isFromList = Boolean(state?.fromList);
  const backLabel = isFromList ? 'Back to results' : 'Back to search';
  const goBack = () => void (isFromList ? navigate(-1) : navigate('/tenders'));

  return (
    <div className={`page ${css.tight}`}>
      <title>{`${tender?.title ?? 'Tender'} · Nivida`}</title>
      <TopLead>
        <TenderLead tender={tender} now={now} backLabel={backLabel} onBack={goBack} />
      </TopLead>
      {savedAt && <SavedNote savedAt={savedAt} isGone={isGone} now={now} />}
      {tender && (
        <TenderView
          tender={tender}
          now={now}
          backLabel={backLabel}
          onBack={goBack}
          renderActions={(look) => <TenderActions tender={tender} now={now} look={look} />}
        />
      )}
      {!tender && error === undefined && <TenderSkeleton />}
      {!tender && error !== undefined && isGone && <TenderNotFound />}
      {!tender && error !== undefined && !isGone && <TenderError error={error} onBack={goBack} />}
    </div>
  );
}
