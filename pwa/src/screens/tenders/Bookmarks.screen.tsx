import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect } from 'react';
import { DatabaseUnavailableError, storageProblem } from '../../data/device/database.ts';
import { sendsLaterText } from '../../data/outbox/background-sync.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useBookmarkedTenders, useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { BookmarkCards, LazyAddListLine } from './BookmarkCards.tsx';

function bookmarksErrorText(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return t`${storageProblem()}, so bookmarks cannot be saved.`;
  return errorMessage(error, t`Failed to fetch bookmarked tenders`);
}

/** The number of pending changes of bookmarks. Renders nothing when there are none. */
function PendingBookmarksNote() {
  const waiting = useBookmarkStore((saved) => saved.waiting);
  const isOnline = useOnline();
  if (waiting === 0) return null;
  return (
    <Note icon="phone">
      {plural(waiting, { one: '# change saved on this phone.', other: '# changes saved on this phone.' })}{' '}
      {isOnline ? t`Not sent yet.` : sendsLaterText()}
    </Note>
  );
}

/** `/bookmarks`: the signed-in user's bookmarks, first from the device, then synced with the server. */
export function Bookmarks() {
  const { bookmarks, error: readError } = useBookmarkedTenders();
  const refreshError = useBookmarkStore((saved) => saved.error);
  const isRefreshing = useBookmarkStore((saved) => saved.isRefreshing);
  const isOnline = useOnline();
  const isEmpty = bookmarks?.length === 0;
  // The bar above shows that the device is offline. Only an empty screen says it here too.
  const error = readError ?? (isOnline || isEmpty ? refreshError : undefined);
  const isWaiting = !bookmarks && readError === undefined;

  useEffect(() => {
    void import('../../features/bookmarks/bookmark-sync.ts').then(({ refreshBookmarks }) => refreshBookmarks());
  }, []);

  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/bookmarks'])} />
      <div className="column stack">
        <h1>{t`Bookmarked tenders`}</h1>
        {error !== undefined && (
          <Note tone="red" icon="warning" alert>
            {bookmarksErrorText(error)}
          </Note>
        )}
        <PendingBookmarksNote />
        {(isWaiting || (isEmpty && isRefreshing)) && <Spinner label={t`Loading bookmarked tenders`} isScreen />}
        {isEmpty && !isRefreshing && error === undefined && (
          <EmptyState
            title={t`No bookmarked tenders found.`}
            actions={
              <ButtonLink look="main" to="/tenders">
                {t`View Tenders`}
              </ButtonLink>
            }
          >
            <Trans>
              Tap the bookmark to save a tender. It stays on this phone without a connection and after it closes.
            </Trans>
          </EmptyState>
        )}
        {bookmarks && bookmarks.length > 0 && <BookmarkCards bookmarks={bookmarks} />}
        {bookmarks && <LazyAddListLine />}
      </div>
    </div>
  );
}
