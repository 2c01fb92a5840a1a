import { useLiveRows } from '../../data/device/live-query.ts';
import type { WaitingMessage } from './contact-messages.ts';

const NO_MESSAGES: readonly WaitingMessage[] = [];
const loadQuery = async () => (await import('./contact-messages.ts')).waitingMessages;

/** The user's messages that wait or were refused, oldest first; none where the browser stores nothing. */
export function useWaitingMessages(): readonly WaitingMessage[] {
  return useLiveRows(loadQuery).rows ?? NO_MESSAGES;
}
