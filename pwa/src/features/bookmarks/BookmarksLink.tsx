import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import css from '../../ui/display/count-link.module.css';
import { Icon } from '../../ui/display/Icon.tsx';
import { useBookmarkStore } from './bookmark-store.ts';

/** A link to the bookmarks with their number: `/bookmarks` signed in, `/tenders#saved` signed out (R39). */
export function BookmarksLink({ look }: { look: 'icon' | 'line' }) {
  const to = useSession() ? '/bookmarks' : '/tenders#saved';
  const count = useBookmarkStore(({ ids }) => ids.size);
  if (look === 'line') {
    return (
      <Link to={to} className={css.line}>
        Bookmarked tenders {count > 0 && <span className={css.count}>{count}</span>}
      </Link>
    );
  }
  return (
    <Link to={to} className={css.icon} aria-label={count > 0 ? `Bookmarked tenders: ${count}` : 'Bookmarked tenders'}>
      <Icon name="bookmark" />
      {count > 0 && (
        <span className={css.count} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}
