import type { TenderSummary } from '@nivida/contract/tender';
import { messageOf } from '../data/api.ts';
import { useNow } from '../data/clock.ts';
import { BookmarkButton } from '../features/bookmarks/BookmarkButton.tsx';
import { useSaved } from '../features/bookmarks/saved.ts';
import { type ShownBookmarks, useBookmarkedTenders } from '../features/bookmarks/useBookmarkedTenders.ts';
import type { Interests, ShownInterests } from '../features/profile/interests.ts';
import { CardList, CardListSkeleton } from '../features/tenders/CardList.tsx';
import { closingFacts } from '../features/tenders/facts.ts';
import { PackOffer } from '../features/tenders/packs/PackOffer.tsx';
import { useClosingSoon, useLatest } from '../features/tenders/packs/useNews.ts';
import { useOnline } from '../ui/useOnline.ts';
import { DashboardBlock, Nothing } from './DashboardBlock.tsx';
import { findTender } from './find-tender.ts';

const FEW = 3;
const LATEST = 5;
const SOON_HOURS = 48;
/** Of a whole state more than these may close within two days; the list has them all. */
const MOST_SOON = 5;

function Cards({ tenders }: { tenders: readonly TenderSummary[] }) {
  const now = useNow();
  return (
    <CardList
      tenders={tenders}
      now={now}
      heading="h3"
      renderBookmark={(tender) => <BookmarkButton tender={tender} find={findTender} look="card" />}
    />
  );
}

const known = ({ bookmarks }: ShownBookmarks): TenderSummary[] =>
  bookmarks?.flatMap(({ tender }) => tender ?? []) ?? [];
const resultsOf = (state: string) => `/tenders/results?${new URLSearchParams({ state })}`;

/** The last bookmarked tenders. */
export function BookmarkedBlock() {
  const shown = useBookmarkedTenders();
  const count = useSaved(({ ids }) => ids.size);
  const tenders = known(shown);
  const isWaiting = !shown.bookmarks && shown.error === undefined;
  return (
    <DashboardBlock
      title="Bookmarked tenders"
      all={count > 0 ? { to: '/bookmarks', label: count > FEW ? `All ${count}` : 'All bookmarks' } : undefined}
    >
      {isWaiting && <CardListSkeleton count={Math.max(1, Math.min(FEW, count))} />}
      {shown.error !== undefined && <Nothing>This browser keeps nothing on this device: bookmarks need that.</Nothing>}
      {shown.bookmarks?.length === 0 && (
        <Nothing>
          None yet. Press the bookmark beside a tender: it then stays on this phone, also without signal.
        </Nothing>
      )}
      {tenders.length > 0 && <Cards tenders={tenders.slice(0, FEW)} />}
      {shown.bookmarks && shown.bookmarks.length > 0 && tenders.length === 0 && (
        <Nothing>Their details come when there is signal.</Nothing>
      )}
    </DashboardBlock>
  );
}

/** What closes within 48 hours: bookmarked tenders first, then those of the user's state that is on this phone. */
export function ClosingBlock({ interests }: { interests: Interests | undefined }) {
  const now = useNow();
  const shown = useBookmarkedTenders();
  const state = interests?.state;
  const ofState = useClosingSoon(state, SOON_HOURS, MOST_SOON, now);
  const until = now.getTime() + SOON_HOURS * 3_600_000;
  const bookmarked = known(shown)
    .filter((tender) => !closingFacts(tender, now).isOver && Date.parse(tender.closing_date) <= until)
    .sort((one, other) => one.closing_date.localeCompare(other.closing_date));
  const ids = new Set(bookmarked.map(({ _id }) => _id));
  const soon = [...bookmarked, ...(ofState ?? []).filter(({ _id }) => !ids.has(_id))].slice(0, MOST_SOON);
  const isWaiting = !shown.bookmarks && shown.error === undefined;
  const all = state !== undefined && ofState !== undefined && ofState.length > 0;
  return (
    <DashboardBlock
      title="Closing in the next 48 hours"
      all={
        all
          ? { to: `${resultsOf(state)}&within=2&sort=closing_date`, label: 'See all', more: `of ${state}` }
          : undefined
      }
    >
      {isWaiting && <CardListSkeleton count={1} />}
      {soon.length > 0 && <Cards tenders={soon} />}
      {!isWaiting && soon.length === 0 && (
        <Nothing>
          {ofState === undefined
            ? 'None of your bookmarked tenders.'
            : `None of your bookmarked tenders, and none of ${state}.`}
        </Nothing>
      )}
    </DashboardBlock>
  );
}

/** The five latest tenders of the user's state and departments. */
export function LatestBlock({ interests, error: interestsError, reload: reloadInterests }: ShownInterests) {
  const now = useNow();
  const isOnline = useOnline();
  const { tenders, error: listError, reload } = useLatest(interests ?? null, LATEST, now);
  const state = interests?.state ?? '';
  const error = interestsError ?? listError;
  const retry = interests ? reload : reloadInterests;
  return (
    <DashboardBlock
      title="Latest tenders"
      all={interests ? { to: resultsOf(state), label: 'See all', more: `of ${state}` } : undefined}
    >
      {!tenders && error === undefined && <CardListSkeleton count={LATEST} />}
      {!tenders && error !== undefined && (
        <Nothing onRetry={retry}>
          {isOnline
            ? messageOf(error, 'Failed to fetch tenders. Please try again later.')
            : 'Without signal they can be shown once all tenders of your state are on this phone.'}
        </Nothing>
      )}
      {tenders?.length === 0 && <Nothing>Nothing of your departments is open in {state} now.</Nothing>}
      {tenders && tenders.length > 0 && <Cards tenders={tenders} />}
      {interests && <PackOffer state={state} isListShown={tenders !== undefined} />}
    </DashboardBlock>
  );
}
