/** The user's sessions: this one, and those on other devices. */
import { SessionListResponse } from '@nivida/contract/account/auth';
import { useEffect } from 'react';
import type * as v from 'valibot';
import { api, apiOf, isNotFoundError } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';

// The cache is keyed by user, so that a list is never shown to the next user of the device.
const sessionListCache = createQueryCache((userId) => apiOf(userId).get('api/sessions').json(SessionListResponse));

/** The sessions of the signed-in user as last loaded. Each screen that shows them loads them again. */
export function useSessions(userId: string): QueryResult<v.InferOutput<typeof SessionListResponse>> {
  useEffect(() => void sessionListCache.refresh(userId), [userId]);
  return useQuery(sessionListCache, userId);
}

/** Loads the user's sessions again. */
export function refreshSessions(userId: string): Promise<void> {
  return sessionListCache.refresh(userId);
}

/** Ends one session. Does nothing when it has already ended. Its device is signed out at its next call. */
export async function revokeSession(userId: string, id: string): Promise<void> {
  await api.delete(`api/sessions/${id}`).catch((error: unknown) => {
    if (!isNotFoundError(error)) throw error;
  });
  await refreshSessions(userId);
}

/** Ends all sessions except this one. */
export async function revokeOtherSessions(userId: string): Promise<void> {
  await api.delete('api/sessions');
  await refreshSessions(userId);
}
