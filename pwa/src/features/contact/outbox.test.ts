// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import type { ContactForm } from '@nivida/contract/contact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDevice, onDevice } from '../../data/device.ts';
import { dismissToast, useToast } from '../../ui/toast.ts';
import { keepMessage, removeMessage, sendMessages } from './outbox.ts';

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
let received: { messageId: string; website: string }[];
let answer: () => Response | Promise<Response>;

const thanks = () => Response.json({ success: true, message: 'Thank you' });
const refuse = (status: number, message: string) => () =>
  Response.json({ code: 'INVALID', message, requestId: 'r' }, { status });

beforeEach(() => {
  received = [];
  answer = thanks;
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    received.push(JSON.parse(await request.text()));
    return answer();
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  while (useToast.getState().current) dismissToast();
  await onDevice((db) => db.delete());
  await closeDevice();
});

const waiting = async () => (await onDevice((db) => db.messages.toArray())).map(({ id, refusal }) => ({ id, refusal }));
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
