import { useEffect, useState } from 'react';
import { useSession } from '../../data/session.ts';

/** Whether this user of the device has asked for the documents of a tender; false until it is known. */
export function useRequested(tenderId: string): boolean {
  const owner = useSession()?.user._id ?? '';
  const [isRequested, setIsRequested] = useState(false);
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    async function observe() {
      const { onRequests, readRequested } = await import('./requests.ts');
      const look = async () => {
        const ids = await readRequested(owner);
        if (!isGone) setIsRequested(ids.includes(tenderId));
      };
      stop = onRequests(() => void look());
      if (isGone) stop();
      await look();
    }
    observe().catch(() => undefined);
    return () => {
      isGone = true;
      stop?.();
    };
  }, [tenderId, owner]);
  return isRequested;
}
