/** Rows of the device as a screen shows them. */
import { useEffect, useState } from 'react';
import { useSession } from '../session.ts';

/** Neither while they are read; `error` when the device's database failed. */
export interface LiveRows<Rows> {
  rows?: Rows;
  error?: unknown;
}

/** Starts to observe: tells the rows now and after each change. Gives what ends it. */
export type SubscribeRows<Rows> = (
  onRows: (rows: Rows) => void,
  onError: (error: unknown) => void,
) => Promise<() => void>;

/** What `observe` tells of the rows of whoever is signed in; `observe` must be the same function at every drawing. */
export function useLiveRows<Rows>(subscribeRows: SubscribeRows<Rows>): LiveRows<Rows> {
  const [shown, setShown] = useState<LiveRows<Rows>>({});
  const owner = useSession()?.user._id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is observed are the rows of whoever is signed in
  useEffect(() => {
    let isUnmounted = false;
    let stop: (() => void) | undefined;
    async function subscribe() {
      try {
        stop = await subscribeRows(
          (rows) => setShown({ rows }),
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
  }, [owner, subscribeRows]);

  return shown;
}
