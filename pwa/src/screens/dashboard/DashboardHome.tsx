import { Link } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { useSite } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { greetingFor } from '../../features/profile/greeting.ts';
import { useInterests } from '../../features/profile/interests.ts';
import { SavedSearchList } from '../../features/searches/SavedSearchList.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { useSearchesWithHits } from '../tenders/SavedSearches.tsx';
import { AlertsBlock } from './AlertsBlock.tsx';
import { DashboardBlock, EmptyBlock } from './DashboardBlock.tsx';
import css from './DashboardHome.module.css';
import { BookmarkedBlock, ClosingBlock, LatestBlock } from './DashboardTenders.tsx';

const MAX_SEARCHES_SHOWN = 5;

type SearchesWithHits = ReturnType<typeof useSearchesWithHits>;

/** The last saved searches with their new hits. */
function SearchesBlock({ searches, error, hits }: SearchesWithHits) {
  const count = searches?.length ?? 0;
  return (
    <DashboardBlock
      title="Saved searches"
      all={
        count > 0
          ? { to: '/tenders#searches', label: count > MAX_SEARCHES_SHOWN ? `All ${count}` : 'Rename or delete' }
          : undefined
      }
    >
      {!searches && error === undefined && (
        <EmptyBlock>
          <Skeleton>bridge · Solan · closing within 7 days</Skeleton>
        </EmptyBlock>
      )}
      {error !== undefined && <EmptyBlock>This browser blocks storage, so searches cannot be saved.</EmptyBlock>}
      {searches?.length === 0 && (
        <EmptyBlock>None yet. Tap “Save search” above a list: new matches are counted here.</EmptyBlock>
      )}
      {searches && count > 0 && <SavedSearchList searches={searches.slice(0, MAX_SEARCHES_SHOWN)} hits={hits} />}
    </DashboardBlock>
  );
}

function QuickLinks({ searches }: { searches: number | undefined }) {
  const bookmarks = useBookmarkStore(({ ids }) => ids.size);
  return (
    <Panel aria-labelledby="links">
      <div className="head">
        <h2 id="links">Quick links</h2>
      </div>
      <ul className={css.links}>
        <li>
          <Link to="/tenders">Find tenders</Link>
        </li>
        <li>
          <Link to="/bookmarks">
            Bookmarked tenders <b className="num">{bookmarks}</b>
          </Link>
        </li>
        <li>
          <Link to="/tenders#searches">
            Saved searches <b className="num">{searches}</b>
          </Link>
        </li>
        <li>
          <Link to="/pricing">Plans and prices</Link>
        </li>
        <li>
          <Link to="/dashboard/settings">This phone, alerts, sessions and your data</Link>
        </li>
      </ul>
    </Panel>
  );
}

/** `/dashboard`: the greeting, then the user's data on the device, then further links. */
export function DashboardHome() {
  const now = useNow();
  const session = useSession();
  const username = session?.user.username.trim() || 'User';
  const { supportEmail } = useSite();
  const interests = useInterests(session?.user._id ?? '');
  const searches = useSearchesWithHits();
  return (
    <div className={`page ${css.home}`}>
      <PageMeta title="Dashboard" description="Your tenders, account and settings." />
      <h1>
        {greetingFor(now)}, {username}
      </h1>
      <ClosingBlock interests={interests.interests} />
      <BookmarkedBlock />
      <SearchesBlock {...searches} />
      <LatestBlock {...interests} />
      <AlertsBlock />
      <QuickLinks searches={searches.searches?.length} />
      {supportEmail && (
        <div className="row">
          <ButtonLink to={`mailto:${supportEmail}`}>Contact Support</ButtonLink>
        </div>
      )}
    </div>
  );
}
