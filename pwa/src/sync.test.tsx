// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from './data/device/database.ts';
import { NO_CHANGES } from './data/outbox/test-outbox.ts';
import { useReachability } from './data/server/reachability.ts';
import { signInForTest } from './data/test-session.ts';
import { startSync } from './sync.ts';

const ANSWERS: Record<string, object> = {
  '/api/outbox': { ...NO_CHANGES, present: { tenderIds: [], searches: [], offices: [] } },
  '/api/notices': { notices: [], unread: 0, next: null },
};

/** The calls since the network has answered again. A sync makes one of each. */
let calls: string[];
let isDown: boolean;
/** A path that fails. */
let failing: string | undefined;
/** While it is set, the user's changes have no answer. */
let held: Promise<void> | undefined;
let now = Date.now();

beforeAll(async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const { pathname } = new URL(request instanceof Request ? request.url : request, 'http://localhost');
    calls.push(pathname);
    // It is asked once a day.
    if (pathname === '/api/support/threads') return new Response(null, { status: 204 });
    if (pathname === '/api/outbox') await held;
    const answer = isDown || pathname === failing ? undefined : ANSWERS[pathname];
    return answer ? Response.json(answer) : Response.json({ message: 'down' }, { status: 500 });
  });
  [calls, isDown] = [[], false];
  signInForTest('7');
  await startSync();
  await vi.waitUntil(hasSynced, 20_000);
  // This sync follows the first one, which loads the code of its steps.
  calls = [];
  window.dispatchEvent(new Event('online'));
  await vi.waitUntil(hasSynced, 20_000);
  return async () => {
    await withDatabase((db) => db.delete());
    await closeDatabase();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await finishSync();
});
afterEach(async () => {
  await finishSync();
  vi.useRealTimers();
});

/** The network has been in this state, and answers again after `seconds`. */
function answerAgainAfter(status: 'silent' | 'unreachable', seconds: number): void {
  calls = [];
  now += 1_000 * seconds;
  useReachability.setState({ status });
  useReachability.setState({ status: 'reachable' });
}

async function pass(seconds: number): Promise<void> {
  calls = [];
  now += 1_000 * seconds;
  await vi.advanceTimersByTimeAsync(1_000 * seconds);
}

const hasSynced = () => Object.keys(ANSWERS).every((path) => calls.includes(path));

/** Tasks in which a sync calls the server and ends. */
async function finishSync(): Promise<void> {
  for (let task = 0; task < 20; task += 1) {
    await vi.advanceTimersByTimeAsync(1);
    await withDatabase((db) => db.settings.count());
  }
}

async function expectSync(): Promise<void> {
  await expect.poll(hasSynced).toBe(true);
  await finishSync();
}

async function expectNoSync(): Promise<void> {
  await finishSync();
  // Other calls may be repeated ones.
  expect(calls).not.toContain('/api/notices');
}

function showApp(visibility: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Lets a sync begin that ends with the returned function. */
async function beginSync(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  answerAgainAfter('unreachable', 60);
  await expectSync();
  return () => {
    held = undefined;
    resolve();
  };
}

test('when a network that carried nothing is back, a sync starts at once, or a minute after the last sync if that is later', async () => {
  answerAgainAfter('unreachable', 60);
  await expectSync();
  for (const seconds of [10, 20, 29]) {
    answerAgainAfter('unreachable', seconds);
    await expectNoSync();
  }
  await pass(1);
  await expectSync();
  await pass(600);
  await expectNoSync();
});

test('a network that is back while a sync begins starts no other one', async () => {
  answerAgainAfter('unreachable', 60);
  await expectSync();
  answerAgainAfter('unreachable', 2);
  await pass(600);
  await expectNoSync();
});

test('a hidden app syncs when it is shown, not when the network is back', async () => {
  showApp('hidden');
  answerAgainAfter('unreachable', 120);
  await expectNoSync();
  showApp('visible');
  await expectSync();
  showApp('hidden');
  answerAgainAfter('unreachable', 10);
  await pass(60);
  await expectNoSync();
  showApp('visible');
  await expectSync();
});

test('no sync starts while one runs, as on a slow network, and none after it if it succeeds', async () => {
  const end = await beginSync();
  for (let round = 0; round < 3; round += 1) {
    answerAgainAfter('unreachable', 61);
    await expectNoSync();
  }
  end();
  await finishSync();
  await pass(120);
  await expectNoSync();
});

test('a sync that fails while the network comes and goes is repeated after a minute', async () => {
  const end = await beginSync();
  answerAgainAfter('unreachable', 61);
  isDown = true;
  end();
  await finishSync();
  isDown = false;
  await pass(59);
  await expectNoSync();
  await pass(1);
  await expectSync();
});

test('a browser that is online again while a sync runs syncs once more after it', async () => {
  const end = await beginSync();
  calls = [];
  for (let event = 0; event < 3; event += 1) window.dispatchEvent(new Event('online'));
  await expectNoSync();
  end();
  await expectSync();
  expect(calls.filter((path) => path === '/api/notices')).toHaveLength(1);
});

test('a sync asks once for bookmarks, searches and offices', async () => {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks });
  const end = await beginSync();
  end();
  await finishSync();
  expect(calls.filter((path) => path === '/api/outbox')).toHaveLength(1);
  Reflect.deleteProperty(navigator, 'locks');
});

test('a sync that does not end holds back others for five minutes', async () => {
  const end = await beginSync();
  answerAgainAfter('unreachable', 299);
  await expectNoSync();
  answerAgainAfter('unreachable', 1);
  await expectSync();
  end();
});

test('the answers of a slow network start no sync, unless the last one failed and is a minute old', async () => {
  answerAgainAfter('silent', 3_600);
  await expectNoSync();
  isDown = true;
  answerAgainAfter('unreachable', 3);
  await expectSync();
  isDown = false;
  answerAgainAfter('silent', 59);
  await expectNoSync();
  answerAgainAfter('silent', 1);
  await expectSync();
  answerAgainAfter('silent', 60);
  await expectNoSync();
});

test('a sync whose bookmarks have failed is repeated when the network answers', async () => {
  failing = '/api/outbox';
  answerAgainAfter('unreachable', 60);
  await expectSync();
  failing = undefined;
  answerAgainAfter('silent', 60);
  await expectSync();
});
