/** Parts that the public frame and the dashboard's frame share. */
import { firstScreen } from '../../data/first-screen.ts';
import { NoticesLink } from '../../features/alerts/notices/NoticesLink.tsx';
import { BookmarksLink } from '../../features/bookmarks/BookmarksLink.tsx';
import { optionalPart } from '../../ui/lazy/optional-part.ts';

/** The links to the notices and to the bookmarks, each with its count. */
export const savedLinks = (look: 'icon' | 'line') => (
  <>
    <NoticesLink look={look} />
    <BookmarksLink look={look} />
  </>
);

/** The offer of alerts or of the installation. It loads after the first screen. */
export const LazyOffer = optionalPart(async () => {
  await firstScreen;
  return (await import('../alerts/AlertOrInstallOffer.tsx')).AlertOrInstallOffer;
});
