import { t } from '@lingui/core/macro';
import { districtsText } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { closingText } from '@nivida/contract/tenders/closing';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { useSession } from '../../data/session.ts';
import { markNoticesRead } from '../../features/alerts/notices/mark-read.ts';
import { MuteStatus } from '../../features/alerts/settings/MuteStatus.tsx';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { CalendarDialog } from '../../features/calendar/CalendarDialog.tsx';
import { useIsPackageOwned } from '../../features/documents/library.ts';
import type { ScreenHandle } from '../../features/layout/PublicLayout.tsx';
import { NoNetwork, useHasNoNetwork } from '../../features/on-this-phone/NoNetwork.tsx';
import { PackProgressLine } from '../../features/on-this-phone/PackProgressLine.tsx';
import { SavedTenderNote } from '../../features/on-this-phone/SavedTenderNote.tsx';
import { usePreparedState } from '../../features/on-this-phone/usePreparedState.ts';
import { usePaidOrder } from '../../features/orders/paid-orders.ts';
import { TenderPageHeader, useWayBack } from '../../features/tender/TenderPageHeader.tsx';
import { TenderError, TenderNotFound, TenderSkeleton } from '../../features/tender/TenderPlaceholders.tsx';
import { TenderView } from '../../features/tender/TenderView.tsx';
import { scopeOfState } from '../../offline/packs/pack-status.ts';
import { useLookUp, useOfflineTender } from '../../offline/queries/useOfflineTender.ts';
import { useShownLocation } from '../../ui/browser-state.ts';
import { WhenNear } from '../../ui/display/WhenNear.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { OptionalSpaceOfLink } from '../bids/OptionalSpaceSwitch.tsx';
import {
  AskAboutTender,
  BidPreparation,
  DocumentPurchase,
  OfficeBlock,
  ReadingContradictions,
  ReportMistake,
  RequestDialog,
  TenderReadingBlock,
  usePreparedChecklist,
} from '../lazy-tenders.tsx';
import { PaymentReturnDialog } from '../payment/PaymentReturnDialog.tsx';
import { TenderActions } from './TenderActions.tsx';
import css from './Tenders.module.css';
import { useTenderDocuments } from './useTenderDocuments.ts';

function tenderDescription(tender: Tender): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const { org_name: organisation } = tender;
  const places = [districtsText(tender), placeName(tender.state)].filter(Boolean).join(', ');
  return t`Closes ${closing}. ${organisation}, ${places}.`;
}

interface DocumentedTenderProps {
  tender: Tender;
  now: Date;
  backLabel: string;
  onBack: () => void;
  /** The user already has the documents. */
  isOwned: boolean;
  /** The access dialog is open. */
  isBuying: boolean;
  /** The buyer has returned from the payment page, so the payment's result is shown. */
  isReturned: boolean;
  onBuying: (isBuying: boolean) => void;
}

