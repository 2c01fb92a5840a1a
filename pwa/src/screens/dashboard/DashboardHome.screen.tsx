import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { useNow } from '../../data/clock.ts';
import { MAX_OPEN_MS } from '../../data/device/database.ts';
import { Sold, useSellsNothing } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { useAlerts } from '../../features/alerts/alert-state.ts';
import { useNotices } from '../../features/alerts/notices/useNotices.ts';
import { useBookmarkedTenders, useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { useOrders } from '../../features/orders/orders.ts';
import { type InterestsState, useInterests } from '../../features/profile/interests.ts';
import { CardListSkeleton } from '../../features/results/cards/CardList.tsx';
import { scopeName, searchableScopes, usePacks } from '../../offline/packs/pack-status.ts';
import { areaPath, useClosingSoon } from '../../offline/queries/useLatestTenders.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { proposeState } from '../home/chosen-state.ts';
import { DashboardNotes, PreparingBlock } from '../lazy-blocks.ts';
import { useSearchesWithHits } from '../tenders/SavedSearches.tsx';
import { AlertsBlock } from './AlertsBlock.tsx';
import css from './DashboardHome.module.css';
import {
  BookmarkedBlock,
  CLOSING_SOON_HOURS,
  ClosingBlock,
  LatestBlock,
  MAX_CLOSING_SOON,
  NextClosingBlock,
} from './DashboardTenders.tsx';
import { accountText, greetingFor } from './dashboard.ts';
import { SearchesBlock } from './SearchesBlock.tsx';

const MAX_LATEST = 5;
const MAX_LATEST_ON_HOME = 3;

/** The plan or trial, and the states on this device. Empty while nothing is known. */
function AccountLine({ userId }: { userId: string }) {
  const plan = useOrders(userId).answer?.plan ?? null;
  const states = usePacks(useShallow(searchableScopes)).map(scopeName);
  return <p className={`xs muted ${css.account}`}>{accountText(useSellsNothing() ? null : plan, states)}</p>;
}

function QuickLinks({ searches }: { searches: number | undefined }) {
  const bookmarks = useBookmarkStore(({ ids }) => ids.size);
  return (
    <Panel aria-labelledby="links">
      <div className="head">
        <h2 id="links">{t`Quick links`}</h2>
      </div>
      <ul className={css.links}>
        <li>
          <Link to="/tenders">{t`Find tenders`}</Link>
        </li>
        <li>
          <Link to="/bookmarks">
            <Trans>
              Bookmarked tenders <b className="num">{bookmarks}</b>
            </Trans>
          </Link>
        </li>
        <li>
          <Link to="/tenders#searches">
            <Trans>
              Saved searches <b className="num">{searches}</b>
            </Trans>
          </Link>
        </li>
        <li>
          <Link to="/dashboard/documents">{t`Document vault`}</Link>
        </li>
        <li>
          <Link to="/dashboard/applications">{t`My bids and what is missing`}</Link>
        </li>
        <li>
          <Link to="/dashboard/analytics">{t`Analytics: EMD that is locked or overdue`}</Link>
        </li>
        <Sold>
          <li>
            <Link to="/pricing">{t`Plans and prices`}</Link>
          </li>
        </Sold>
        <li>
          <Link to="/dashboard/settings">{t`This phone, alerts, sessions and your data`}</Link>
        </li>
      </ul>
    </Panel>
  );
}

/** First steps for a user without data. It replaces one empty block for each kind of data. */
function StartBlock({ interests }: Pick<InterestsState, 'interests'>) {
  const alerts = useAlerts(({ state }) => state);
  return (
    <Panel aria-labelledby="start">
      <div className="head">
        <h2 id="start">{t`Start here`}</h2>
      </div>
      <ol className={css.steps}>
        <li>{t`Tap the bookmark on a tender. It stays on this phone, also without a connection.`}</li>
        <li>{t`Tap “Save search” above a list. New matches are counted here.`}</li>
        {alerts !== 'on' && (
          <li>
            <Trans>
              <Link to="/notices">Turn on alerts</Link>. You are told before a saved tender closes.
            </Trans>
          </li>
        )}
      </ol>
      <div className="row">
        <ButtonLink look="main" to={interests ? areaPath(interests) : '/tenders'}>
          {t`Find tenders`}
        </ButtonLink>
      </div>
    </Panel>
  );
}

/** True from the moment when `isRead` was first true, or when the app no longer waits for its database. */
function useIsShown(isRead: boolean): boolean {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (isRead) setIsShown(true);
    const timer = setTimeout(() => setIsShown(true), MAX_OPEN_MS);
    return () => clearTimeout(timer);
  }, [isRead]);
  return isShown;
}

