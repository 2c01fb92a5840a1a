/** Messages of the contact form on their way to the server; those written without signal wait in the outbox. */
import { ContactAnswer, type ContactForm } from '@nivida/contract/contact';
import { api } from '../../data/api.ts';
import type { OutboxRow } from '../../data/db.ts';
import { observeOutbox, queueRequest, removeFromOutbox, whenSent } from '../../data/outbox.ts';
import { showToast } from '../../ui/toast.ts';

const KIND = 'contact';

/** A message that waits or was refused, as its owner sees it. */
export interface WaitingMessage {
  /** The `messageId` by which the server recognises it. */
  id: string;
  form: ContactForm;
  /** Why the server refused it; null while it waits. */
  refusal: string | null;
}

/** Sends one message; sent again under the same id it is stored once. Returns the server's words for the user. */
export async function postMessage(messageId: string, form: ContactForm, website: string): Promise<string> {
  const { message } = await api.post('api/contact', { json: { ...form, messageId, website } }).json(ContactAnswer);
  return message;
}

/** Puts a message of the present user into the outbox. Throws where the browser keeps nothing. */
export async function keepMessage(id: string, form: ContactForm): Promise<void> {
  const body = { ...form, messageId: id, website: '' };
  await queueRequest({ id, kind: KIND, path: '/api/contact', body, needs: 'nothing' });
}

/** Takes a message back. */
export const removeMessage = removeFromOutbox;

function toMessage({ id, body, refusal }: OutboxRow): WaitingMessage {
  const { messageId: _id, website: _website, ...form } = body as ContactForm & { messageId: string; website: string };
  return { id, form, refusal };
}

/** Calls `then` with an owner's messages that wait or were refused, oldest first, after each change until stopped. */
export function observeMessages(owner: string, then: (messages: WaitingMessage[]) => void): Promise<() => void> {
  return observeOutbox(KIND, owner, (rows) => then(rows.map(toMessage)));
}

const subjectOf = ({ body }: OutboxRow) => (body as Partial<ContactForm> | null)?.subject;

whenSent(KIND, {
  sent(row) {
    const subject = subjectOf(row);
    showToast({ text: subject ? `Your message “${subject}” was sent.` : 'Your message was sent.' });
  },
  refused: (row, reason) => showToast({ text: `Your message “${subjectOf(row)}” was not sent: ${reason}` }),
});
