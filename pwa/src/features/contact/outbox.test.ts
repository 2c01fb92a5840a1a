// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import type { ContactForm } from '@nivida/contract/contact';
import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { closeDevice, onDevice } from '../../data/device.ts';
import { clearRefused, sendOutbox, stopOutbox } from '../../data/outbox.ts';
import { clearSession, rereadSession } from '../../data/session.ts';
import { dismissToast, useToast } from '../../ui/toast.ts';
import { keepMessage, observeMessages, removeMessage, type WaitingMessage } from './outbox.ts';

const FORM: ContactForm = {
  name: 'Asha Verma',
  email: 'asha@builders.example',
  phone: '',
  countryCode: '+91',
  company: '',
  subject: 'Tenders of Kinnaur',
  message: 'Do you also list the works of the forest division?',
  agreeToTerms: true,
};
const FIRST = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01';
const SECOND = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a02';

/** The bodies that reached the server; `answer` is what it says to each. */
let authorizations: (string | null)[];
let onLine: MockInstance<() => boolean>;
let received: { messageId: string; website: string }[];
let answer: () => Response | Promise<Response>;

const thanks = () => Response.json({ success: true, message: 'Thank you' });
const refuse = (status: number, message: string) => () =>
  Response.json({ code: 'INVALID', message, requestId: 'r' }, { status });

beforeEach(() => {
  received = [];
  authorizations = [];
  answer = thanks;
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    authorizations.push(request.headers.get('authorization'));
    received.push(JSON.parse(await request.text()));
    return answer();
  });
  // written without signal
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
});

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  stopOutbox();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await onDevice((db) => db.delete());
  await closeDevice();
});

const waiting = async () => (await onDevice((db) => db.outbox.toArray())).map(({ id, refusal }) => ({ id, refusal }));
/** The signal is back: what waits is sent. */
function sendMessages(): Promise<void> {
  onLine.mockReturnValue(true);
  return sendOutbox();
}

function signIn(id: string): void {
  localStorage.setItem('token', `token-${id}`);
  const user = { _id: id, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };
  localStorage.setItem('user', JSON.stringify(user));
  rereadSession();
}

/** What a user sees of the outbox. */
async function seenBy(owner: string): Promise<string[]> {
  const messages = await new Promise<WaitingMessage[]>((resolve) => void observeMessages(owner, resolve));
  return messages.map(({ id }) => id);
}

const told = () => useToast.getState().current?.text;

test('a message written without signal is sent once, as it was written, and said', async () => {
  await keepMessage(FIRST, FORM);
  await Promise.all([sendMessages(), sendMessages()]);
  await sendMessages();
  expect(received).toEqual([{ ...FORM, messageId: FIRST, website: '' }]);
  expect(await waiting()).toEqual([]);
  expect(told()).toBe('Your message “Tenders of Kinnaur” was sent.');
});

test('a message whose answer was lost is sent again under the same id', async () => {
  await keepMessage(FIRST, FORM);
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(sendMessages()).rejects.toThrow();
  answer = thanks;
  await sendMessages();
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST, FIRST]);
  expect(await waiting()).toEqual([]);
});

test.each([500, 503, 429])('a server that says %i is asked again later, in silence', async (status) => {
  await keepMessage(FIRST, FORM);
  answer = refuse(status, 'Please try again later');
  await expect(sendMessages()).rejects.toThrow();
  expect(await waiting()).toEqual([{ id: FIRST, refusal: null }]);
  expect(told()).toBeUndefined();
});

test('a message that the server will not have stays with its reason, and the next one is sent', async () => {
  await keepMessage(FIRST, FORM);
  await keepMessage(SECOND, { ...FORM, subject: 'Roads of Kinnaur' });
  answer = () => (received.length === 1 ? refuse(400, 'Please enter a valid email address')() : thanks());
  await sendMessages();
  await sendMessages();
  expect(received).toHaveLength(2);
  expect(await waiting()).toEqual([{ id: FIRST, refusal: 'Please enter a valid email address' }]);
});

test('a message that was taken back is not sent', async () => {
  await keepMessage(FIRST, FORM);
  await removeMessage(FIRST);
  await sendMessages();
  expect(received).toEqual([]);
});

test('a message is seen by its owner only, and is still sent after the sign-out, without a word and without a session', async () => {
  signIn('7');
  await keepMessage(FIRST, FORM);
  expect(await seenBy('7')).toEqual([FIRST]);
  expect(await seenBy('')).toEqual([]);
  signIn('8');
  expect(await seenBy('8')).toEqual([]);
  await onDevice((db) => clearRefused(db, '7'));
  await sendMessages();
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST]);
  expect(authorizations).toEqual([null]);
  expect(told()).toBeUndefined();
});

test('a refused message goes with its owner at the sign-out', async () => {
  signIn('7');
  await keepMessage(FIRST, FORM);
  answer = refuse(400, 'Please enter a valid email address');
  await sendMessages();
  expect(await waiting()).toHaveLength(1);
  await onDevice((db) => clearRefused(db, '7'));
  expect(await waiting()).toEqual([]);
});

test('a message that fails is sent again by itself, without an online event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await keepMessage(FIRST, FORM);
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(sendMessages()).rejects.toThrow();
    answer = thanks;
    await vi.advanceTimersByTimeAsync(60_000);
  } finally {
    vi.useRealTimers();
  }
  await vi.waitFor(async () => expect(await waiting()).toEqual([]));
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST, FIRST]);
});

test('what the service worker has sent is told to its owner', async () => {
  await keepMessage(FIRST, FORM);
  await onDevice((db) => db.outbox.update(FIRST, { sentAt: 1, body: { subject: FORM.subject } }));
  expect(await seenBy('')).toEqual([]);
  await sendMessages();
  expect(received).toEqual([]);
  expect(told()).toBe('Your message “Tenders of Kinnaur” was sent.');
  expect(await waiting()).toEqual([]);
});

test('a message that an earlier version kept goes to the user of the upgrade', async () => {
  signIn('7');
  const earlier = new Dexie('nivida');
  earlier.version(4).stores({ messages: 'id', settings: 'key' });
  await earlier.table('messages').add({ id: FIRST, form: FORM, at: 5, refusal: null });
  earlier.close();
  await sendMessages();
  expect(received).toEqual([{ ...FORM, messageId: FIRST, website: '' }]);
});
