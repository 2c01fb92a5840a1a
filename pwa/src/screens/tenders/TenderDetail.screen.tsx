import { districtsText } from '@nivida/contract/format';
import { PAGES } from '@nivida/contract/site/pages';
import { closingText } from '@nivida/contract/tenders/closing';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { loadBeforePreloads, usePreload, usePreloadWhenUsed } from '../../data/preload.ts';
import { useSession } from '../../data/session.ts';
import { markNoticesRead } from '../../features/alerts/notices/mark-read.ts';
import { MuteStatus } from '../../features/alerts/settings/MuteStatus.tsx';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { CalendarDialog } from '../../features/calendar/CalendarDialog.tsx';
import { useIsPackageOwned } from '../../features/documents/library.ts';
import type { ScreenHandle } from '../../features/layout/PublicLayout.tsx';
import { NoNetwork, useHasNoNetwork } from '../../features/on-this-phone/NoNetwork.tsx';
import { SavedTenderNote } from '../../features/on-this-phone/SavedTenderNote.tsx';
import { usePreparedState } from '../../features/on-this-phone/usePreparedState.ts';
import { usePaidOrder } from '../../features/orders/paid-orders.ts';
import { TenderPageHeader, useWayBack } from '../../features/tender/TenderPageHeader.tsx';
import { TenderError, TenderNotFound, TenderSkeleton } from '../../features/tender/TenderPlaceholders.tsx';
import { TenderView } from '../../features/tender/TenderView.tsx';
import { useLookUp, useOfflineTender } from '../../offline/queries/useOfflineTender.ts';
import { WhenNear } from '../../ui/display/WhenNear.tsx';
import { LazyPart } from '../../ui/feedback/LazyPart.tsx';
import { useShownLocation } from '../../ui/hydration.ts';
import { LazyDialog } from '../../ui/lazy/LazyDialog.tsx';
import { optionalPart } from '../../ui/lazy/optional-part.ts';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { PaymentReturnDialog } from '../payment/PaymentReturnDialog.tsx';
import type { SavedStateLineProps } from './SavedStateLine.tsx';
import { TenderActions } from './TenderActions.tsx';
import css from './Tenders.module.css';
import { useTenderDocuments } from './useTenderDocuments.ts';

// The figures are requested when the reader scrolls near.
const OfficeBlock = optionalPart(async () => (await import('../../features/awards/OfficeBlock.tsx')).OfficeBlock);

const SavedStateLine = optionalPart<SavedStateLineProps>(
  async () => (await import('./SavedStateLine.tsx')).SavedStateLine,
);

const loadDocumentPurchase = async () => (await import('../payment/DocumentPurchase.tsx')).DocumentPurchase;

const loadRequestDialog = async () => (await import('../../features/documents/RequestDialog.tsx')).RequestDialog;

const loadBidPreparation = async () => (await import('./BidPreparation.tsx')).BidPreparation;

/**
 * Loads the checklist's code and the database of its marks. Failures are ignored here: the checklist loads
 * both again and reports them.
 */
const prepareChecklist = () =>
  loadBeforePreloads(() => Promise.all([loadBidPreparation(), withDatabase(async () => undefined)]));

function tenderDescription(tender: Tender): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  return `Closes ${closing}. ${tender.org_name}, ${[districtsText(tender), tender.state].filter(Boolean).join(', ')}.`;
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
  usePreloadWhenUsed(loadBidPreparation);
  const documents = useTenderDocuments(tender, now, isOwned || paidOrder !== null);
  const isInDialog = ['owned', 'sold', 'free'].includes(documents.action.way);
  usePreload(loadDocumentPurchase, isInDialog);
  usePreload(loadRequestDialog, documents.action.way === 'ask');
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
        checklist={<LazyPart load={loadBidPreparation} name="the checklist" part={{ tender, now }} />}
        onDocuments={open}
      >
        <WhenNear>
          <OfficeBlock tender={tender} />
        </WhenNear>
        <div className={`xs muted ${css.saved}`}>
          <WhenNear>
            <SavedStateLine state={tender.state} now={now} />
          </WhenNear>
        </div>
      </TenderView>
      {isBuying && documents.action.way !== 'demonstration' && (
        <LazyDialog
          load={loadDocumentPurchase}
          title="Tender documents"
          dialog={{
            tender,
            onAsk: () => {
              onBuying(false);
              documents.ask();
            },
            onClose: () => onBuying(false),
          }}
        />
      )}
      {documents.isAsking && (
        <LazyDialog
          load={loadRequestDialog}
          title="Ask for the documents"
          dialog={{ onAsk: (email) => void documents.send(email), onClose: documents.stopAsking }}
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
    <div className={`page ${css.tight}`}>
      <PageMeta
        title={tender?.title ?? PAGES['/tenders/:id'].title}
        description={tender ? tenderDescription(tender) : PAGES['/tenders/:id'].description}
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
      {hasNoNetwork && <NoNetwork missing="This tender" search={null} heading="h1" error={error} onRetry={reload} />}
      {!tender && error !== undefined && isGone && <TenderNotFound />}
      {!tender && !hasNoNetwork && error !== undefined && !isGone && (
        <TenderError error={error} onBack={goBack} onRetry={reload} />
      )}
      {tender && hash === '#calendar' && (
        <CalendarDialog tender={tender} now={now} onClose={() => void navigate({ search }, { replace: true, state })} />
      )}
      <PaymentReturnDialog key={id} onRetry={() => setIsBuying(true)} />
    </div>
  );
}
