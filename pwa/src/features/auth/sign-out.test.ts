// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import { sendOutbox, stopOutbox } from '../../data/outbox/outbox.ts';
import { signOutOnServer } from './sign-out.ts';

let tokens: (string | null)[];
let answer: () => Response;

beforeEach(() => {
  tokens = [];
  answer = () => Response.json({ message: 'You are signed out' });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url).pathname === '/api/auth/logout') tokens.push(request.headers.get('authorization'));
    return answer();
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  stopOutbox();
  await withDatabase((db) => db.delete()).catch(() => undefined);
  await closeDatabase();
});

const countOutboxRows = () => withDatabase((db) => db.outbox.count());

test('a sign-out reaches the server at once with the token that is no longer stored', async () => {
  await signOutOnServer('abc');
  await expect.poll(async () => [tokens, await countOutboxRows()]).toEqual([['Bearer abc'], 0]);
});

test('a sign-out without a connection reaches the server later, and its token then leaves the device', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await signOutOnServer('abc');
  expect([tokens, await countOutboxRows()]).toEqual([[], 1]);
  onLine.mockReturnValue(true);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  await expect(sendOutbox()).rejects.toThrow();
  answer = () => Response.json({ message: 'You are signed out' });
  await sendOutbox();
  expect([tokens, await countOutboxRows()]).toEqual([['Bearer abc', 'Bearer abc'], 0]);
});

test('a token that the server no longer knows leaves the device too', async () => {
  answer = () => Response.json({ message: 'Please sign in' }, { status: 401 });
  await signOutOnServer('abc');
  await expect.poll(async () => [tokens, await countOutboxRows()]).toEqual([['Bearer abc'], 0]);
});

test('without storage the sign-out is sent at once', async () => {
  useDatabaseState.setState({ state: 'unavailable' });
  await signOutOnServer('abc');
  expect(tokens).toEqual(['Bearer abc']);
});
