// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import type { ContactFormValues } from '@nivida/contract/site/contact';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { deleteRefusedRequests, sendOutbox, stopOutbox } from '../../data/outbox/outbox.ts';
import { bookmarkChange, isRequest } from '../../data/outbox/pending-changes.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { queueMessage, removeMessage, waitingMessages } from './contact-messages.ts';
import { removeFromList } from './WaitingMessages.tsx';

const FORM: ContactFormValues = {
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

/** The bodies that reached the server; `answer` makes its answers. */
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
  // written without a connection
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
});

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  stopOutbox();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const waitingRows = async () =>
  (await withDatabase((db) => db.outbox.toArray())).filter(isRequest).map(({ id, refusal }) => ({ id, refusal }));
/** Goes online and sends the outbox. */
function sendMessages(): Promise<void> {
  onLine.mockReturnValue(true);
  return sendOutbox();
}

/** The messages that a user sees. */
async function visibleMessageIds(owner: string): Promise<string[]> {
  return (await withDatabase((db) => waitingMessages(db, owner))).map(({ id }) => id);
}

const toastText = () => useToast.getState().current?.text;

test('a message written without a connection is sent once, unchanged, and its owner is notified', async () => {
  await queueMessage(FIRST, FORM);
  await Promise.all([sendMessages(), sendMessages()]);
  await sendMessages();
  expect(received).toEqual([{ ...FORM, messageId: FIRST, website: '' }]);
  expect(await waitingRows()).toEqual([]);
  expect(toastText()).toBe('Your message “Tenders of Kinnaur” was sent.');
});

test('a message written without a connection is sent by the browser when the app is closed before the connection returns', async () => {
  const tags: string[] = [];
  const registration = { sync: { register: async (tag: string) => void tags.push(tag) } };
  vi.stubGlobal('SyncManager', class {});
  vi.stubGlobal('navigator', { onLine: false, locks, serviceWorker: { getRegistration: async () => registration } });
  await queueMessage(FIRST, FORM);
  await expect.poll(() => tags).toEqual(['outbox']);
  expect(received).toEqual([]);
});

test('a message that fails is sent by the browser when the app is closed before the next attempt', async () => {
  const tags: string[] = [];
  const registration = { sync: { register: async (tag: string) => void tags.push(tag) } };
  vi.stubGlobal('SyncManager', class {});
  vi.stubGlobal('navigator', { onLine: true, locks, serviceWorker: { getRegistration: async () => registration } });
  answer = refuse(503, 'Busy');
  await queueMessage(FIRST, FORM);
  await expect.poll(() => tags).toEqual(['outbox']);
  expect(await waitingRows()).toEqual([{ id: FIRST, refusal: null }]);
});

test('messages wait in the order in which they were written, without requests of another kind', async () => {
  await queueMessage(FIRST, FORM);
  await queueMessage(SECOND, FORM);
  await withDatabase(async (db) => {
    await db.outbox.update(FIRST, { at: 6 });
    await db.outbox.update(SECOND, { at: 5 });
    const other = { kind: 'documents', path: '/api/tenders/17/document-requests', body: {}, needs: 'nothing' } as const;
    await db.outbox.put({ ...other, id: 'd', owner: '', authorization: null, at: 4, refusal: null, sentAt: null });
  });
  expect(await visibleMessageIds('')).toEqual([SECOND, FIRST]);
});

test('a message whose answer was lost is sent again under the same id', async () => {
  await queueMessage(FIRST, FORM);
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(sendMessages()).rejects.toThrow();
  answer = thanks;
  await sendMessages();
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST, FIRST]);
  expect(await waitingRows()).toEqual([]);
});

test.each([500, 503, 429])('after status %i the message is sent again later, without a notice', async (status) => {
  await queueMessage(FIRST, FORM);
  answer = refuse(status, 'Please try again later');
  await expect(sendMessages()).rejects.toThrow();
  expect(await waitingRows()).toEqual([{ id: FIRST, refusal: null }]);
  expect(toastText()).toBeUndefined();
});

test('a message that the server refuses stays with its reason, and the next one is sent', async () => {
  await queueMessage(FIRST, FORM);
  await queueMessage(SECOND, { ...FORM, subject: 'Roads of Kinnaur' });
  answer = () => (received.length === 1 ? refuse(400, 'Please enter a valid email address')() : thanks());
  await sendMessages();
  await sendMessages();
  expect(received).toHaveLength(2);
  expect(await waitingRows()).toEqual([{ id: FIRST, refusal: 'Please enter a valid email address' }]);
});

test('a refused message is shown to its owner as it was written, with the reason', async () => {
  await queueMessage(FIRST, FORM);
  answer = refuse(400, 'Please enter a valid email address');
  await sendMessages();
  expect(toastText()).toBe('Your message “Tenders of Kinnaur” was not sent: Please enter a valid email address');
  expect(await withDatabase((db) => waitingMessages(db, ''))).toEqual([
    { id: FIRST, form: FORM, refusal: 'Please enter a valid email address' },
  ]);
});

test('a removed message is not sent', async () => {
  await queueMessage(FIRST, FORM);
  await removeMessage(FIRST);
  await sendMessages();
  expect(received).toEqual([]);
});

test('a message that is removed while the one before it is sent is not sent', async () => {
  await queueMessage(FIRST, FORM);
  await queueMessage(SECOND, FORM);
  answer = async () => {
    await removeMessage(SECOND);
    return thanks();
  };
  await sendMessages();
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST]);
});

