/** The user's sessions: this one, and those on other devices. */
import { SessionList } from '@nivida/contract/auth';
import { useEffect } from 'react';
import type * as v from 'valibot';
import { keepAnswers, type Shown, useAnswer } from '../../data/answers.ts';
import { api, isNotFound } from '../../data/api.ts';

// one list per user, so that nobody is shown what the user before was answered
const lists = keepAnswers((_userId) => api.get('api/sessions').json(SessionList));

/** The list of the signed-in user as the server last told, asked for anew by each screen that shows it. */
export function useSessions(userId: string): Shown<v.InferOutput<typeof SessionList>> {
  useEffect(() => void lists.refresh(userId), [userId]);
  return useAnswer(lists, userId);
}

/** Asks for the user's list again: sessions have ended. */
export function refreshSessions(userId: string): Promise<void> {
  return lists.refresh(userId);
}

/** Ends one session, which may have ended by itself: that device is signed out with its next call. */
export async function endSession(userId: string, id: string): Promise<void> {
  await api.delete(`api/sessions/${id}`).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  await refreshSessions(userId);
}

/** Ends all sessions but the one that asks. */
export async function endOtherSessions(userId: string): Promise<void> {
  await api.delete('api/sessions');
  await refreshSessions(userId);
}
