import { Navigate, useSearchParams } from 'react-router-dom';
import { pageFor, readReceived } from '../features/share/received.ts';

/** What another app shared with this one, opened: a tender, the search for one, or the form with the words. */
export function ShareTarget() {
  const [params] = useSearchParams();
  const received = readReceived(params, location.host);
  const state = 'sourceId' in received ? { received: received.sourceId } : null;
  return <Navigate to={pageFor(received)} state={state} replace />;
}
