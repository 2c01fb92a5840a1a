import { closingText } from '@nivida/contract/closing';
import { PAGES } from '@nivida/contract/pages';
import type { Tender } from '@nivida/contract/tender';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { useNow } from '../data/clock.ts';
import { useSession } from '../data/session.ts';
import { MuteNote } from '../features/alerts/MuteNote.tsx';
import { readNotices } from '../features/alerts/read.ts';
import { useSaved } from '../features/bookmarks/saved.ts';
import { CalendarDialog } from '../features/calendar/CalendarDialog.tsx';
import { useIsOwned } from '../features/documents/library.ts';
import { TopLead } from '../features/layout/TopLead.tsx';
import { SavedNote } from '../features/tenders/packs/SavedNote.tsx';
import { useTenderHere } from '../features/tenders/packs/useTenderHere.ts';
import { TenderLead } from '../features/tenders/TenderLead.tsx';
import { TenderError, TenderNotFound, TenderSkeleton } from '../features/tenders/TenderStates.tsx';
import { TenderView } from '../features/tenders/TenderView.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { DocumentPurchase } from './DocumentPurchase.tsx';
import { ReturnedPayment } from './ReturnedPayment.tsx';
import { TenderActions } from './TenderActions.tsx';
import css from './Tenders.module.css';

function describe({ closing_date, closing_time_known, org_name, district, state }: Tender): string {
  const closing = closingText({ at: new Date(closing_date), timeKnown: closing_time_known });
  return `Closes ${closing}. ${org_name}, ${[district, state].filter(Boolean).join(', ')}.`;
}

/** One tender. Back leads to the list it was opened from, else to the search form. */
export function TenderDetail() {
  const { id = '' } = useParams();
  const { tender, error, savedAt, isGone } = useTenderHere(id);
  const now = useNow();
  const navigate = useNavigate();
  const { state, hash, search } = useLocation();
  const [isBuying, setIsBuying] = useState(Boolean(state?.buy));
  const isOwned = useIsOwned(useSession()?.user._id ?? null, id, isBuying);
  const isKept = useSaved(({ ids }) => ids.has(id));
  useEffect(() => void readNotices(id), [id]);
  const isFromList = Boolean(state?.fromList);
  const backLabel = isFromList ? 'Back to results' : 'Back to search';
  const goBack = () => void (isFromList ? navigate(-1) : navigate('/tenders'));

  return (
    <div className={`page ${css.tight}`}>
      <PageHead
        title={tender?.title ?? 'Tender'}
        description={tender ? describe(tender) : PAGES['/tenders'].description}
      />
      <TopLead>
        <TenderLead tender={tender} now={now} backLabel={backLabel} onBack={goBack} />
      </TopLead>
      {savedAt && <SavedNote savedAt={savedAt} isGone={isGone} now={now} />}
      {isKept && <MuteNote tenderId={id} />}
      {tender && (
        <TenderView
          tender={tender}
          now={now}
          backLabel={backLabel}
          onBack={goBack}
          renderActions={(look) => <TenderActions tender={tender} now={now} look={look} />}
          isOwned={isOwned}
          onDownload={() => setIsBuying(true)}
        />
      )}
      {!tender && error === undefined && <TenderSkeleton />}
      {!tender && error !== undefined && isGone && <TenderNotFound />}
      {!tender && error !== undefined && !isGone && <TenderError error={error} onBack={goBack} />}
      {tender && hash === '#calendar' && (
        <CalendarDialog tender={tender} now={now} onClose={() => void navigate({ search }, { replace: true, state })} />
      )}
      {tender && isBuying && <DocumentPurchase tender={tender} onClose={() => setIsBuying(false)} />}
      <ReturnedPayment key={id} onRetry={() => setIsBuying(true)} />
    </div>
  );
}
