import { useEffect, useState } from 'react';
import type { SearchRow } from '../../data/db.ts';
import { useSession } from '../../data/session.ts';

/** The list as a screen shows it: neither while it is read, `error` when the device's database failed. */
export interface ShownSearches {
  searches?: readonly SearchRow[];
  error?: unknown;
}

/** The present user's saved searches, newest first, new after each change. */
export function useSavedSearches(): ShownSearches {
  const [shown, setShown] = useState<ShownSearches>({});
  const owner = useSession()?.user._id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is observed are the rows of whoever is signed in
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    async function observe() {
      try {
        const { observeSearches } = await import('./watch.ts');
        stop = await observeSearches(
          (searches) => setShown({ searches }),
          (error) => setShown({ error }),
        );
        if (isGone) stop();
      } catch (error) {
        if (!isGone) setShown({ error });
      }
    }
    void observe();
    return () => {
      isGone = true;
      stop?.();
    };
  }, [owner]);

  return shown;
}
