import { useMemo } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { pageForShare, parseReceivedShare } from '../../features/share/received-share.ts';

/**
 * Opens text that another app has shared: a tender, the search for one, a list of tenders, or the form with the words. The
 * fragment has a text that is too long for the query.
 */
export function ShareTarget() {
  const [params] = useSearchParams();
  const { hash } = useLocation();
  // Memoized: this component renders until the code of the target page is loaded, and a new state object
  // would navigate again each time.
  const target = useMemo(() => {
    const shared = new URLSearchParams(params);
    if (hash !== '') shared.set('text', decodeURIComponent(hash.slice(1)));
    const received = parseReceivedShare(shared, location.host);
    const state = 'sourceId' in received ? { received: received.sourceId } : received;
    return { to: pageForShare(received), state: 'sourceId' in received || 'list' in received ? state : null };
  }, [params, hash]);
  return <Navigate {...target} replace />;
}
