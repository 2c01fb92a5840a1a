/** Messages of the contact form on their way to the server; those written without signal wait on the device. */
import { ContactAnswer, type ContactForm } from '@nivida/contract/contact';
import { liveQuery } from 'dexie';
import { api, saidByServer } from '../../data/api.ts';
import { currentTime } from '../../data/clock.ts';
import type { DeviceDatabase, MessageRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { showToast } from '../../ui/toast.ts';

/** Sends one message; sent again under the same id it is stored once. Answers the server's words for people. */
export async function postMessage(messageId: string, form: ContactForm, website: string): Promise<string> {
  const { message } = await api.post('api/contact', { json: { ...form, messageId, website } }).json(ContactAnswer);
  return message;
}

/** Keeps a message until it can be sent. Throws where the browser keeps nothing. */
export async function keepMessage(id: string, form: ContactForm): Promise<void> {
  await onDevice((db) => db.messages.put({ id, form, at: currentTime().getTime(), refusal: null }));
}

/** Takes a message back. */
export async function removeMessage(id: string): Promise<void> {
  await onDevice((db) => db.messages.delete(id));
}

/** Calls `then` with the messages that wait or were refused, oldest first, now and after each change, until stopped. */
export async function observeMessages(then: (messages: MessageRow[]) => void): Promise<() => void> {
  const db = await onDevice(async (opened) => opened);
  const query = liveQuery(async () => (await db.messages.toArray()).sort((one, other) => one.at - other.at));
  const watch = query.subscribe({ next: then, error: () => watch.unsubscribe() });
  return () => watch.unsubscribe();
}

/** Sends one of them. What the server will not have stays, with its reason; throws what is to be tried again. */
async function send(db: DeviceDatabase, { id, form }: MessageRow): Promise<void> {
  // it may have been taken back meanwhile
  if (!(await db.messages.get(id))) return;
  try {
    await postMessage(id, form, '');
  } catch (error) {
    if (outcomeOf(error) !== 'rejected') throw error;
    const refusal = saidByServer(error, 'Failed to send message. Please try again.');
    await db.messages.update(id, { refusal });
    showToast({ text: `Your message “${form.subject}” was not sent: ${refusal}` });
    return;
  }
  await db.messages.delete(id);
  showToast({ text: `Your message “${form.subject}” was sent.` });
}

async function sendAll(db: DeviceDatabase): Promise<void> {
  const waiting = (await db.messages.toArray()).filter(({ refusal }) => refusal === null);
  for (const message of waiting.sort((one, other) => one.at - other.at)) await send(db, message);
}

/** Sends what waits, one tab at a time. Throws when it could not be finished: the rest goes on the next occasion. */
export async function sendMessages(): Promise<void> {
  if (globalThis.navigator?.onLine === false) return;
  const work = () => onDevice(sendAll);
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  await (locks ? locks.request('messages', work) : work());
}
