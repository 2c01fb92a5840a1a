import { useEffect, useState } from 'react';
import { useSession } from '../../data/session.ts';

/** Whether this user of the device has asked for the documents of a tender; false until it is known. */
export function useIsRequested(tenderId: string): boolean {
  const owner = useSession()?.user._id ?? '';
  const [isRequested, setIsRequested] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    let stop: (() => void) | undefined;
    async function subscribe() {
      const { onRequestsChange, readRequestedIds } = await import('./requests.ts');
      const refresh = async () => {
        const ids = await readRequestedIds(owner);
        if (!isUnmounted) setIsRequested(ids.includes(tenderId));
      };
      stop = onRequestsChange(() => void refresh());
      if (isUnmounted) stop();
      await refresh();
    }
    subscribe().catch(() => undefined);
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, [tenderId, owner]);
  return isRequested;
}
