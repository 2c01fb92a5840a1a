import { NoticesLink } from '../../features/alerts/notices/NoticesLink.tsx';
import { BookmarksLink } from '../../features/bookmarks/BookmarksLink.tsx';

/** The links to the notices and the bookmarks, each with its count. */
export function NoticeAndBookmarkLinks({ look }: { look: 'icon' | 'line' }) {
  return (
    <>
      <NoticesLink look={look} />
      <BookmarksLink look={look} />
    </>
  );
}
