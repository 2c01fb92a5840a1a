import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { isNotFound } from '../data/api.ts';
import { useNow } from '../data/clock.ts';
import { useTender } from '../data/tenders.ts';
import { TopLead } from '../features/layout/TopLead.tsx';
import { TenderLead } from '../features/tenders/TenderLead.tsx';
import { TenderError, TenderNotFound, TenderSkeleton } from '../features/tenders/TenderStates.tsx';
import { TenderView } from '../features/tenders/TenderView.tsx';
import css from './Tenders.module.css';

/** One tender. Back leads to the list it was opened from, else to the search form. */
export function TenderDetail() {
  const { id = '' } = useParams();
  const { answer: tender, error } = useTender(id);
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
      {tender && <TenderView tender={tender} now={now} backLabel={backLabel} onBack={goBack} />}
      {!tender && error === undefined && <TenderSkeleton />}
      {!tender && error !== undefined && isNotFound(error) && <TenderNotFound />}
      {!tender && error !== undefined && !isNotFound(error) && <TenderError error={error} onBack={goBack} />}
    </div>
  );
}
