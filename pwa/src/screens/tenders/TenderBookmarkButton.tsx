import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { ComponentProps } from 'react';
import { BookmarkButton } from '../../features/bookmarks/BookmarkButton.tsx';
import { findTenderOnDevice } from '../../offline/packs/local-engines.ts';

/**
 * The bookmark button. The bookmarked tender is stored from a pack on the device, or requested from the
 * server.
 */
export function TenderBookmarkButton(props: Omit<ComponentProps<typeof BookmarkButton>, 'find'>) {
  return <BookmarkButton {...props} find={findTenderOnDevice} />;
}

/** The bookmark button in the corner of a tender's card. */
export const cardBookmark = (tender: TenderSummary) => <TenderBookmarkButton tender={tender} look="card" />;
