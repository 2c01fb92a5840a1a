import { useLiveRows } from '../../data/device/live-query.ts';
import type { WaitingMessage } from './contact-messages.ts';

const NO_MESSAGES: readonly WaitingMessage[] = [];
const loadQuery = async () => (await import('./contact-messages.ts')).waitingMessages;

/** The user's queued and refused messages, oldest first; empty without storage. */
export function useWaitingMessages(): readonly WaitingMessage[] {
  return useLiveRows(loadQuery).rows ?? NO_MESSAGES;
}
