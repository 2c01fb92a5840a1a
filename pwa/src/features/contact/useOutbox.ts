import { useEffect, useState } from 'react';
import type { MessageRow } from '../../data/db.ts';

/** The messages of this device that wait for signal or were refused, oldest first; none where nothing can be kept. */
export function useOutbox(): readonly MessageRow[] {
  const [messages, setMessages] = useState<readonly MessageRow[]>([]);
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    async function observe() {
      const { observeMessages } = await import('./outbox.ts');
      stop = await observeMessages(setMessages);
      if (isGone) stop();
    }
    observe().catch(() => undefined);
    return () => {
      isGone = true;
      stop?.();
    };
  }, []);
  return messages;
}
