// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import { setLanguage } from '@nivida/contract/i18n';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../device/database.ts';
import type { OutboxRequestRow } from '../device/schema.ts';
import { readSetting } from '../device/settings.ts';
import { LANGUAGE_KEY } from '../device/worker-database.ts';
import { withLock } from '../lock.ts';
import { addToOutbox } from './outbox.ts';
import { sendFromWorker } from './outbox-worker.ts';
import {
  bookmarkChange,
  isRequest,
  officeChange,
  pendingChanges,
  putPendingChange,
  recordChange,
  searchChange,
} from './pending-changes.ts';
import { outboxAnswer } from './test-outbox.ts';

const ROW: OutboxRequestRow = {
  id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01',
  owner: '7',
  kind: 'contact',
  path: '/api/contact',
  body: { subject: 'Tenders of Kinnaur', message: 'Do you list the works of the forest division?' },
  needs: 'nothing',
  authorization: null,
  at: 5,
  refusal: null,
  sentAt: null,
};

const REFUSED = { code: 'REFUSED', message: 'Not accepted' };

/** The calls that the server receives; `answer` is its response. */
let calls: { path: string; authorization: string | null; body: string }[];
let answer: () => Response;

/** The server's answer to the last call of changes. */
const answerTo = (refusals: Parameters<typeof outboxAnswer>[2] = {}) =>
  outboxAnswer(JSON.parse(calls.at(-1)?.body ?? '{}'), {}, refusals);

