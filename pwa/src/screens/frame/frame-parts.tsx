/** Parts that the public frame and the dashboard's frame share. */
import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { NoticesLink } from '../../features/alerts/notices/NoticesLink.tsx';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { TestModeBanner } from '../../features/orders/payment/TestModeBanner.tsx';
import css from '../../ui/display/count-link.module.css';
import { Icon } from '../../ui/display/Icon.tsx';
import { LateBanners } from '../lazy.tsx';

/** A link to the bookmarks with their number: `/bookmarks` signed in, `/tenders#saved` signed out (R39). */
function BookmarksLink({ look }: { look: 'icon' | 'line' }) {
  const to = useSession() ? '/bookmarks' : '/tenders#saved';
  const count = useBookmarkStore(({ ids }) => ids.size);
  if (look === 'line') {
    return (
      <Link to={to} className={css.line}>
        {t`Bookmarked tenders`} {count > 0 && <span className={css.count}>{count}</span>}
      </Link>
    );
  }
  return (
    <Link to={to} className={css.icon} aria-label={count > 0 ? t`Bookmarked tenders: ${count}` : t`Bookmarked tenders`}>
      <Icon name="bookmark" />
      {count > 0 && (
        <span className={css.count} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}

/** The links to the notices and to the bookmarks, each with its count. */
export const savedLinks = (look: 'icon' | 'line') => (
  <>
    <NoticesLink look={look} />
    <BookmarksLink look={look} />
  </>
);

/** The banners at the top of every page. They are part of the page's flow, so they cover nothing. */
export const paymentBanners = (
  <>
    <TestModeBanner />
    <LateBanners />
  </>
);
