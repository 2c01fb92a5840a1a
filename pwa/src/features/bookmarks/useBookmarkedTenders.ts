import { useEffect, useState } from 'react';
import { useSession } from '../../data/session.ts';
import type { BookmarkedTender } from './watch.ts';

/** The list as a screen shows it: neither while it is read, `error` when the device's database failed. */
export interface ShownBookmarks {
  bookmarks?: readonly BookmarkedTender[];
  error?: unknown;
}

/** The present user's bookmarks with what the device knows of each, newest first, new after each change. */
export function useBookmarkedTenders(): ShownBookmarks {
  const [shown, setShown] = useState<ShownBookmarks>({});
  const owner = useSession()?.user._id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is observed are the rows of whoever is signed in
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    async function observe() {
      try {
        const { observeBookmarks } = await import('./watch.ts');
        stop = await observeBookmarks(
          (bookmarks) => setShown({ bookmarks }),
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
