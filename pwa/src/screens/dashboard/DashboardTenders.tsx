import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { HOUR_MS } from '@nivida/contract/time';
import { useEffect, useState } from 'react';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useIsStalled } from '../../data/server/reachability.ts';
import {
  type BookmarkedTendersState,
  useBookmarkedTenders,
  useBookmarkStore,
} from '../../features/bookmarks/bookmark-store.ts';
import { PackOffer } from '../../features/on-this-phone/PackOffer.tsx';
import type { Interests, InterestsState } from '../../features/profile/interests.ts';
import { CardList, CardListSkeleton } from '../../features/results/cards/CardList.tsx';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { listText } from '../../features/share/list-text.ts';
import { closingFacts } from '../../features/tender/labels.ts';
import { areaPath, useLatestTenders } from '../../offline/queries/useLatestTenders.ts';
import { useOnline } from '../../ui/browser-state.ts';
import { cardBookmark } from '../tenders/TenderBookmarkButton.tsx';
import { DashboardBlock, EmptyBlock } from './DashboardBlock.tsx';
import { nextClosing } from './dashboard.ts';

const MAX_BOOKMARKS_SHOWN = 3;
/** "Closing soon" on the dashboard. */
export const CLOSING_SOON_HOURS = 48;
/** Maximum number of shown tenders. The linked list has all tenders that close within two days. */
export const MAX_CLOSING_SOON = 5;

interface TenderCardsProps {
  /** The heading of the copied text. */
  title: string;
  tenders: readonly TenderSummary[];
  /** The address of the whole list. Null for a list that only this device has. */
  path: string | null;
}

/** A short list of tenders, with a button that copies it as a message. */
function TenderCards({ title, tenders, path }: TenderCardsProps) {
  const now = useNow();
  const makeText = (origin: string) => listText({ title, tenders, total: tenders.length, path }, origin, now);
  return (
    <>
      <CardList tenders={tenders} now={now} heading="h3" renderBookmark={cardBookmark} />
      <div className="under-list">
        <CopyListButton makeText={makeText} />
      </div>
    </>
  );
}

const knownTenders = ({ bookmarks }: BookmarkedTendersState): TenderSummary[] =>
  bookmarks?.flatMap(({ tender }) => tender ?? []) ?? [];

/**
 * Maximum time for loading the details of new bookmarks. After it, loading has failed or the portal has
 * withdrawn the tender.
 */
const MAX_DETAILS_MS = 10_000;

function useIsLate(): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), MAX_DETAILS_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** The tenders that the user bookmarked last. */
export function BookmarkedBlock() {
  const isOnline = useOnline();
  const bookmarkState = useBookmarkedTenders();
  const count = useBookmarkStore(({ ids }) => ids.size);
  const tenders = knownTenders(bookmarkState);
  const isUnknown = bookmarkState.bookmarks !== undefined && count > 0 && tenders.length === 0;
  const isLate = useIsLate();
  const areDetailsComing = isUnknown && isOnline && !isLate;
  const isWaiting = bookmarkState.error === undefined && (!bookmarkState.bookmarks || areDetailsComing);
  return (
    <DashboardBlock
      title={t`Bookmarked tenders`}
      all={
        count > 0
          ? { to: '/bookmarks', label: count > MAX_BOOKMARKS_SHOWN ? t`All ${count}` : t`All bookmarks` }
          : undefined
      }
    >
      {isWaiting && <CardListSkeleton count={Math.max(1, Math.min(MAX_BOOKMARKS_SHOWN, count))} />}
      {bookmarkState.error !== undefined && (
        <EmptyBlock>{t`${{ problem: storageProblem() }}, so bookmarks cannot be saved.`}</EmptyBlock>
      )}
      {bookmarkState.bookmarks?.length === 0 && (
        <EmptyBlock>
          <Trans>None yet. Tap the bookmark to save a tender on this phone, also for use without a connection.</Trans>
        </EmptyBlock>
      )}
      {tenders.length > 0 && (
        <TenderCards title={t`Bookmarked tenders`} tenders={tenders.slice(0, MAX_BOOKMARKS_SHOWN)} path={null} />
      )}
      {isUnknown && !areDetailsComing && (
        <EmptyBlock>
          {isOnline ? t`The details could not be loaded yet.` : t`Details load when you are online.`}
        </EmptyBlock>
      )}
    </DashboardBlock>
  );
}

