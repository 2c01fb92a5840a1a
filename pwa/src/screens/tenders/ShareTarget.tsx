import { Navigate, useSearchParams } from 'react-router-dom';
import { pageForShare, parseReceivedShare } from '../../features/share/received-share.ts';

/** Opens text shared by another app: a tender, the search for one, or the form with the words. */
export function ShareTarget() {
  const [params] = useSearchParams();
  const received = parseReceivedShare(params, location.host);
  const state = 'sourceId' in received ? { received: received.sourceId } : null;
  return <Navigate to={pageForShare(received)} state={state} replace />;
}
