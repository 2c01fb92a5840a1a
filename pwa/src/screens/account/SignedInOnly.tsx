import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useSession } from '../../data/session.ts';

/** Navigation state of the home page when the requested page needs a session. */
export interface ReturnState {
  /** The page to open after signing in: path, query and hash. */
  returnTo: string;
}

/** Guards a page. Signed-out visitors are sent home, and return to the page after signing in (R18). */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (session) return children;
  const state: ReturnState = { returnTo: pathname + search + hash };
  return <Navigate to="/" replace state={state} />;
}