test('a refusal is not shown to the user who has signed in since, and waits for its owner', async () => {
  signInForTest('7');
  await queueMessage(FIRST, FORM);
  signInForTest('8');
  answer = refuse(400, 'Please enter a valid email address');
  await sendMessages();
  expect(toastText()).toBeUndefined();
  expect([await visibleMessageIds('7'), await visibleMessageIds('8')]).toEqual([[FIRST], []]);
});

test('a message that is removed while the server refuses it does not come back', async () => {
  await queueMessage(FIRST, FORM);
  answer = async () => {
    await removeMessage(FIRST);
    return refuse(400, 'Please enter a valid email address')();
  };
  await sendMessages();
  expect(await waitingRows()).toEqual([]);
});

test('a message is visible to its owner only, and is still sent after the sign-out, without a notice and without a session', async () => {
  signInForTest('7');
  await queueMessage(FIRST, FORM);
  expect(await visibleMessageIds('7')).toEqual([FIRST]);
  expect(await visibleMessageIds('')).toEqual([]);
  signInForTest('8');
  expect(await visibleMessageIds('8')).toEqual([]);
  await withDatabase((db) => deleteRefusedRequests(db, '7'));
  await sendMessages();
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST]);
  expect(authorizations).toEqual([null]);
  expect(toastText()).toBeUndefined();
});

test('a refused message is removed at the sign-out of its owner', async () => {
  signInForTest('7');
  await queueMessage(FIRST, FORM);
  answer = refuse(400, 'Please enter a valid email address');
  await sendMessages();
  expect(await waitingRows()).toHaveLength(1);
  await withDatabase((db) => deleteRefusedRequests(db, '8'));
  expect(await waitingRows()).toHaveLength(1);
  await withDatabase((db) => db.outbox.put(bookmarkChange('7', '1', true, 1)));
  await withDatabase((db) => deleteRefusedRequests(db, '7'));
  expect(await waitingRows()).toEqual([]);
  // An unsent change of a bookmark waits for the next sign-in.
  expect(await withDatabase((db) => db.outbox.toCollection().primaryKeys())).toEqual(['bookmark 7 1']);
});

test('a message that fails is sent again by itself, without an online event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await queueMessage(FIRST, FORM);
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(sendMessages()).rejects.toThrow();
    answer = thanks;
    await vi.advanceTimersByTimeAsync(60_000);
  } finally {
    vi.useRealTimers();
  }
  await expect.poll(waitingRows).toEqual([]);
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST, FIRST]);
});

test('the app announces what the service worker has sent', async () => {
  await queueMessage(FIRST, FORM);
  await withDatabase((db) =>
    db.outbox.toCollection().modify((row) => void Object.assign(row, { sentAt: 1, body: { subject: FORM.subject } })),
  );
  expect(await visibleMessageIds('')).toEqual([]);
  await sendMessages();
  expect(received).toEqual([]);
  expect(toastText()).toBe('Your message “Tenders of Kinnaur” was sent.');
  expect(await waitingRows()).toEqual([]);
});

test('the app announces also what the service worker has sent without its subject', async () => {
  await queueMessage(FIRST, FORM);
  await withDatabase((db) =>
    db.outbox.toCollection().modify((row) => void Object.assign(row, { sentAt: 1, body: null })),
  );
  await sendMessages();
  expect(toastText()).toBe('Your message was sent.');
});

test('a hidden page announces nothing; the page that the user sees next does, also without a connection', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await queueMessage(FIRST, FORM);
  await sendMessages();
  expect(received.map(({ messageId }) => messageId)).toEqual([FIRST]);
  expect(toastText()).toBeUndefined();
  expect(await visibleMessageIds('')).toEqual([]);

  onLine.mockReturnValue(false);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(toastText).toBe('Your message “Tenders of Kinnaur” was sent.');
  expect(await waitingRows()).toEqual([]);
});

test('a page that starts without a connection announces what was sent before', async () => {
  await queueMessage(FIRST, FORM);
  await withDatabase((db) =>
    db.outbox.toCollection().modify((row) => void Object.assign(row, { sentAt: 1, body: { subject: FORM.subject } })),
  );
  await sendOutbox();
  expect(toastText()).toBe('Your message “Tenders of Kinnaur” was sent.');
});

test('in a browser without Web Locks it announces it once', async () => {
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  const texts: unknown[] = [];
  const stop = useToast.subscribe(({ current }) => texts.push(current?.text));
  await queueMessage(FIRST, FORM);
  await withDatabase((db) =>
    db.outbox.toCollection().modify((row) => void Object.assign(row, { sentAt: 1, body: { subject: FORM.subject } })),
  );
  await sendMessages();
  stop();
  expect(texts).toEqual(['Your message “Tenders of Kinnaur” was sent.']);
});

test('what the service worker has sent for another user is not announced', async () => {
  signInForTest('7');
  await queueMessage(FIRST, FORM);
  await withDatabase((db) => db.outbox.toCollection().modify((row) => void Object.assign(row, { sentAt: 1 })));
  signInForTest('8');
  await sendMessages();
  expect(toastText()).toBeUndefined();
  expect(await waitingRows()).toEqual([]);
});

test('a message that cannot be removed stays, and the user reads that', async () => {
  await queueMessage(FIRST, FORM);
  await withDatabase(async (db) => vi.spyOn(db.outbox, 'delete').mockRejectedValue(new Error('disk')));
  expect(await removeFromList(FIRST)).toBe(false);
  expect(useToast.getState().current?.text).toBe('The message could not be removed. Please try again.');
  vi.restoreAllMocks();
  expect(await removeFromList(FIRST)).toBe(true);
});
