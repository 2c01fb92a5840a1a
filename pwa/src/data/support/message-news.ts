/** News of the user's messages to support: sent after a wait, or refused. */
import type { PendingMessageRow } from '../device/schema.ts';
import { currentOwner } from '../session.ts';

/** Called when a message was sent that had waited, or when the server has refused one. */
type MessageListener = (row: PendingMessageRow, refusal: string | null) => void;

let listener: MessageListener = () => undefined;

/** Sets the function that tells the user about messages. It is called only while their owner is signed in. */
export function onSupportMessage(next: MessageListener): void {
  listener = next;
}

export const reportMessage: MessageListener = (row, refusal) => {
  if (row.owner === currentOwner()) listener(row, refusal);
};
