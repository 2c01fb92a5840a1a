// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import type { SupportThread } from '@nivida/contract/support/threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, observeDevice, withDatabase } from '../device/database.ts';
import type { PendingMessageRow } from '../device/schema.ts';
import { sendFromWorker } from '../outbox/outbox-worker.ts';
import { clearSession } from '../session.ts';
import { signInForTest } from '../test-session.ts';
import { exchangeSupport, stopSupport, UNDO_CLOSE_MS } from './exchange-support.ts';
import { onSupportMessage } from './message-news.ts';
import {
  closeChange,
  deleteSupportAtSignOut,
  deleteSupportOf,
  markThreadRead,
  putPendingMessage,
  readSupport,
  readSupportFile,
  removeUnusedSupportFiles,
  type ShownSupport,
  type ShownThread,
  storeSupportFile,
} from './support-rows.ts';
import { syncSupport } from './sync-support.ts';
import { countUnreadAnswers } from './thread-rows.ts';

const T1 = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01';
const NOW = Date.parse('2026-04-15T06:00:00Z');
const THREAD = { subject: 'Roads of Kinnaur', orderId: null, tenderId: '12', tenderTitle: 'A road' };
const PHOTO = { id: 'aaaaaaaa-5a52-4c0e-9a0a-0f3d1c9b7a01', name: 'site.jpg', type: 'image/jpeg', bytes: 9 } as const;

const message = (id: string, changes: Partial<PendingMessageRow> = {}): PendingMessageRow => ({
  ...{ id, owner: '7', kind: 'message', at: NOW - 60_000, threadId: T1, thread: null },
  ...{ text: `Text of ${id}`, files: [], refusal: null, delay: null },
  ...changes,
});
const first = (changes: Partial<PendingMessageRow> = {}) => message('m1', { thread: THREAD, ...changes });

const sentMessage = (id: string, sender: 'user' | 'staff') => ({
  ...{ id, sender, text: `Text of ${id}`, createdAt: new Date(NOW).toISOString(), readAt: null, attachments: [] },
});
const serverThread = (changes: Partial<SupportThread> = {}): SupportThread => ({
  ...THREAD,
  ...{ id: T1, state: 'waiting', createdAt: new Date(NOW).toISOString(), updatedAt: new Date(NOW).toISOString() },
  ...{ messages: [sentMessage('m1', 'user')] },
  ...changes,
});
const ANSWERED = serverThread({ state: 'answered', messages: [sentMessage('m1', 'user'), sentMessage('a1', 'staff')] });

interface Call {
  call: string;
  body: unknown;
  authorization: string | null;
}
/** The calls that the server receives, and its answers by the beginning of their call. */
let calls: Call[];
let answers: Record<string, (call: Call) => Response | Promise<Response>>;

const page = (threads: SupportThread[], ids = threads.map(({ id }) => id)) =>
  Response.json({ threads, ids, cursor: 'c1', more: false });

