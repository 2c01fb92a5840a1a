// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDevice, onDevice } from './device.ts';
import { forgetSendTokens, keepSendTokens } from './send-tokens.ts';
import { clearSession, startSession } from './session.ts';

const userOf = (id: string) => ({ _id: id, username: 'Asha', email: 'asha@example.in', mobileNo: '9876543210' });
const GIVEN = ['a', 'b', 'c', 'd', 'e'];

/** Paths that were asked; `whileAsked` runs before the server answers. */
let calls: string[];
let whileAsked: () => void;

beforeEach(() => {
  calls = [];
  whileAsked = () => undefined;
  vi.stubGlobal('SyncManager', class {});
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: {} });
  vi.stubGlobal('fetch', async (request: Request) => {
    calls.push(new URL(request.url).pathname);
    whileAsked();
    return Response.json({ tokens: GIVEN });
  });
  startSession('token', userOf('7'));
});

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  await onDevice((db) => db.delete());
  await closeDevice();
});

const hold = (value: unknown) => onDevice((db) => db.settings.put({ key: 'send tokens', value }));
const held = async () => (await onDevice((db) => db.settings.get('send tokens')))?.value;

test('the tokens that the server gives are stored for the user, and not asked for again while five are left', async () => {
  await keepSendTokens();
  await keepSendTokens();
  expect(calls).toEqual(['/api/outbox/tokens']);
  expect(await held()).toEqual({ owner: '7', tokens: GIVEN });
});

test('with fewer than five left new ones take their place', async () => {
  await hold({ owner: '7', tokens: ['1', '2', '3', '4'] });
  await keepSendTokens();
  expect(await held()).toEqual({ owner: '7', tokens: GIVEN });
});

test('the tokens of the user before are replaced by those of the present one', async () => {
  await hold({ owner: '8', tokens: ['1', '2', '3', '4', '5', '6'] });
  await keepSendTokens();
  expect(await held()).toEqual({ owner: '7', tokens: GIVEN });
});

test('tokens that arrive after the sign-out are not stored', async () => {
  whileAsked = clearSession;
  await keepSendTokens();
  expect(calls).toHaveLength(1);
  expect(await held()).toBeUndefined();
});

test('tokens are forgotten at the sign-out', async () => {
  await keepSendTokens();
  await forgetSendTokens();
  expect(await held()).toBeNull();
});

test.each([
  ['signed out', clearSession],
  ['without a network', () => vi.stubGlobal('navigator', { onLine: false, serviceWorker: {} })],
  ['without Background Sync', () => Reflect.deleteProperty(globalThis, 'SyncManager')],
])('%s none are asked for', async (_name, lose) => {
  lose();
  await keepSendTokens();
  expect(calls).toEqual([]);
});
