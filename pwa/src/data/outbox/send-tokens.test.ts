// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../device/database.ts';
import { clearSession, startSession } from '../session.ts';
import { registerBackgroundSync, sendsLaterText } from './background-sync.ts';
import { deleteSendTokens, refreshSendTokens } from './send-tokens.ts';

const userOf = (id: string) => ({ _id: id, username: 'Asha', email: 'asha@example.in', mobileNo: '9876543210' });
const SERVER_TOKENS = ['a', 'b', 'c', 'd', 'e'];

/** Paths that were asked; `onTokenRequest` runs before the server answers. */
let calls: string[];
let onTokenRequest: () => void;

beforeEach(() => {
  calls = [];
  onTokenRequest = () => undefined;
  vi.stubGlobal('SyncManager', class {});
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: {} });
  vi.stubGlobal('fetch', async (request: Request) => {
    calls.push(new URL(request.url).pathname);
    onTokenRequest();
    return Response.json({ tokens: SERVER_TOKENS });
  });
  startSession('token', userOf('7'));
});

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const writeStoredTokens = (value: unknown) => withDatabase((db) => db.settings.put({ key: 'send tokens', value }));
const readStoredTokens = async () => (await withDatabase((db) => db.settings.get('send tokens')))?.value;

test('the tokens that the server gives are stored for the user, and not asked for again while five are left', async () => {
  await refreshSendTokens();
  await refreshSendTokens();
  expect(calls).toEqual(['/api/outbox/tokens']);
  expect(await readStoredTokens()).toEqual({ owner: '7', tokens: SERVER_TOKENS });
});

test('with fewer than five left new ones take their place', async () => {
  await writeStoredTokens({ owner: '7', tokens: ['1', '2', '3', '4'] });
  await refreshSendTokens();
  expect(await readStoredTokens()).toEqual({ owner: '7', tokens: SERVER_TOKENS });
});

test('the tokens of the user before are replaced by those of the present one', async () => {
  await writeStoredTokens({ owner: '8', tokens: ['1', '2', '3', '4', '5', '6'] });
  await refreshSendTokens();
  expect(await readStoredTokens()).toEqual({ owner: '7', tokens: SERVER_TOKENS });
});

test('tokens that arrive after the sign-out are not stored', async () => {
  onTokenRequest = clearSession;
  await refreshSendTokens();
  expect(calls).toHaveLength(1);
  expect(await readStoredTokens()).toBeUndefined();
});

test('tokens of a user who signs out before they are asked for are not asked for', async () => {
  const asking = refreshSendTokens();
  clearSession();
  await expect(asking).rejects.toThrow('The session ended before the request');
  expect(calls).toEqual([]);
});

test('tokens are forgotten at the sign-out of their user, not at that of the user before', async () => {
  await refreshSendTokens();
  await deleteSendTokens('8');
  expect(await readStoredTokens()).toEqual({ owner: '7', tokens: SERVER_TOKENS });
  await deleteSendTokens('7');
  expect(await readStoredTokens()).toBeNull();
});

test.each([
  ['signed out', clearSession],
  ['without a network', () => vi.stubGlobal('navigator', { onLine: false, serviceWorker: {} })],
  ['without a service worker', () => vi.stubGlobal('navigator', { onLine: true })],
  ['without Background Sync', () => Reflect.deleteProperty(globalThis, 'SyncManager')],
])('%s none are asked for', async (_name, lose) => {
  lose();
  await refreshSendTokens();
  expect(calls).toEqual([]);
});

test('when a change is sent later is said by what the browser can do', () => {
  expect(sendsLaterText()).toBe('Sent when there is a connection.');
  Reflect.deleteProperty(globalThis, 'SyncManager');
  expect(sendsLaterText()).toBe('Sent when this app is open and there is a connection.');
});

test('a browser that has no worker yet, or refuses, is asked without an error', async () => {
  const tags: string[] = [];
  const browser = (getRegistration: () => Promise<unknown>) =>
    vi.stubGlobal('navigator', { onLine: true, serviceWorker: { getRegistration } });
  const sync = { register: async (tag: string) => void tags.push(tag) };
  browser(async () => ({ sync }));
  await registerBackgroundSync();
  expect(tags).toEqual(['outbox']);
  for (const missing of [
    async () => undefined,
    async () => ({}),
    () => Promise.reject(new Error('no worker')),
    async () => ({ sync: { register: () => Promise.reject(new Error('not allowed')) } }),
  ]) {
    browser(missing);
    await registerBackgroundSync();
  }
  Reflect.deleteProperty(globalThis, 'SyncManager');
  browser(async () => ({ sync }));
  await registerBackgroundSync();
  expect(tags).toHaveLength(1);
});
