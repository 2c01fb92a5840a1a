// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { beforeAll, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from './data/device/database.ts';
import { useReachability } from './data/server/reachability.ts';
import { signInForTest } from './data/test-session.ts';
import { startSync } from './sync.ts';

const ANSWERS: Record<string, object> = {
  '/api/bookmarks/sync': { results: [], tenderIds: [] },
  '/api/searches': { searches: [] },
  '/api/followed-offices': { offices: [] },
  '/api/notices': { notices: [], unread: 0 },
};

/** The calls since the network has answered again. A sync makes one of each. */
let calls: string[];
let isDown: boolean;
let now = Date.now();

beforeAll(async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const { pathname } = new URL(request instanceof Request ? request.url : request, 'http://localhost');
    calls.push(pathname);
    const answer = isDown ? undefined : ANSWERS[pathname];
    return answer ? Response.json(answer) : Response.json({ message: 'down' }, { status: 500 });
  });
  [calls, isDown] = [[], false];
  signInForTest('7');
  await startSync();
  await vi.waitUntil(hasSynced, 20_000);
  return async () => {
    await withDatabase((db) => db.delete());
    await closeDatabase();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

/** The network has been in this state, and answers again after so many seconds. */
function answerAgainAfter(status: 'silent' | 'unreachable', seconds: number): void {
  calls = [];
  now += 1_000 * seconds;
  useReachability.setState({ status });
  useReachability.setState({ status: 'reachable' });
}

const hasSynced = () => Object.keys(ANSWERS).every((path) => calls.includes(path));
const expectSync = () => expect.poll(hasSynced).toBe(true);

/** Tasks in which a sync that had begun would have called the server. */
async function expectNoSync(): Promise<void> {
  for (let task = 0; task < 20; task += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    await withDatabase((db) => db.settings.count());
  }
  // Other calls may be repeated ones.
  expect(calls).not.toContain('/api/notices');
}

test('a network that carried nothing and is back starts a sync at once, but not beside one of the same moment', async () => {
  answerAgainAfter('unreachable', 3);
  await expectSync();
  answerAgainAfter('unreachable', 2);
  await expectNoSync();
  answerAgainAfter('unreachable', 1);
  await expectSync();
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
