/** The user's sessions: this one, and those on other devices. */
import { SessionListResponse } from '@nivida/contract/account/auth';
import { useEffect } from 'react';
import type * as v from 'valibot';
import { api, isNotFoundError } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';

// one list per user, so that nobody is shown what the user before was answered
const sessionListCache = createQueryCache((_userId) => api.get('api/sessions').json(SessionListResponse));

/** The list of the signed-in user as the server last told, asked for anew by each screen that shows it. */
export function useSessions(userId: string): QueryResult<v.InferOutput<typeof SessionListResponse>> {
  useEffect(() => void sessionListCache.refresh(userId), [userId]);
  return useQuery(sessionListCache, userId);
}

/** Asks for the user's list again: sessions have ended. */
export function refreshSessions(userId: string): Promise<void> {
  return sessionListCache.refresh(userId);
}

/** Ends one session, which may have ended by itself: that device is signed out with its next call. */
export async function revokeSession(userId: string, id: string): Promise<void> {
  await api.delete(`api/sessions/${id}`).catch((error: unknown) => {
    if (!isNotFoundError(error)) throw error;
  });
  await refreshSessions(userId);
}

/** Ends all sessions but the one that asks. */
export async function revokeOtherSessions(userId: string): Promise<void> {
  await api.delete('api/sessions');
  await refreshSessions(userId);
}
