import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useSession } from '../../data/session.ts';

/** What the home page finds in its navigation state when it stands in for a page that needs a session. */
export interface ReturnState {
  /** Where to go after signing in: path, query and hash. */
  returnTo: string;
}

/** Guards a page: whoever is signed out goes home, and comes back after signing in (RESOLUTIONS R18). */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (session) return children;
  const state: ReturnState = { returnTo: pathname + search + hash };
  return <Navigate to="/" replace state={state} />;
}
