import { useEffect, useState } from 'react';
import type { WaitingMessage } from './contact-messages.ts';

/** The owner's messages that wait for signal or were refused, oldest first; none where nothing can be kept. */
export function useWaitingMessages(owner: string): readonly WaitingMessage[] {
  const [messages, setMessages] = useState<readonly WaitingMessage[]>([]);
  useEffect(() => {
    let isUnmounted = false;
    let stop: (() => void) | undefined;
    async function subscribe() {
      const { subscribeMessages } = await import('./contact-messages.ts');
      stop = await subscribeMessages(owner, setMessages);
      if (isUnmounted) stop();
    }
    subscribe().catch(() => undefined);
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, [owner]);
  return messages;
}
