import { PAGES } from '@nivida/contract/pages';
import { useEffect } from 'react';
import { messageOf } from '../data/api.ts';
import { DeviceUnavailable } from '../data/device.ts';
import { useSaved } from '../features/bookmarks/saved.ts';
import { useBookmarkedTenders } from '../features/bookmarks/useBookmarkedTenders.ts';
import { WaitingNote } from '../features/bookmarks/WaitingNote.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Note } from '../ui/Note.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useOnline } from '../ui/useOnline.ts';
import { BookmarkCards } from './BookmarkCards.tsx';
import { SignedInOnly } from './SignedInOnly.tsx';

const FAILED = 'Failed to fetch bookmarked tenders';

function failureOf(error: unknown): string {
  if (error instanceof DeviceUnavailable) return 'This browser keeps nothing on this device: bookmarks need that.';
  return messageOf(error, FAILED);
}

/** The signed-in user's bookmarks, from the device first; the server's set is received behind them. */
function BookmarkedTenders() {
  const { bookmarks, error: readError } = useBookmarkedTenders();
  const refreshError = useSaved((saved) => saved.error);
  const isRefreshing = useSaved((saved) => saved.isRefreshing);
  const isOnline = useOnline();
  const isEmpty = bookmarks?.length === 0;
  // offline the bar above says it already, unless nothing at all can be shown
  const error = readError ?? (isOnline || isEmpty ? refreshError : undefined);
  const isWaiting = !bookmarks && readError === undefined;

  useEffect(() => {
    void import('../features/bookmarks/wishes.ts').then(({ refreshBookmarks }) => refreshBookmarks());
  }, []);

  return (
    <div className="page">
      <PageHead {...PAGES['/bookmarks']} />
      <div className="column stack">
        <h1>Bookmarked tenders</h1>
        {error !== undefined && (
          <Note tone="red" icon="warning" alert>
            {failureOf(error)}
          </Note>
        )}
        <WaitingNote />
        {(isWaiting || (isEmpty && isRefreshing)) && <Spinner label="Loading bookmarked tenders" />}
        {isEmpty && !isRefreshing && error === undefined && (
          <EmptyState
            title="No bookmarked tenders found."
            actions={
              <ButtonLink look="main" to="/tenders">
                View Tenders
              </ButtonLink>
            }
          >
            Press the bookmark beside a tender: it then stays on this phone, also without signal and after it closes.
          </EmptyState>
        )}
        {bookmarks && bookmarks.length > 0 && <BookmarkCards bookmarks={bookmarks} />}
      </div>
    </div>
  );
}

/** `/bookmarks`. */
export function Bookmarks() {
  return (
    <SignedInOnly>
      <BookmarkedTenders />
    </SignedInOnly>
  );
}
