import { useEffect, useState } from 'react';
import type { NoticeRow } from '../../../data/device/schema.ts';
import { useSession } from '../../../data/session.ts';

/** The notices as a screen shows them: neither while they are read, `error` when the device's database failed. */
export interface NoticesState {
  notices?: readonly NoticeRow[];
  /** The server has older ones. */
  hasOlder?: boolean;
  error?: unknown;
}

/** The present user's notices, the newest first, new after each change. */
export function useNotices(): NoticesState {
  const [shown, setShown] = useState<NoticesState>({});
  const owner = useSession()?.user._id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is observed are the rows of whoever is signed in
  useEffect(() => {
    let isUnmounted = false;
    let stop: (() => void) | undefined;
    async function subscribe() {
      try {
        const { subscribeNotices } = await import('./notices.ts');
        stop = await subscribeNotices(
          (notices, hasOlder) => setShown({ notices, hasOlder }),
          (error) => setShown({ error }),
        );
        if (isUnmounted) stop();
      } catch (error) {
        if (!isUnmounted) setShown({ error });
      }
    }
    void subscribe();
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, [owner]);

  return shown;
}
