/** The state and departments with which the user registered, kept on the device so that they are known offline. */
import { Me } from '@nivida/contract/user';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../data/api.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';

const SETTING = 'interests';

/** Where and for whom the user works, in listed names. */
export interface Interests {
  userId: string;
  state: string;
  departments: readonly string[];
}

/** What a screen gets: `error` only beside no interests. */
export interface ShownInterests {
  interests: Interests | undefined;
  error: unknown;
  reload: () => void;
}

function isInterests(value: unknown): value is Interests {
  const fields: Partial<Record<keyof Interests, unknown>> = { ...(value as object | null) };
  return typeof fields.userId === 'string' && typeof fields.state === 'string' && Array.isArray(fields.departments);
}

async function readKept(userId: string): Promise<Interests | undefined> {
  const kept = await readSetting(SETTING);
  return isInterests(kept) && kept.userId === userId ? kept : undefined;
}

async function ask(): Promise<Interests> {
  const { user, state, departments } = await api.get('api/me').json(Me);
  const interests = { userId: user._id, state, departments };
  await writeSetting(SETTING, interests);
  return interests;
}

/** Forgets them: their user has signed out. */
export function forgetInterests(): Promise<void> {
  return writeSetting(SETTING, null);
}

/** A user's interests: what the device keeps at once, then what the server says. */
export function useInterests(userId: string): ShownInterests {
  const [interests, setInterests] = useState<Interests>();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew by Try Again
  useEffect(() => {
    let isWanted = true;
    async function load() {
      const kept = await readKept(userId);
      if (kept && isWanted) setInterests(kept);
      try {
        const told = await ask();
        if (isWanted) setInterests(told);
      } catch (failure) {
        if (isWanted && !kept) setError(failure);
      }
    }
    void load();
    return () => {
      isWanted = false;
    };
  }, [userId, asked]);

  useEffect(() => {
    const retry = () => setAsked((count) => count + 1);
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);

  const reload = useCallback(() => {
    setError(undefined);
    setAsked((count) => count + 1);
  }, []);
  const isOurs = interests?.userId === userId;
  return { interests: isOurs ? interests : undefined, error: isOurs ? undefined : error, reload };
}
