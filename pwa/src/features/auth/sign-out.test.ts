// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDevice, onDevice, useDevice } from '../../data/device.ts';
import { sendOutbox, stopOutbox } from '../../data/outbox.ts';
import { endSession } from './sign-out.ts';

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
  await onDevice((db) => db.delete()).catch(() => undefined);
  await closeDevice();
});

const kept = () => onDevice((db) => db.outbox.count());

test('signing out tells the server at once with the token that is no longer kept', async () => {
  await endSession('abc');
  await vi.waitFor(async () => expect([tokens, await kept()]).toEqual([['Bearer abc'], 0]));
});

test('a sign-out without signal reaches the server later, and its token then leaves the device', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await endSession('abc');
  expect([tokens, await kept()]).toEqual([[], 1]);
  onLine.mockReturnValue(true);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  await expect(sendOutbox()).rejects.toThrow();
  answer = () => Response.json({ message: 'You are signed out' });
  await sendOutbox();
  expect([tokens, await kept()]).toEqual([['Bearer abc', 'Bearer abc'], 0]);
});

test('a token that the server no longer knows is not kept either', async () => {
  answer = () => Response.json({ message: 'Please sign in' }, { status: 401 });
  await endSession('abc');
  await vi.waitFor(async () => expect([tokens, await kept()]).toEqual([['Bearer abc'], 0]));
});

test('where the browser keeps nothing the server is told at once', async () => {
  useDevice.setState({ state: 'unavailable' });
  await endSession('abc');
  expect(tokens).toEqual(['Bearer abc']);
});
