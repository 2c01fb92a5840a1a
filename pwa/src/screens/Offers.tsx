import { AlertOffer, useIsOffered } from '../features/alerts/AlertOffer.tsx';
import { useSaved } from '../features/bookmarks/saved.ts';
import { InstallOffer } from '../features/install/InstallOffer.tsx';
import { useSavedSearches } from '../features/searches/useSavedSearches.ts';

/** What is offered over the foot of the page, one after the other: alerts for what is kept, then the home screen. */
export function Offers() {
  const hasBookmark = useSaved(({ ids }) => ids.size > 0);
  const { searches } = useSavedSearches();
  const hasReason = hasBookmark || (searches !== undefined && searches.length > 0);
  return useIsOffered(hasReason) ? <AlertOffer hasReason={hasReason} /> : <InstallOffer hasBookmark={hasBookmark} />;
}