beforeEach(() => {
  vi.stubGlobal('Blob', NodeBlob);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  calls = [];
  answers = { 'GET /api/support/threads': () => new Response(null, { status: 204 }) };
  vi.stubGlobal('fetch', async (input: Request | string, init: RequestInit = {}) => {
    const request = input instanceof Request ? input : undefined;
    const { pathname, search } = new URL(request?.url ?? String(input), 'http://localhost');
    const call: Call = {
      call: `${request?.method ?? init.method} ${pathname}${search}`,
      body: request ? await request.clone().text() : init.body,
      authorization:
        request?.headers.get('authorization') ?? (init.headers as Record<string, string>)?.authorization ?? null,
    };
    calls.push(call);
    const answer = Object.entries(answers).find(([start]) => call.call.startsWith(start))?.[1];
    return answer ? answer(call) : Response.json({}, { status: 404 });
  });
  signInForTest('7');
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  stopSupport();
  onSupportMessage(() => undefined);
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const put = (...rows: PendingMessageRow[]) =>
  withDatabase(async (db) => {
    for (const row of rows) await putPendingMessage(db, row);
  });
const storeFile = (id: string, bytes: number, at = NOW) =>
  withDatabase((db) => storeSupportFile(db, { owner: '7', id, file: new Blob([new Uint8Array(bytes)]), at }));
const shown = (owner = '7') => withDatabase((db) => readSupport(db, owner));
const thread = async (): Promise<ShownThread> => {
  const [only] = (await shown()).threads;
  if (!only) throw new Error('no thread');
  return only;
};
const pending = async () => (await thread()).pending.map(({ id, refusal, delay }) => [id, refusal, delay]);
const writes = () => calls.map(({ call }) => call).filter((call) => !call.startsWith('GET'));
const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'));
const exchange = () => exchangeSupport().catch((error: Error) => error.message);

test('the list shows a message that is written and a list that arrives while it is open', async () => {
  let rows: ShownSupport | undefined;
  const stop = observeDevice(
    (db) => readSupport(db, '7'),
    (next) => {
      rows = next;
    },
  );
  await expect.poll(() => rows?.isReceived).toBe(false);
  await put(first());
  await expect.poll(() => rows?.threads.map(({ id }) => id)).toEqual([T1]);
  answers['POST /api/support/threads'] = () => Response.json(serverThread());
  await exchange();
  await expect.poll(() => rows?.isReceived).toBe(true);
  stop();
});

describe('a message', () => {
  test('that begins a thread waits with the thread, is sent, and is then the server’s', async () => {
    await put(first());
    expect(await thread()).toMatchObject({ id: T1, subject: 'Roads of Kinnaur', isNew: true, messages: [], unread: 0 });
    answers['POST /api/support/threads'] = () => Response.json(serverThread());
    await exchange();
    expect(JSON.parse(String(calls[0]?.body))).toEqual({
      ...{ id: T1, subject: 'Roads of Kinnaur', orderId: null, tenderId: '12' },
      message: { id: 'm1', text: 'Text of m1', attachmentIds: [] },
    });
    expect(calls[0]?.authorization).toBe('Bearer token-7');
    expect(await thread()).toMatchObject({ isNew: false, pending: [], messages: [{ id: 'm1' }] });
    await exchange();
    expect(writes()).toHaveLength(1);
  });

  test('of a thread follows the one that begins it, and waits while that one is refused', async () => {
    await put(first(), message('m2', { at: NOW - 50_000 }));
    answers['POST /api/support/threads'] = () => Response.json({ message: 'Not allowed' }, { status: 400 });
    await exchange();
    expect(writes()).toEqual(['POST /api/support/threads']);
    expect(await pending()).toEqual([
      ['m1', 'Not allowed', null],
      ['m2', null, null],
    ]);
    await put(first());
    answers['POST /api/support/threads'] = ({ call }) =>
      Response.json(serverThread({ messages: [sentMessage(call.endsWith('messages') ? 'm2' : 'm1', 'user')] }));
    await exchange();
    expect(writes().slice(1)).toEqual(['POST /api/support/threads', `POST /api/support/threads/${T1}/messages`]);
    expect(await pending()).toEqual([]);
  });

  test('without an answer stays and is repeated; the limit of the server is shown as its reason', async () => {
    await put(first());
    answers['POST /api/support/threads'] = noAnswer;
    expect(await exchange()).not.toBeUndefined();
    expect(await pending()).toEqual([['m1', null, null]]);
    answers['POST /api/support/threads'] = () =>
      Response.json({ message: 'Try again in 60 minutes.' }, { status: 429 });
    await exchange();
    expect(await pending()).toEqual([['m1', null, 'Try again in 60 minutes.']]);
    answers['POST /api/support/threads'] = () => Response.json(serverThread());
    await exchange();
    expect(await pending()).toEqual([]);
  });

  test('that is removed while it is sent does not come back, and one that is changed is sent again', async () => {
    await put(first());
    answers['POST /api/support/threads'] = async () => {
      await withDatabase((db) => db.outbox.delete('m1'));
      return Response.json({ message: 'Not allowed' }, { status: 400 });
    };
    await exchange();
    expect((await shown()).threads).toEqual([]);
    await put(first());
    answers['POST /api/support/threads'] = async () => {
      await put(first({ text: 'Another text', at: NOW }));
      return Response.json(serverThread());
    };
    await exchange();
    expect((await thread()).pending.map(({ text }) => text)).toEqual(['Another text']);
  });

  test('is announced after a wait or a refusal, only to its owner', async () => {
    const news: unknown[] = [];
    onSupportMessage(({ id }, refusal) => news.push([id, refusal]));
    answers['POST /api/support/threads'] = () => Response.json(serverThread());
    await put(first({ at: NOW - 1_000 }));
    await exchange();
    expect(news).toEqual([]);
    await put(message('m2'));
    await exchange();
    answers['POST /api/support/threads'] = () => Response.json({ message: 'Too long' }, { status: 400 });
    await put(message('m3'));
    await exchange();
    expect(news).toEqual([
      ['m2', null],
      ['m3', 'Too long'],
    ]);
  });

  test('of another user of the phone is neither shown nor sent', async () => {
    await put(first({ owner: '8' }));
    expect((await shown()).threads).toEqual([]);
    await exchange();
    expect(writes()).toEqual([]);
  });
});

describe('an attachment', () => {
  const upload = ({ call }: Call) => {
    const [part, parts] = call.replace(/\?.*/, '').split('/').slice(-2).map(Number) as [number, number];
    return Response.json({ stored: part + 1, attachment: part + 1 === parts ? PHOTO : null });
  };

  test('is sent in parts before its message', async () => {
    await storeFile(PHOTO.id, 2 * FILE_PART_BYTES + 1);
    await put(first({ files: [PHOTO] }));
    answers['PUT /api/support/attachments'] = upload;
    answers['POST /api/support/threads'] = () => Response.json(serverThread());
    await exchange();
    expect(writes()).toEqual([
      ...[0, 1, 2].map((part) => `PUT /api/support/attachments/${PHOTO.id}/${part}/3?name=site.jpg`),
      'POST /api/support/threads',
    ]);
    expect(JSON.parse(String(calls.find(({ call }) => call.startsWith('POST'))?.body)).message.attachmentIds).toEqual([
      PHOTO.id,
    ]);
  });

  test('goes on where it stopped, and from the start when the server has removed its parts', async () => {
    await storeFile(PHOTO.id, 3 * FILE_PART_BYTES);
    await put(first({ files: [PHOTO] }));
    answers['PUT /api/support/attachments'] = () => Response.json({ stored: 2, attachment: null });
    answers[`PUT /api/support/attachments/${PHOTO.id}/2`] = noAnswer;
    const parts = () => writes().map((call) => call.split('/').at(-2));
    answers = { [`PUT /api/support/attachments/${PHOTO.id}/2`]: noAnswer, ...answers };
    await exchange();
    expect(parts()).toEqual(['0', '2']);
    calls = [];
    let isGone = true;
    answers = {
      [`PUT /api/support/attachments/${PHOTO.id}/2`]: (call) => {
        const answer = isGone ? Response.json({ message: 'Start again' }, { status: 409 }) : upload(call);
        isGone = false;
        return answer;
      },
      'PUT /api/support/attachments': (call) =>
        isGone ? Response.json({ stored: 2, attachment: null }) : upload(call),
      'POST /api/support/threads': () => Response.json(serverThread()),
      'GET /api/support/threads': () => new Response(null, { status: 204 }),
    };
    await exchange();
    expect(parts().slice(0, 5)).toEqual(['0', '2', '0', '1', '2']);
    expect(await pending()).toEqual([]);
  });

  test('that the server or the device does not have refuses the message, with what to do', async () => {
    await storeFile(PHOTO.id, 9);
    await put(first({ files: [PHOTO] }));
    answers['PUT /api/support/attachments'] = () => Response.json({ message: 'No room for files' }, { status: 413 });
    await exchange();
    expect(await pending()).toEqual([['m1', 'No room for files', null]]);
    await withDatabase((db) => db.supportFiles.clear());
    await put(first({ files: [PHOTO] }));
    await exchange();
    expect(await pending()).toEqual([
      ['m1', 'The file “site.jpg” is no longer on this phone. Edit the message and add it again.', null],
    ]);
    expect(writes().filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  test('of a forgotten draft is removed after a day, those of messages stay', async () => {
    const day = 86_400_000;
    for (const id of ['old', 'sent', 'waits']) await storeFile(id, 3, NOW - day - 1);
    await storeFile('new', 3, NOW);
    await put(message('m2', { files: [{ ...PHOTO, id: 'waits' }] }));
    const withFile = { ...sentMessage('m1', 'user'), attachments: [{ ...PHOTO, id: 'sent' }] };
    await withDatabase((db) =>
      db.supportThreads.put({ ...serverThread({ messages: [withFile] }), owner: '7', unsentRead: null }),
    );
    await withDatabase((db) => removeUnusedSupportFiles(db, '7', NOW));
    const stored = await withDatabase((db) =>
      Promise.all(
        ['old', 'sent', 'waits', 'new'].map(async (id) => (await readSupportFile(db, '7', id)) !== undefined),
      ),
    );
    expect(stored).toEqual([false, true, true, true]);
  });
});

describe('threads of the server', () => {
  test('are received page by page after the cursor, and those that it does not have any more are removed', async () => {
    const other = serverThread({ id: '8e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a02', subject: 'Payment' });
    const pages = [
      { threads: [serverThread()], ids: [T1, other.id], cursor: 'c1', more: true },
      { threads: [other], ids: [T1, other.id], cursor: 'c2', more: false },
      { threads: [], ids: [other.id], cursor: 'c3', more: false },
    ];
    answers['GET /api/support/threads'] = () => Response.json(pages.shift() ?? {});
    await exchange();
    expect((await shown()).threads).toHaveLength(2);
    await exchange();
    expect((await shown()).threads.map(({ subject }) => subject)).toEqual(['Payment']);
    expect(calls.map(({ call }) => call)).toEqual([
      'GET /api/support/threads',
      'GET /api/support/threads?after=c1',
      'GET /api/support/threads?after=c2',
    ]);
  });

  test('that were read are marked here at once, and on the server when there is a connection', async () => {
    answers['GET /api/support/threads'] = () => page([ANSWERED]);
    await exchange();
    expect(await withDatabase((db) => countUnreadAnswers(db, '7'))).toBe(1);
    expect(await withDatabase((db) => markThreadRead(db, '7', T1, new Date(NOW)))).toBe(true);
    expect(await withDatabase((db) => countUnreadAnswers(db, '7'))).toBe(0);
    expect(await withDatabase((db) => markThreadRead(db, '7', T1, new Date(NOW)))).toBe(false);
    answers[`POST /api/support/threads/${T1}/read`] = noAnswer;
    await exchange();
    // The server's list does not have the mark yet.
    expect((await thread()).unread).toBe(0);
    answers[`POST /api/support/threads/${T1}/read`] = () => Response.json(ANSWERED);
    await exchange();
    expect(JSON.parse(String(calls.findLast(({ call }) => call.endsWith('/read'))?.body))).toEqual({ messageId: 'a1' });
    expect(await withDatabase(async (db) => (await db.supportThreads.get(['7', T1]))?.unsentRead)).toBeNull();
  });

  test('that are closed can be opened again for a while; a message that waits comes first', async () => {
    answers['GET /api/support/threads'] = () => page([ANSWERED]);
    answers[`POST /api/support/threads/${T1}/close`] = () => Response.json(serverThread({ state: 'closed' }));
    await exchange();
    await withDatabase((db) => db.outbox.put(closeChange('7', T1, NOW)));
    expect((await thread()).state).toBe('closed');
    await exchange();
    expect(writes()).toEqual([]);
    vi.setSystemTime(NOW + UNDO_CLOSE_MS);
    answers['GET /api/support/threads'] = () => new Response(null, { status: 204 });
    await exchange();
    expect(writes()).toEqual([`POST /api/support/threads/${T1}/close`]);
    expect(await withDatabase((db) => db.outbox.count())).toBe(0);
    // A message opens the thread again, also before the close was sent.
    await withDatabase((db) => db.outbox.put(closeChange('7', T1, NOW)));
    await put(message('m2'));
    expect(await withDatabase((db) => db.outbox.count())).toBe(1);
  });

  test('of a user who has signed out meanwhile are not stored', async () => {
    answers['GET /api/support/threads'] = () => {
      clearSession();
      return page([ANSWERED]);
    };
    await exchange();
    expect(await withDatabase((db) => db.supportThreads.count())).toBe(0);
  });

  test('are asked for by the sync when the device has some, or once a day', async () => {
    await syncSupport();
    await syncSupport();
    expect(calls).toHaveLength(1);
    vi.setSystemTime(NOW + 86_400_001);
    answers['GET /api/support/threads'] = () => page([ANSWERED]);
    await syncSupport();
    await syncSupport();
    expect(calls).toHaveLength(3);
    clearSession();
    await syncSupport();
    expect(calls).toHaveLength(3);
  });
});

test('a message that is sent on one device is on the other with its answer', async () => {
  answers['GET /api/support/threads'] = () => page([ANSWERED]);
  await exchange();
  expect(await thread()).toMatchObject({ state: 'answered', unread: 1, messages: [{ id: 'm1' }, { id: 'a1' }] });
});

test('at the sign-out threads, files and refused messages go; messages that wait stay for the next sign-in', async () => {
  answers['GET /api/support/threads'] = () => page([ANSWERED]);
  await exchange();
  await storeFile('opened', 3);
  await storeFile(PHOTO.id, 3);
  await put(message('m2', { files: [PHOTO] }), message('m3', { refusal: 'Too long' }), message('m4', { owner: '8' }));
  await withDatabase((db) => deleteSupportAtSignOut(db, '7'));
  const left = () =>
    withDatabase(async (db) => ({
      threads: await db.supportThreads.count(),
      files: (await db.supportFiles.toArray()).map(({ id }) => id),
      outbox: (await db.outbox.toArray()).map(({ id }) => id),
      settings: (await db.settings.toArray()).filter(({ key }) => key.startsWith('support')),
    }));
  expect(await left()).toEqual({ threads: 0, files: [PHOTO.id], outbox: ['m2', 'm4'], settings: [] });
  await withDatabase((db) => deleteSupportOf(db, '7'));
  expect(await left()).toEqual({ threads: 0, files: [], outbox: ['m4'], settings: [] });
});

describe('the service worker', () => {
  const tokens = (...left: string[]) =>
    withDatabase((db) => db.settings.put({ key: 'send tokens', value: { owner: '7', tokens: left } }));
  const leftTokens = async () => (await withDatabase((db) => db.settings.get('send tokens')))?.value;

  test('sends a message and its files with one token, which only the message uses up', async () => {
    await tokens('one', 'two');
    await storeFile(PHOTO.id, 9);
    await put(first({ files: [PHOTO] }), message('m9', { owner: '8', thread: THREAD }));
    answers['PUT /api/support/attachments'] = () => Response.json({ stored: 1, attachment: PHOTO });
    answers['POST /api/support/threads'] = () => Response.json(serverThread());
    await sendFromWorker(NOW);
    expect(calls.map(({ call, authorization }) => [call.split('?')[0], authorization])).toEqual([
      [`PUT /api/support/attachments/${PHOTO.id}/0/1`, 'Once two'],
      ['POST /api/support/threads', 'Once two'],
    ]);
    expect(await leftTokens()).toEqual({ owner: '7', tokens: ['one'] });
    expect(await thread()).toMatchObject({ isNew: false, pending: [] });
  });

  test('tries the next token, and leaves the message to the app without one', async () => {
    await tokens('one', 'two');
    await put(first());
    answers['POST /api/support/threads'] = ({ authorization }) =>
      authorization === 'Once two' ? Response.json({}, { status: 401 }) : Response.json(serverThread());
    await sendFromWorker(NOW);
    expect(await pending()).toEqual([]);
    expect(await leftTokens()).toEqual({ owner: '7', tokens: [] });
    await put(message('m2'));
    await sendFromWorker(NOW);
    expect(await pending()).toEqual([['m2', null, null]]);
    expect(writes()).toHaveLength(2);
  });

  test('is called again after a failure', async () => {
    await tokens('one');
    await put(first());
    answers['POST /api/support/threads'] = () => Response.json({}, { status: 503 });
    await expect(sendFromWorker(NOW)).rejects.toThrow('status 503');
    expect(await pending()).toEqual([['m1', null, null]]);
  });
});
