import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import css from './BookmarkList.module.css';
import type { BookmarkedTender } from './bookmarked-tenders.ts';

interface BookmarkListProps {
  bookmarks: readonly BookmarkedTender[];
  /** Renders the closing badge and the gauge of a card. */
  renderClosing: (tender: TenderSummary) => ReactNode;
  renderBookmark: (tender: TenderSummary) => ReactNode;
}

/** The cards of `/bookmarks` and "Saved on this phone". */
export function BookmarkList({ bookmarks, renderClosing, renderBookmark }: BookmarkListProps) {
  const isOnline = useOnline();
  return (
    <ul className={css.cards}>
      {bookmarks.map(({ id, needsSignIn, tender }) => (
        <li key={id}>
          <h3>{tender?.title ?? `Tender ${id}`}</h3>
          {tender && <div className={css.bookmark}>{renderBookmark(tender)}</div>}
          {!tender && (
            <p className={css.text}>
              {isOnline ? 'Details are not on this phone yet.' : 'Details load when you are online.'}
            </p>
          )}
          {tender?.description && tender.description !== tender.title && (
            <p className={css.text}>{tender.description}</p>
          )}
          <div className={css.end}>
            <div className={css.facts}>
              {tender && <span>{tender.state}</span>}
              {needsSignIn && <strong>Sign in to sync</strong>}
              {tender && renderClosing(tender)}
            </div>
            <ButtonLink to={`/tenders/${id}`}>
              View Details<span className="sr"> of {tender?.title ?? `tender ${id}`}</span>
            </ButtonLink>
          </div>
        </li>
      ))}
    </ul>
  );
}
