/** The state, districts and departments of the user's registration, stored on the device for offline use. */
import { MeResponse } from '@nivida/contract/account/user';
import { useCallback, useEffect, useState } from 'react';
import { clearSetting, readSetting, writeSetting } from '../../data/device/settings.ts';
import { apiOf } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';

const INTERESTS_KEY = 'interests';

export interface Interests {
  userId: string;
  state: string;
  districts: readonly string[];
  departments: readonly string[];
}

/** Result for a screen. `error` is set only without interests. */
export interface InterestsState {
  interests: Interests | undefined;
  error: unknown;
  reload: () => void;
}

function isInterests(value: unknown): value is Interests {
  const fields: Partial<Record<keyof Interests, unknown>> = { ...(value as object | null) };
  return (
    typeof fields.userId === 'string' &&
    typeof fields.state === 'string' &&
    [fields.districts, fields.departments].every(Array.isArray)
  );
}

async function readStoredInterests(userId: string): Promise<Interests | undefined> {
  const stored = await readSetting(INTERESTS_KEY);
  return isInterests(stored) && stored.userId === userId ? stored : undefined;
}

async function fetchInterests(userId: string): Promise<Interests> {
  return storeInterests(userId, await apiOf(userId).get('api/me').json(MeResponse));
}

/** Stores a user's interests from an answer of the server. */
export async function storeInterests(
  userId: string,
  { user, state, districts, departments }: MeResponse,
): Promise<Interests> {
  const interests = { userId: user._id, state, districts, departments };
  // The user may have signed out before the answer; the sign-out deletes the interests.
  if (currentOwner() === userId) await writeSetting(INTERESTS_KEY, interests);
  return interests;
}

/** Removes a user's interests at the sign-out. Interests of the next user stay. */
export function deleteInterests(userId: string): Promise<void> {
  return clearSetting(INTERESTS_KEY, (stored) => !isInterests(stored) || stored.userId === userId);
}

/** A user's interests: the stored ones at once, then the server's. */
export function useInterests(userId: string): InterestsState {
  const [interests, setInterests] = useState<Interests>();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each retry increments `asked`
  useEffect(() => {
    let isWanted = true;
    async function load() {
      const stored = await readStoredInterests(userId);
      // During a sign-out home is shown for a moment before the session ends.
      if (!isWanted) return;
      if (stored) setInterests(stored);
      try {
        const fetched = await fetchInterests(userId);
        if (isWanted) setInterests(fetched);
      } catch (failure) {
        if (isWanted && !stored) setError(failure);
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