/** The value, or nothing if it was unknown when the page was shown: a part that comes later would move the others. */
function useKnownWhenShown<T>(value: T | undefined, isShown: boolean): T | undefined {
  const [isLate, setIsLate] = useState(false);
  if (isShown && value === undefined && !isLate) setIsLate(true);
  return isLate ? undefined : value;
}

/** `/dashboard`: the greeting, the user's data on the device, and further links. */
export function DashboardHome() {
  const now = useNow();
  const session = useSession();
  const username = session?.user.username.trim() || t`User`;
  const interests = useInterests(session?.user._id ?? '');
  const searches = useSearchesWithHits();
  const hasBookmarks = useBookmarkStore(({ ids }) => ids.size > 0);
  const { notices, error: noticesError } = useNotices();
  const { bookmarks, error: bookmarksError } = useBookmarkedTenders();
  const closings = useClosingSoon(interests.interests, CLOSING_SOON_HOURS, MAX_CLOSING_SOON, now);
  const [areNotesRead, setAreNotesRead] = useState(false);
  const onNotesRead = useCallback(() => setAreNotesRead(true), []);
  // All are shown together, so that nothing moves while the device is read.
  const isShown = useIsShown(
    areNotesRead &&
      (interests.interests !== undefined || interests.error !== undefined) &&
      !closings.isWaiting &&
      (bookmarks !== undefined || bookmarksError !== undefined) &&
      (searches.searches !== undefined || searches.error !== undefined) &&
      (notices !== undefined || noticesError !== undefined),
  );
  const closingsOfState = useKnownWhenShown(closings.value, isShown);
  const isNew = !hasBookmarks && !searches.searches?.length && searches.error === undefined && !notices?.length;
  const latest = <LatestBlock title={t`Latest tenders`} limit={MAX_LATEST} {...interests} />;
  return (
    <div className={`page ${css.home}`}>
      <PageMeta {...pageText(PAGES['/dashboard'])} />
      <div>
        <h1>
          {greetingFor(now)}, {username}
        </h1>
        <AccountLine userId={session?.user._id ?? ''} />
      </div>
      {!isShown && (
        <div className={css.reading}>
          <CardListSkeleton count={MAX_LATEST} />
        </div>
      )}
      <div className={css.home} hidden={!isShown}>
        <DashboardNotes now={now} onRead={onNotesRead} />
        <ClosingBlock interests={interests.interests} ofState={closingsOfState} isShownEmpty={!isNew} />
        {isNew ? (
          <>
            {searches.searches && <StartBlock interests={interests.interests} />}
            {latest}
          </>
        ) : (
          <>
            <BookmarkedBlock />
            <SearchesBlock {...searches} />
            {latest}
            <AlertsBlock />
          </>
        )}
        <QuickLinks searches={searches.searches?.length} />
        <div className="row">
          <ButtonLink to="/dashboard/support">{t`Contact Support`}</ButtonLink>
        </div>
      </div>
    </div>
  );
}

/**
 * A user's parts of home, from the device where possible: the user's districts and departments, saved
 * searches, bookmarked tenders and bids in preparation. It is in this chunk because it shares the dashboard's
 * code. Today's closings are those of the user's state, unless the user has chosen another state.
 */
export function UserHome() {
  const userId = useSession()?.user._id ?? '';
  const interests = useInterests(userId);
  const state = interests.interests?.state ?? '';
  const searches = useSearchesWithHits();
  useEffect(() => {
    if (state !== '') proposeState(userId, state);
  }, [userId, state]);
  return (
    <div className={css.home}>
      <LatestBlock title={t`Latest in your districts and departments`} limit={MAX_LATEST_ON_HOME} {...interests} />
      <SearchesBlock {...searches} />
      <NextClosingBlock />
      {/* It is last because it appears late, when its checklist is read. So nothing moves under the
          finger. */}
      <PreparingBlock />
    </div>
  );
}
