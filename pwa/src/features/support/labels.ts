import { t } from '@lingui/core/macro';
import { formatDateTime, formatTime, indianDay } from '@nivida/contract/format';
import type { MessageSender } from '@nivida/contract/support/threads';
import type { PendingMessageRow } from '../../data/device/schema.ts';
import type { ShownThread } from '../../data/support/support-rows.ts';
import type { Tone } from '../../ui/display/Badge.tsx';

/** The state of a thread as its user sees it. */
export function threadLabel({ state, pending }: ShownThread): { label: string; tone: Tone } {
  if (pending.some(({ refusal }) => refusal !== null)) return { label: t`Not sent`, tone: 'red' };
  if (pending.length > 0) return { label: t`Not sent yet`, tone: 'amber' };
  return {
    waiting: { label: t`Waiting for our answer`, tone: 'blue' as const },
    answered: { label: t`Answered`, tone: 'green' as const },
    closed: { label: t({ message: 'Closed', context: 'conversation with support' }), tone: 'gray' as const },
  }[state];
}

export const senderLabel = (sender: MessageSender): string =>
  ({ user: t`You`, staff: t`Nivida support`, system: 'Nivida' })[sender];

/** '10:32 AM' for today, '15 Dec 2025, 10:32 AM' for another day. */
export function messageTime(at: Date, now: Date): string {
  return indianDay(at) === indianDay(now) ? formatTime(at) : formatDateTime(at);
}

/** A message that has waited longer than this has failed at least once. */
const SENDING_MS = 15_000;

/** The state of a message that waits. */
export function pendingText({ delay, at }: PendingMessageRow, isOnline: boolean, now: Date): string {
  if (!isOnline) return t`Waits for a connection`;
  if (delay !== null) return t`Not sent yet. ${{ reason: delay }} Nivida will try again.`;
  return now.getTime() - at < SENDING_MS ? t`Sending…` : t`Not sent yet. Nivida will try again.`;
}
