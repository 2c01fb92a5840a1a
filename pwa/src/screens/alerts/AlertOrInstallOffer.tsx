import { useEffect, useState } from 'react';
import { AlertOffer, useIsAlertOfferDue } from '../../features/alerts/settings/AlertOffer.tsx';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { InstallOffer } from '../../features/install/InstallOffer.tsx';
import { useSavedSearches } from '../../features/searches/useSavedSearches.ts';

/**
 * The offer at the bottom of the page. It offers alerts when there are bookmarks or searches, otherwise the
 * installation. One offer per visit.
 */
export function AlertOrInstallOffer() {
  const hasBookmark = useBookmarkStore(({ ids }) => ids.size > 0);
  const { searches } = useSavedSearches();
  const hasReason = hasBookmark || (searches !== undefined && searches.length > 0);
  const isOffered = useIsAlertOfferDue(hasReason);
  const [wasOffered, setWasOffered] = useState(false);
  useEffect(() => {
    if (isOffered) setWasOffered(true);
  }, [isOffered]);
  if (isOffered) return <AlertOffer />;
  return wasOffered ? null : <InstallOffer hasBookmark={hasBookmark} />;
}
