// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import { LANGUAGE_KEY } from '../../data/device/worker-database.ts';
import { sendOutbox, stopOutbox } from '../../data/outbox/outbox.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { deleteRequestsOf, readLastEmail, requestDocuments, requestedIds, tryRequestDocuments } from './requests.ts';

let onLine: MockInstance<() => boolean>;
/** The bodies that reached the server. */
let received: { path: string; body: unknown; authorization: string | null }[];
let answer: () => Response;

beforeEach(() => {
  received = [];
  answer = () => Response.json({ message: 'We have your request.' }, { status: 202 });
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    const authorization = request.headers.get('authorization');
    received.push({ path: new URL(request.url).pathname, body: JSON.parse(await request.text()), authorization });
    return answer();
  });
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

const readRequestedIds = (owner: string) => withDatabase((db) => requestedIds(db, owner));

function withSignal(): Promise<void> {
  onLine.mockReturnValue(true);
  return sendOutbox();
}

test('the request of a visitor without a connection waits with its address and is sent once', async () => {
  await requestDocuments('17', 'ravi@works.example');
  expect(received).toEqual([]);
  expect(await readRequestedIds('')).toEqual(['17']);
  expect(await readLastEmail()).toBe('ravi@works.example');
  await withSignal();
  await sendOutbox();
  const path = '/api/tenders/17/document-requests';
  expect(received).toEqual([{ path, body: { email: 'ravi@works.example' }, authorization: null }]);
  expect(useToast.getState().current?.text).toBe('Your request for documents was sent.');
});

test('a request of an account needs its session, and another user does not see it', async () => {
  signInForTest('7');
  await requestDocuments('17', null);
  clearSession();
  await withSignal();
  expect(received).toEqual([]);
  expect(await readRequestedIds('')).toEqual([]);
  signInForTest('7');
  await sendOutbox();
  expect(received).toEqual([{ path: '/api/tenders/17/document-requests', body: {}, authorization: 'Bearer token-7' }]);
  expect(await readRequestedIds('7')).toEqual(['17']);
  await deleteRequestsOf('7');
  expect(await readRequestedIds('7')).toEqual([]);
  expect(await withDatabase((db) => db.settings.toCollection().primaryKeys())).toEqual([LANGUAGE_KEY]);
});

test('the next request of an account is not sent in the name of a user who signs in while the first one is on its way', async () => {
  signInForTest('7');
  await requestDocuments('17', null);
  await requestDocuments('18', null);
  answer = () => {
    clearSession();
    signInForTest('8');
    return Response.json({ message: 'We have your request.' }, { status: 202 });
  };
  await withSignal();
  expect(received.map(({ path, authorization }) => [path, authorization])).toEqual([
    ['/api/tenders/17/document-requests', 'Bearer token-7'],
  ]);
  expect(useToast.getState().current).toBeUndefined();
});

test('requested tenders are listed once, newest first', async () => {
  await requestDocuments('17', 'ravi@works.example');
  await requestDocuments('18', 'ravi@works.example');
  await requestDocuments('17', 'ravi@works.example');
  expect(await readRequestedIds('')).toEqual(['17', '18']);
});

test('the last 200 requested tenders are remembered, and what an earlier build left is ignored', async () => {
  const value = [...Array.from({ length: 200 }, (_, n) => String(1_000 + n)), 5, null];
  await withDatabase((db) => db.settings.put({ key: 'document requests of ', value }));
  await requestDocuments('17', 'ravi@works.example');
  const ids = await readRequestedIds('');
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([200, '17', '1198']);
  await withDatabase((db) => db.settings.put({ key: 'document requests of ', value: 'none' }));
  expect(await readRequestedIds('')).toEqual([]);
});

test('a browser without storage says that the request cannot be saved', async () => {
  useDatabaseState.setState({ state: 'unavailable' });
  expect(await tryRequestDocuments('17', 'ravi@works.example')).toBe(
    'This browser blocks storage, so the request cannot be saved.',
  );
  useDatabaseState.setState({ state: 'ready' });
  expect(await tryRequestDocuments('17', 'ravi@works.example')).toBeNull();
});

test('a request that the server refuses can be made again, and its reason is shown', async () => {
  await requestDocuments('18', 'ravi@works.example');
  await withSignal();
  dismissToast();
  onLine.mockReturnValue(false);
  await requestDocuments('17', 'ravi@works.example');
  answer = () =>
    Response.json({ code: 'CONFLICT', message: 'This tender has closed', requestId: 'r' }, { status: 409 });
  await withSignal();
  await expect.poll(() => readRequestedIds('')).toEqual(['18']);
  expect(useToast.getState().current?.text).toBe('Your request for documents was not sent: This tender has closed');
});

test('a request that the phone cannot store is not listed as made', async () => {
  await requestDocuments('18', 'ravi@works.example');
  await withDatabase(async (db) => vi.spyOn(db.outbox, 'put').mockRejectedValue(new Error('disk')));
  expect(await tryRequestDocuments('17', 'ravi@works.example')).toBe('The request was not saved.');
  expect(await readRequestedIds('')).toEqual(['18']);
});
