/** Rows of the device as a screen shows them. */
import { useEffect, useState } from 'react';
import { useSession } from './session.ts';

/** Neither while they are read; `error` when the device's database failed. */
export interface Observed<Rows> {
  rows?: Rows;
  error?: unknown;
}

/** Starts to observe: tells the rows now and after each change. Gives what ends it. */
export type Observe<Rows> = (tell: (rows: Rows) => void, fail: (error: unknown) => void) => Promise<() => void>;

/** What `observe` tells of the rows of whoever is signed in; `observe` must be the same function at every drawing. */
export function useObserved<Rows>(observe: Observe<Rows>): Observed<Rows> {
  const [shown, setShown] = useState<Observed<Rows>>({});
  const owner = useSession()?.user._id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is observed are the rows of whoever is signed in
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    async function begin() {
      try {
        stop = await observe(
          (rows) => setShown({ rows }),
          (error) => setShown({ error }),
        );
        if (isGone) stop();
      } catch (error) {
        if (!isGone) setShown({ error });
      }
    }
    void begin();
    return () => {
      isGone = true;
      stop?.();
    };
  }, [owner, observe]);

  return shown;
}
