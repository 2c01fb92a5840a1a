/** What the desk knows of its user. It is asked again and again, so that the end of a role ends an open desk. */
import { DeskMeResponse } from '@nivida/contract/desk/me';
import { useEffect } from 'react';
import { create } from 'zustand';
import { apiOf, isNotFoundError } from '../../../data/server/api.ts';
import { useOwner } from '../../../data/session.ts';

/** Pause between two questions; a role that was taken back ends within a minute. */
const PAUSE_MS = 30_000;

interface DeskUser {
  /** The signed-in user of whom the rest is known. */
  owner: string;
  me?: DeskMeResponse | undefined;
  /** Signed in, but not staff. */
  isStranger: boolean;
  /** Why the last question was not answered. */
  error?: unknown;
}

const useDeskUser = create<DeskUser>(() => ({ owner: '', isStranger: false }));

/** Asks again at once, for example after a passkey was shown. Never throws. */
export async function refreshDeskMe(owner: string): Promise<void> {
  try {
    const me = await apiOf(owner).get('api/desk/me', { cache: 'no-store' }).json(DeskMeResponse);
    useDeskUser.setState({ owner, me, isStranger: false }, true);
  } catch (error) {
    const known = useDeskUser.getState();
    if (isNotFoundError(error)) useDeskUser.setState({ owner, isStranger: true }, true);
    else useDeskUser.setState({ ...(known.owner === owner ? known : { owner, isStranger: false }), error }, true);
  }
}

/** The desk's user as last known. */
export function useDeskMe(): Omit<DeskUser, 'owner'> {
  const owner = useOwner();
  const known = useDeskUser();
  return known.owner === owner && owner !== '' ? known : { isStranger: false };
}

/** Asks while the desk is on the screen. */
export function useDeskMeRefresh(owner: string): void {
  useEffect(() => {
    if (owner === '') return;
    const ask = () => void refreshDeskMe(owner);
    const askWhenVisible = () => document.visibilityState === 'visible' && ask();
    ask();
    const timer = setInterval(ask, PAUSE_MS);
    window.addEventListener('online', ask);
    document.addEventListener('visibilitychange', askWhenVisible);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', ask);
      document.removeEventListener('visibilitychange', askWhenVisible);
    };
  }, [owner]);
}