/** A tender with its documents: they are bought in the access dialog, or requested. */
function TenderWithDocuments({ isOwned, isBuying, isReturned, onBuying, ...view }: DocumentedTenderProps) {
  const { tender, now } = view;
  const navigate = useNavigate();
  const paidOrder = usePaidOrder(tender, isReturned);
  const prepareChecklist = usePreparedChecklist();
  const documents = useTenderDocuments(tender, now, isOwned || paidOrder !== null);
  const isInDialog = ['owned', 'sold', 'free'].includes(documents.action.way);
  const open = () => {
    if (paidOrder !== null) void navigate(`/payment-status?id=${encodeURIComponent(paidOrder)}`);
    else if (isInDialog) onBuying(true);
    else documents.ask();
  };
  return (
    <>
      <TenderView
        {...view}
        renderActions={(look) => <TenderActions tender={tender} now={now} look={look} />}
        documents={documents.action}
        onChecklist={prepareChecklist}
        checklist={<BidPreparation tender={tender} now={now} />}
        contradictions={<ReadingContradictions tender={tender} />}
        reading={<TenderReadingBlock tender={tender} way={documents.action.way} onDocuments={open} />}
        onDocuments={open}
      >
        <WhenNear>
          <OfficeBlock tender={tender} />
          <AskAboutTender tender={tender} />
          <ReportMistake tenderId={tender._id} />
        </WhenNear>
        <div className={`xs muted ${css.saved}`}>
          <WhenNear>
            <PackProgressLine
              scope={scopeOfState(tender.state)}
              now={now}
              isHidden={false}
              name={placeName(tender.state)}
            />
          </WhenNear>
        </div>
      </TenderView>
      {(isInDialog || isBuying) && documents.action.way !== 'demonstration' && (
        <DocumentPurchase
          isOpen={isBuying}
          tender={tender}
          onAsk={() => {
            onBuying(false);
            documents.ask();
          }}
          onClose={() => onBuying(false)}
        />
      )}
      {(documents.action.way === 'ask' || documents.isAsking) && (
        <RequestDialog
          isOpen={documents.isAsking}
          onAsk={(email) => void documents.send(email)}
          onClose={documents.stopAsking}
        />
      )}
    </>
  );
}

export const handle: ScreenHandle = { Header: TenderPageHeader };

/** One tender. */
export function TenderDetail() {
  const { id = '' } = useParams();
  useLookUp(id);
  const { tender, error, savedAt, isGone, isLookedUp, reload } = useOfflineTender(id);
  const hasNoNetwork = useHasNoNetwork(!tender && error === undefined && isLookedUp ? id : null, error) && !tender;
  usePreparedState(tender?.state ?? '', tender !== undefined);
  const now = useNow();
  const navigate = useNavigate();
  const { state, hash, search } = useShownLocation();
  const { backLabel, onBack: goBack } = useWayBack();
  const isAskedToBuy = Boolean(state?.buy);
  const [isBuying, setIsBuying] = useState(isAskedToBuy);
  useEffect(() => {
    if (isAskedToBuy) setIsBuying(true);
  }, [isAskedToBuy]);
  const isOwned = useIsPackageOwned(useSession()?.user._id ?? null, id, isBuying);
  const isBookmarked = useBookmarkStore(({ ids }) => ids.has(id));
  useEffect(() => void markNoticesRead(id), [id]);

  return (
    <div className={`page ${css.tight} ${css.tender}`}>
      <PageMeta
        title={tender?.title ?? pageText(PAGES['/tenders/:id']).title}
        description={tender ? tenderDescription(tender) : pageText(PAGES['/tenders/:id']).description}
      />
      {savedAt && <SavedTenderNote savedAt={savedAt} isGone={isGone} now={now} />}
      {isBookmarked && <MuteStatus tenderId={id} />}
      {tender && (
        <TenderWithDocuments
          tender={tender}
          now={now}
          backLabel={backLabel}
          onBack={goBack}
          isOwned={isOwned}
          isBuying={isBuying}
          isReturned={new URLSearchParams(search).has('id')}
          onBuying={setIsBuying}
        />
      )}
      {!tender && !hasNoNetwork && error === undefined && <TenderSkeleton />}
      {hasNoNetwork && <NoNetwork missing={t`This tender`} search={null} heading="h1" error={error} onRetry={reload} />}
      {!tender && error !== undefined && isGone && <TenderNotFound />}
      {!tender && !hasNoNetwork && error !== undefined && !isGone && (
        <TenderError error={error} onBack={goBack} onRetry={reload} />
      )}
      {tender && hash === '#calendar' && (
        <CalendarDialog tender={tender} now={now} onClose={() => void navigate({ search }, { replace: true, state })} />
      )}
      <OptionalSpaceOfLink />
      <PaymentReturnDialog key={id} onRetry={() => setIsBuying(true)} />
    </div>
  );
}
