/** Sends contact messages. A message that is written without a connection waits in the outbox. */
import { t } from '@lingui/core/macro';
import { type ContactFormValues, ContactResponse } from '@nivida/contract/site/contact';
import type { DeviceDatabase, OutboxRequestRow } from '../../data/device/schema.ts';
import { addToOutbox, registerOutboxHandler, removeFromOutbox, waitingRequests } from '../../data/outbox/outbox.ts';
import { api } from '../../data/server/api.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const OUTBOX_KIND = 'contact';

/** A queued or refused message, as its owner sees it. */
export interface WaitingMessage {
  /** The `messageId`, by which the server recognises a message that is sent twice. */
  id: string;
  form: ContactFormValues;
  /** Why the server refused the message. Null while it waits. */
  refusal: string | null;
}

/** Sends one message. The server stores an id only once. Returns the server's message for the user. */
export async function sendMessage(messageId: string, form: ContactFormValues, website: string): Promise<string> {
  const { message } = await api.post('api/contact', { json: { ...form, messageId, website } }).json(ContactResponse);
  return message;
}

/** Puts a message of the current user into the outbox. Throws without storage. */
export async function queueMessage(id: string, form: ContactFormValues): Promise<void> {
  const body = { ...form, messageId: id, website: '' };
  await addToOutbox({ id, kind: OUTBOX_KIND, path: '/api/contact', body, needs: 'nothing' });
}

export const removeMessage = removeFromOutbox;

function toMessage({ id, body, refusal }: OutboxRequestRow): WaitingMessage {
  const {
    messageId: _id,
    website: _website,
    ...form
  } = body as ContactFormValues & { messageId: string; website: string };
  return { id, form, refusal };
}

/** An owner's queued and refused messages, oldest first. */
export async function waitingMessages(db: DeviceDatabase, owner: string): Promise<WaitingMessage[]> {
  return (await waitingRequests(db, owner, OUTBOX_KIND)).map(toMessage);
}

const subjectOf = ({ body }: OutboxRequestRow) => (body as Partial<ContactFormValues> | null)?.subject;

registerOutboxHandler(OUTBOX_KIND, {
  sent(row) {
    const subject = subjectOf(row);
    showToast({ text: subject ? t`Your message “${subject}” was sent.` : t`Your message was sent.` });
  },
  refused: (row, reason) =>
    showToast({ text: t`Your message “${{ subject: subjectOf(row) ?? '' }}” was not sent: ${reason}` }),
});
