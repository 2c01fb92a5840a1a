import { useMemo } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { pageForShare, parseReceivedShare } from '../../features/share/received-share.ts';

/** Opens text that another app has shared: a tender, the search for one, or the form with the words. */
export function ShareTarget() {
  const [params] = useSearchParams();
  // Memoized: this component renders until the code of the target page is loaded, and a new state object
  // would navigate again each time.
  const target = useMemo(() => {
    const received = parseReceivedShare(params, location.host);
    return {
      to: pageForShare(received),
      state: 'sourceId' in received ? { received: received.sourceId } : null,
    };
  }, [params]);
  return <Navigate {...target} replace />;
}