/** Bookmarked tenders that are still open, soonest closing first. */
export function NextClosingBlock() {
  const now = useNow();
  const { bookmarks, error } = useBookmarkedTenders();
  const next = bookmarks && nextClosing(bookmarks, now);
  const title = t`Bookmarks that close next`;
  return (
    <DashboardBlock
      title={title}
      all={bookmarks && bookmarks.length > 0 ? { to: '/bookmarks', label: t`All bookmarks` } : undefined}
    >
      {!next && error === undefined && <CardListSkeleton count={1} />}
      {next && next.open.length > 0 && (
        <TenderCards title={title} tenders={next.open.slice(0, MAX_BOOKMARKS_SHOWN)} path={null} />
      )}
      {next?.emptyText && <EmptyBlock>{next.emptyText}</EmptyBlock>}
      {!next && error !== undefined && (
        <EmptyBlock>{t`${{ problem: storageProblem() }}, so bookmarks cannot be saved.`}</EmptyBlock>
      )}
    </DashboardBlock>
  );
}

const SeeAllOfArea = () => (
  <Trans>
    See all<span className="sr"> of your districts and departments</span>
  </Trans>
);

interface ClosingBlockProps {
  interests: Interests | undefined;
  /** The tenders on this device in the user's districts and departments, soonest first. */
  ofState: readonly TenderSummary[] | undefined;
  isShownEmpty: boolean;
}

/** Tenders that close within 48 hours: bookmarked ones first, then those of the user's districts and departments. */
export function ClosingBlock({ interests, ofState, isShownEmpty }: ClosingBlockProps) {
  const now = useNow();
  const bookmarkState = useBookmarkedTenders();
  const until = now.getTime() + CLOSING_SOON_HOURS * HOUR_MS;
  const bookmarked = knownTenders(bookmarkState)
    .filter((tender) => !closingFacts(tender, now).isOver && Date.parse(tender.closing_date) <= until)
    .sort((one, other) => one.closing_date.localeCompare(other.closing_date));
  const ids = new Set(bookmarked.map(({ _id }) => _id));
  const soon = [...bookmarked, ...(ofState ?? []).filter(({ _id }) => !ids.has(_id))].slice(0, MAX_CLOSING_SOON);
  const isWaiting = !bookmarkState.bookmarks && bookmarkState.error === undefined;
  const hasMore = ofState !== undefined && ofState.length > 0;
  if (soon.length === 0 && !isShownEmpty) return null;
  if (soon.length === 0 && !isWaiting)
    return <p className="s muted">{t`No bookmarked tender closes in the next 48 hours.`}</p>;
  return (
    <DashboardBlock
      title={t`Closing in the next 48 hours`}
      all={
        interests && hasMore
          ? { to: `${areaPath(interests)}&within=2&sort=closing_date`, label: <SeeAllOfArea /> }
          : undefined
      }
    >
      {isWaiting && <CardListSkeleton count={1} />}
      {soon.length > 0 && <TenderCards title={t`Closing in the next 48 hours`} tenders={soon} path={null} />}
    </DashboardBlock>
  );
}

interface LatestBlockProps extends InterestsState {
  title: string;
  limit: number;
}

/** The latest tenders in the user's districts and departments. */
export function LatestBlock({
  title,
  limit,
  interests,
  error: interestsError,
  reload: reloadInterests,
}: LatestBlockProps) {
  const now = useNow();
  const isOnline = useOnline();
  const { tenders, error: listError, isLoading, reload } = useLatestTenders(interests ?? null, limit, now);
  const state = interests?.state ?? '';
  const error = interestsError ?? listError;
  const retry = interests ? reload : reloadInterests;
  const area = interests ? areaPath(interests) : 'interests';
  const isStalled = useIsStalled(isLoading || (!interests && interestsError === undefined) ? area : null);
  return (
    <DashboardBlock title={title} all={interests ? { to: areaPath(interests), label: <SeeAllOfArea /> } : undefined}>
      {!tenders && error === undefined && !isStalled && <CardListSkeleton count={limit} />}
      {isStalled && <EmptyBlock onRetry={retry}>{t`The network is not responding. Nivida keeps trying.`}</EmptyBlock>}
      {!tenders && error !== undefined && (
        <EmptyBlock onRetry={retry}>
          {isOnline
            ? errorMessage(error, t`Failed to fetch tenders. Please try again later.`)
            : t`To see them without a connection, first save your state on this phone.`}
        </EmptyBlock>
      )}
      {tenders?.length === 0 && <EmptyBlock>{t`No open tenders in your districts and departments.`}</EmptyBlock>}
      {interests && tenders && tenders.length > 0 && (
        <TenderCards title={title} tenders={tenders} path={areaPath(interests)} />
      )}
      {interests && <PackOffer state={state} isListShown={tenders !== undefined} />}
    </DashboardBlock>
  );
}
