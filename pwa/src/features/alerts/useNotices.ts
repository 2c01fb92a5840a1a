import { useEffect, useState } from 'react';
import type { NoticeRow } from '../../data/db.ts';
import { useSession } from '../../data/session.ts';

/** The notices as a screen shows them: neither while they are read, `error` when the device's database failed. */
export interface ShownNotices {
  notices?: readonly NoticeRow[];
  /** The server has older ones. */
  hasOlder?: boolean;
  error?: unknown;
}

/** The present user's notices, the newest first, new after each change. */
export function useNotices(): ShownNotices {
  const [shown, setShown] = useState<ShownNotices>({});
  const owner = useSession()?.user._id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is observed are the rows of whoever is signed in
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    async function observe() {
      try {
        const { observeNotices } = await import('./notices.ts');
        stop = await observeNotices(
          (notices, hasOlder) => setShown({ notices, hasOlder }),
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
