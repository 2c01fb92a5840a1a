import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { placeName } from '@nivida/contract/regions/states';
import { useEffect, useRef } from 'react';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { useBookmarkedTenders, useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import type { BookmarkedTender } from '../../features/bookmarks/bookmarked-tenders.ts';
import { ClosingBadge, ClosingGauge } from '../../features/results/cards/ClosingBadge.tsx';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { listText } from '../../features/share/list-text.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { useOnline, useShownLocation } from '../../ui/browser-state.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { optionalPart } from '../../ui/lazy/lazy.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './BookmarkCards.module.css';
import { cardBookmark } from './TenderBookmarkButton.tsx';

/** Loaded later, below the bookmarks. */
export const LazyAddListLine = optionalPart(async () => (await import('../added-list/AddListLine.tsx')).AddListLine);

function BookmarkCard({ bookmark: { id, needsSignIn, tender }, now }: { bookmark: BookmarkedTender; now: Date }) {
  const isOnline = useOnline();
  const title = tender?.title ?? t`tender ${id}`;
  return (
    <li>
      <h3 lang={tender ? langOf(tender.title) : undefined}>{tender?.title ?? t`Tender ${id}`}</h3>
      {tender && <div className={css.bookmark}>{cardBookmark(tender)}</div>}
      {!tender && (
        <p className={css.text}>
          {isOnline ? t`Details are not on this phone yet.` : t`Details load when you are online.`}
        </p>
      )}
      {tender?.description && tender.description !== tender.title && (
        <p className={css.text} lang={langOf(tender.description)}>
          {tender.description}
        </p>
      )}
      <div className={css.end}>
        <div className={css.facts}>
          {tender && <span>{placeName(tender.state)}</span>}
          {needsSignIn && <strong>{t`Sign in to sync`}</strong>}
          {tender && <ClosingGauge tender={tender} now={now} />}
          {tender && <ClosingBadge tender={tender} now={now} />}
        </div>
        <ButtonLink to={`/tenders/${id}`}>
          <Trans>
            View Details<span className="sr"> of {title}</span>
          </Trans>
        </ButtonLink>
      </div>
    </li>
  );
}

/** The bookmarks as cards with closing badge and gauge, and a button that copies them as a message. */
export function BookmarkCards({ bookmarks }: { bookmarks: readonly BookmarkedTender[] }) {
  const now = useNow();
  const tenders = bookmarks.flatMap(({ tender }) => tender ?? []);
  return (
    <>
      <ul className={css.cards}>
        {bookmarks.map((bookmark) => (
          <BookmarkCard key={bookmark.id} bookmark={bookmark} now={now} />
        ))}
      </ul>
      {tenders.length > 0 && (
        <div className="under-list">
          <CopyListButton
            makeText={(origin) =>
              listText({ title: t`Bookmarked tenders`, tenders, total: tenders.length, path: null }, origin, now)
            }
          />
        </div>
      )}
    </>
  );
}

/** "Saved on this phone": the bookmarks of signed-out visitors (R39), at `/tenders#saved`. */
export function BookmarksOnDevice() {
  const isPending = useShownLocation().hash === '#saved';
  const count = useBookmarkStore(({ ids }) => ids.size);
  return count === 0 && !isPending ? null : <SavedOnDevice />;
}

function SavedOnDevice() {
  const location = useShownLocation();
  const needsSignIn = useBookmarkStore((saved) => saved.needsSignIn);
  const { bookmarks, error } = useBookmarkedTenders();
  const isRead = bookmarks !== undefined;
  const section = useRef<HTMLElement>(null);

  // The router scrolls before the list has loaded and has its height, so this scrolls again. A second click
  // on the same link is another location.
  useEffect(() => {
    if (location.hash === '#saved' && isRead) section.current?.scrollIntoView();
  }, [location, isRead]);

  return (
    <section id="saved" ref={section} aria-labelledby="saved-title" className="stack">
      <h2 id="saved-title">{t`Saved on this phone`}</h2>
      {needsSignIn ? (
        <Note tone="amber" icon="phone">
          {t`Your session has ended. Sign in to sync: until then these stay on this phone.`}
        </Note>
      ) : (
        <p className="s muted">{t`They open without a connection. Sign in to have them on all your devices.`}</p>
      )}
      {!isRead && error === undefined && <Spinner label={t`Loading saved tenders`} isScreen />}
      {error !== undefined && <Note icon="warning">{t`${storageProblem()}, so bookmarks cannot be saved.`}</Note>}
      {isRead && bookmarks.length > 0 && <BookmarkCards bookmarks={bookmarks} />}
      {bookmarks?.length === 0 && <p>{t`No bookmarked tenders found.`}</p>}
      {isRead && <LazyAddListLine />}
    </section>
  );
}
