import { useEffect, useState } from 'react';
import type { WaitingMessage } from './outbox.ts';

/** The owner's messages that wait for signal or were refused, oldest first; none where nothing can be kept. */
export function useOutbox(owner: string): readonly WaitingMessage[] {
  const [messages, setMessages] = useState<readonly WaitingMessage[]>([]);
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    async function observe() {
      const { observeMessages } = await import('./outbox.ts');
      stop = await observeMessages(owner, setMessages);
      if (isGone) stop();
    }
    observe().catch(() => undefined);
    return () => {
      isGone = true;
      stop?.();
    };
  }, [owner]);
  return messages;
}