beforeEach(() => {
  calls = [];
  answer = () => Response.json({ success: true });
  vi.stubGlobal('fetch', async (path: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    calls.push({ path, authorization: headers.authorization ?? null, body });
    return answer();
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const putOutboxRow = (changes: Partial<OutboxRequestRow> = {}) =>
  withDatabase((db) => db.outbox.put({ ...ROW, ...changes }));
const readOutboxRows = async () => (await withDatabase((db) => db.outbox.toArray())).filter(isRequest);

test('the worker sends a request without a session, and leaves the app only the subject', async () => {
  await putOutboxRow();
  await sendFromWorker(9);
  expect(calls).toEqual([{ path: '/api/contact', authorization: null, body: JSON.stringify(ROW.body) }]);
  expect(await readOutboxRows()).toEqual([{ ...ROW, sentAt: 9, body: { subject: 'Tenders of Kinnaur' } }]);
  await sendFromWorker(10);
  expect(calls).toHaveLength(1);
});

test('a request is sent as JSON and without cookies', async () => {
  const requests: object[] = [];
  vi.stubGlobal('fetch', async (_path: string, { method, headers, credentials }: RequestInit) => {
    requests.push({ method, headers, credentials });
    return Response.json({ success: true });
  });
  await putOutboxRow();
  await sendFromWorker(9);
  expect(requests).toEqual([{ method: 'POST', headers: { 'content-type': 'application/json' }, credentials: 'omit' }]);
});

test('a request is sent in the language of the app, in which its refusal is shown later', async () => {
  const languages: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Record<string, string> }) => {
    languages.push(headers['accept-language']);
    return Response.json({ success: true });
  });
  setLanguage('hi');
  // Without a connection the app leaves the request to the worker.
  vi.stubGlobal('navigator', { onLine: false });
  await addToOutbox({ kind: ROW.kind, path: ROW.path, body: ROW.body, needs: 'nothing' });
  await vi.waitFor(async () => expect(await readSetting(LANGUAGE_KEY)).toBe('hi'));
  setLanguage('en');
  await sendFromWorker(9);
  expect(languages).toEqual(['hi']);
});

test('a request without a body leaves the app no subject', async () => {
  await putOutboxRow({ body: null });
  await sendFromWorker(9);
  expect((await readOutboxRows()).map(({ sentAt, body }) => ({ sentAt, body }))).toEqual([{ sentAt: 9, body: {} }]);
});

test.each([
  ['without a text', () => Response.json({ message: 7 }, { status: 400 })],
  ['with the page of a proxy', () => new Response('<h1>Forbidden</h1>', { status: 403 })],
])('a request that is refused %s stays with a reason', async (_how, given) => {
  await putOutboxRow();
  answer = given;
  await sendFromWorker(9);
  expect((await readOutboxRows()).map(({ refusal }) => refusal)).toEqual(['The server did not accept this.']);
});

test('changes of one thing by two users of the phone wait beside each other, as do two things with one id', async () => {
  const office = {
    id: ROW.id,
    key: 'PWD||Mandi',
    name: 'Mandi',
    kind: 'chain',
    department: 'PWD',
    state: 'Goa',
  } as const;
  const filter = { state: 'Goa', district: '', department: '', q: 'road' };
  const search = { id: ROW.id, name: 'Roads', filter, openedUpTo: 3, savedAt: 1 };
  const changes = ['7', '8'].flatMap((owner) => [
    bookmarkChange(owner, ROW.id, true, 1),
    searchChange(owner, 'kept', search, 1),
    officeChange(owner, office, true, 1),
    recordChange(owner, 'bid', ROW.id, 1),
    recordChange(owner, 'deposit', ROW.id, 1),
  ]);
  await withDatabase(async (db) => {
    for (const change of changes) await putPendingChange(db.outbox, change);
  });
  expect(await withDatabase((db) => db.outbox.count())).toBe(10);
  for (const owner of ['7', '8']) {
    const kinds = ['bookmark', 'search', 'office', 'record'] as const;
    const waiting = await withDatabase((db) => Promise.all(kinds.map((kind) => pendingChanges(db, owner, kind))));
    expect(waiting.map((rows) => rows.length)).toEqual([1, 1, 1, 2]);
    expect(new Set(waiting.flat().map((row) => row.owner))).toEqual(new Set([owner]));
  }
});

test('a request that needs a session waits for the app', async () => {
  await putOutboxRow({ needs: 'session' });
  await sendFromWorker(9);
  expect(calls).toEqual([]);
  expect(await readOutboxRows()).toHaveLength(1);
});

test('records wait for the app and use no one-time token', async () => {
  const tokens = { key: 'send tokens', value: { owner: '7', tokens: ['one'] } };
  await withDatabase(async (db) => {
    await db.outbox.put(recordChange('7', 'bid', ROW.id, 5));
    await db.settings.put(tokens);
  });
  await sendFromWorker(9);
  expect(calls).toEqual([]);
  expect(await withDatabase((db) => db.outbox.count())).toBe(1);
  expect(await withDatabase((db) => db.settings.get('send tokens'))).toEqual(tokens);
});

test.each([500, 429, 408])('after an answer %i the browser tries again', async (status) => {
  await putOutboxRow();
  answer = () => Response.json({}, { status });
  await expect(sendFromWorker(9)).rejects.toThrow();
  expect(await readOutboxRows()).toEqual([ROW]);
});

test.each([200, 400])(
  'a request that is cancelled while it is sent does not come back after status %i',
  async (status) => {
    await putOutboxRow();
    vi.stubGlobal('fetch', async () => {
      await withDatabase((db) => db.outbox.delete(ROW.id));
      return Response.json({}, { status });
    });
    await sendFromWorker(9);
    expect(await readOutboxRows()).toEqual([]);
  },
);

test('a refused request stays with the reason of the server', async () => {
  await putOutboxRow();
  answer = () => Response.json({ message: 'Please enter a valid email address' }, { status: 400 });
  await sendFromWorker(9);
  expect(await readOutboxRows()).toEqual([{ ...ROW, refusal: 'Please enter a valid email address' }]);
  await sendFromWorker(10);
  expect(calls).toHaveLength(1);
});

test('requests are sent in the order in which they were made', async () => {
  await putOutboxRow({ at: 7, path: '/api/last' });
  await putOutboxRow({ id: '9e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a02', at: 5, path: '/api/first' });
  await putOutboxRow({ id: '8e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a03', at: 6, path: '/api/next' });
  await sendFromWorker(9);
  expect(calls.map(({ path }) => path)).toEqual(['/api/first', '/api/next', '/api/last']);
});

test('the next request is sent after a failed one', async () => {
  await putOutboxRow();
  await putOutboxRow({ id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a02', at: 6 });
  answer = () => (calls.length === 1 ? Response.json({}, { status: 503 }) : Response.json({ success: true }));
  await expect(sendFromWorker(9)).rejects.toThrow();
  expect((await readOutboxRows()).map(({ sentAt }) => sentAt)).toEqual([null, 9]);
});

test.each([200, 401])(
  'the end of a session is sent with its own token, which then goes (answer %i)',
  async (status) => {
    await putOutboxRow({
      kind: 'sign-out',
      path: '/api/auth/logout',
      needs: 'authorization',
      authorization: 'Bearer abc',
    });
    answer = () => Response.json({}, { status });
    await sendFromWorker(9);
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Bearer abc']);
    expect(await readOutboxRows()).toEqual([]);
  },
);

test('the end of alerts is sent with the device’s own secret and without a body', async () => {
  const requests: object[] = [];
  vi.stubGlobal('fetch', async (path: string, { method, headers, body }: RequestInit) => {
    requests.push({ path, method, headers, body });
    return new Response(null, { status: 204 });
  });
  const path = '/api/push/subscriptions/d1';
  const device = { method: 'DELETE', path, body: null, needs: 'authorization', authorization: 'Device abc' } as const;
  await putOutboxRow({ kind: 'alerts-off', ...device });
  await sendFromWorker(9);
  expect(requests).toEqual([{ path, method: 'DELETE', headers: { authorization: 'Device abc' }, body: undefined }]);
  expect(await readOutboxRows()).toEqual([]);
});

describe('bookmarks and searches', () => {
  const ROAD = { id: ROW.id, name: 'Roads', openedUpTo: 3, savedAt: 1 };
  const FILTER = { state: 'Himachal Pradesh', district: '', department: '', q: 'road', min: 100_000 };
  const BOOKMARK_CHANGES = [
    bookmarkChange('7', '1', true, 1),
    bookmarkChange('7', '2', false, 1),
    bookmarkChange('8', '3', true, 1),
  ];

  beforeEach(() =>
    withDatabase(async (db) => {
      await db.outbox.bulkPut(BOOKMARK_CHANGES);
      await db.outbox.put(searchChange('7', 'kept', { ...ROAD, filter: FILTER }, 1));
      await db.settings.put({ key: 'send tokens', value: { owner: '7', tokens: ['first', 'last'] } });
    }),
  );
  const left = () =>
    withDatabase(async (db) =>
      (await db.outbox.toArray()).map((row) => ('tenderId' in row ? row.tenderId : row.id.split(' ').at(-1))),
    );
  const tokens = async () => (await withDatabase((db) => db.settings.get('send tokens')))?.value;

  test('are sent with a one-time token for its owner; what the server did not accept waits for the app', async () => {
    answer = () => answerTo({ 2: REFUSED });
    await sendFromWorker(9);
    const filter = { ...FILTER, min: '100000' };
    const { savedAt: _savedAt, ...sent } = ROAD;
    expect(calls.map(({ body, ...call }) => ({ ...call, body: JSON.parse(body) }))).toEqual([
      {
        path: '/api/outbox',
        authorization: 'Once last',
        body: {
          bookmarks: [
            { tenderId: '1', wanted: true },
            { tenderId: '2', wanted: false },
          ],
          searches: [{ wanted: 'kept', search: { ...sent, filter } }],
          offices: [],
        },
      },
    ]);
    expect(await left()).toEqual(['2', '3']);
    expect(await tokens()).toEqual({ owner: '7', tokens: ['first'] });
  });

  test('are sent with followed offices', async () => {
    const office = {
      id: '0123456789ab',
      key: 'PWD||Mandi Division',
      name: 'Mandi Division',
      kind: 'chain',
      department: 'PWD',
      state: 'Himachal Pradesh',
    } as const;
    await withDatabase((db) => db.outbox.put(officeChange('7', office, true, 1)));
    answer = () => answerTo({ 1: REFUSED, 2: REFUSED, [ROW.id]: REFUSED });
    await sendFromWorker(9);
    expect(JSON.parse(calls[0]?.body ?? '{}').offices).toEqual([{ officeId: '0123456789ab', wanted: true }]);
    expect(await left()).toEqual(['1', '2', '3', ROW.id]);
  });

  test('that change while they are sent are sent again', async () => {
    vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
      calls.push({ path, authorization: null, body });
      await withDatabase(async (db) => {
        await putPendingChange(db.outbox, bookmarkChange('7', '1', false, 2));
        await putPendingChange(db.outbox, searchChange('7', 'deleted', { ...ROAD, filter: FILTER }, 2));
      });
      return answerTo();
    });
    await sendFromWorker(9);
    expect(await left()).toEqual(['1', '3', ROW.id]);
  });

  test('are sent in requests of at most 200 bookmarks, 50 searches and 50 offices', async () => {
    const office = { key: 'PWD||Mandi', name: 'Mandi', kind: 'chain', department: 'PWD', state: 'Goa' } as const;
    await withDatabase(async (db) => {
      await db.outbox.bulkPut(Array.from({ length: 300 }, (_, n) => bookmarkChange('7', `t${n}`, true, 1)));
      const offices = Array.from({ length: 60 }, (_, n) => ({ ...office, id: `o${n}` }));
      await db.outbox.bulkPut(offices.map((each) => officeChange('7', each, true, 1)));
      const searches = Array.from({ length: 60 }, (_, n) => ({ ...ROAD, id: `s${n}`, filter: FILTER }));
      await db.outbox.bulkPut(searches.map((search) => searchChange('7', 'kept', search, 1)));
    });
    answer = () => answerTo();
    await sendFromWorker(9);
    const { bookmarks, searches, offices } = JSON.parse(calls[0]?.body ?? '{}');
    expect([bookmarks.length, searches.length, offices.length]).toEqual([200, 50, 50]);
  });

  test.each<[string, () => Response]>([
    [
      'does not arrive',
      () => {
        throw new TypeError('no network');
      },
    ],
    ['finds the server busy', () => Response.json({}, { status: 503 })],
  ])('are sent again with the same token when the request %s', async (_name, failure) => {
    answer = failure;
    await expect(sendFromWorker(9)).rejects.toThrow();
    expect(await tokens()).toEqual({ owner: '7', tokens: ['first', 'last'] });
    answer = () => answerTo();
    await sendFromWorker(10);
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Once last', 'Once last']);
    expect(await left()).toEqual(['3']);
    expect(await tokens()).toEqual({ owner: '7', tokens: ['first'] });
  });

  test('are sent with the next token when the answer to the last one was lost', async () => {
    answer = () => (calls.length === 1 ? Response.json({}, { status: 401 }) : answerTo());
    await sendFromWorker(9);
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Once last', 'Once first']);
    expect(await left()).toEqual(['3']);
    expect(await tokens()).toEqual({ owner: '7', tokens: [] });
  });

  test('of another user only wait, and use no token', async () => {
    await withDatabase((db) => db.outbox.where('owner').equals('7').delete());
    await sendFromWorker(9);
    expect(calls).toEqual([]);
    expect(await left()).toEqual(['3']);
    expect(await tokens()).toEqual({ owner: '7', tokens: ['first', 'last'] });
  });

  test('that are accepted while the user signs out are not sent again, and no token comes back', async () => {
    vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
      calls.push({ path, authorization: null, body });
      await withDatabase((db) => db.settings.put({ key: 'send tokens', value: null }));
      return answerTo();
    });
    await sendFromWorker(9);
    expect(await left()).toEqual(['3']);
    expect(await tokens()).toBeNull();
  });

  test('that the server refuses are sent once, and wait for the app', async () => {
    answer = () => Response.json({ message: 'Tender not found' }, { status: 400 });
    await sendFromWorker(9);
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Once last']);
    expect(await left()).toHaveLength(4);
  });

  test('wait while a tab sends changes', async () => {
    const lock = 'changes';
    answer = () => answerTo();
    let finish = () => {};
    const tab = new Promise<void>((resolve) => {
      finish = resolve;
    });
    vi.stubGlobal('navigator', { locks });
    const held = withLock(lock, () => tab);
    const sent = sendFromWorker(9);
    await expect.poll(async () => (await locks.query()).pending.map(({ name }) => name)).toContain(lock);
    expect(calls).toEqual([]);
    finish();
    await Promise.all([held, sent]);
    expect(calls).toHaveLength(1);
  });

  test('wait for the app when there is no token, or the session has ended', async () => {
    answer = () => Response.json({}, { status: 401 });
    await sendFromWorker(9);
    await sendFromWorker(9);
    await sendFromWorker(9);
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Once last', 'Once first']);
    expect(await left()).toHaveLength(4);
  });
});
