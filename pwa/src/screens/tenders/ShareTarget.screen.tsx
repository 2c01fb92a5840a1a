import { useMemo } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { pageForShare, parseReceivedShare } from '../../features/share/received-share.ts';

/** Opens text shared by another app: a tender, the search for one, or the form with the words. */
export function ShareTarget() {
  const [params] = useSearchParams();
  // Another state would be another navigation, in each render until the code of the page is loaded.
  const target = useMemo(() => {
    const received = parseReceivedShare(params, location.host);
    return {
      to: pageForShare(received),
      state: 'sourceId' in received ? { received: received.sourceId } : null,
    };
  }, [params]);
  return <Navigate {...target} replace />;
}
