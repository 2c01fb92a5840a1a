import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiFetch } from './api.ts';
import { useReachability } from './reachability.ts';

const status = () => useReachability.getState().status;
const json = () => Response.json({ status: 'ok' });
let health: () => Promise<Response>;
let list: () => Promise<Response>;

beforeEach(() => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('fetch', (input: Request | string) =>
    (input instanceof Request ? input.url : input).endsWith('/api/health') ? health() : list(),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  useReachability.setState({ status: 'reachable' });
});

const call = (init?: RequestInit) => apiFetch('http://localhost/api/tenders', init).catch((error: unknown) => error);

test('a read without a byte for three seconds is silent until its first byte', async () => {
  let answer: (response: Response) => void = () => undefined;
  list = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const called = call();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(status()).toBe('reachable');
  await vi.advanceTimersByTimeAsync(1);
  expect(status()).toBe('silent');
  answer(json());
  await called;
  expect(status()).toBe('reachable');
});

test('a read stays silent while others are answered, until it ends', async () => {
  const silentReads = () => useReachability.getState().silentReads;
  const answers: ((response: Response) => void)[] = [];
  list = () => new Promise((resolve) => answers.push(resolve));
  const abort = new AbortController();
  const calls = [call(), call({ signal: abort.signal })];
  await vi.advanceTimersByTimeAsync(3_000);
  list = async () => json();
  await call();
  expect([status(), silentReads()]).toEqual(['reachable', 2]);
  answers[0]?.(json());
  abort.abort();
  await Promise.all(calls);
  expect(silentReads()).toBe(0);
});

test('a write may take the server longer', async () => {
  list = () => new Promise(() => undefined);
  void call({ method: 'POST' });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(status()).toBe('reachable');
});

test.each<[string, string, () => Promise<Response>]>([
  ['answers', 'reachable', async () => json()],
  ['fails too', 'unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
  [
    'gets the page of a network that wants a sign-in',
    'unreachable',
    async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  ],
])('after a failed read a question that %s makes the server %s', async (_what, expected, given) => {
  list = () => Promise.reject(new TypeError('Failed to fetch'));
  health = given;
  await call();
  await expect.poll(status).toBe(expected);
});

test.each([502, 503, 504])(
  'behind a gateway that answers %i the server is unreachable, also after further reads',
  async (code) => {
    const page = async () =>
      new Response('<h1>No server</h1>', { status: code, headers: { 'content-type': 'text/html' } });
    list = page;
    health = page;
    await call();
    await expect.poll(status).toBe('unreachable');
    const seen: string[] = [];
    const stopWatching = useReachability.subscribe((state) => seen.push(state.status));
    expect(await call()).toBeInstanceOf(TypeError);
    stopWatching();
    expect(seen).toEqual([]);
    list = async () => Response.json({ code: 'INTERNAL', message: 'Busy', requestId: 'r' }, { status: 503 });
    expect(await call()).toMatchObject({ status: 503 });
    expect(status()).toBe('reachable');
  },
);

test('an unreachable server is asked again until it answers', async () => {
  list = () => Promise.reject(new TypeError('Failed to fetch'));
  health = () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('no connection')), 1));
  await call();
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(status).toBe('unreachable');
  health = async () => json();
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.poll(status).toBe('reachable');
});

test('a server that has answered is not asked any more', async () => {
  let asked = 0;
  let answer: (response: Response) => void = () => undefined;
  list = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  health = async () => {
    asked += 1;
    return json();
  };
  const called = call();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(status()).toBe('silent');
  answer(json());
  await called;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(0);
});

test('an unreachable server is asked after pauses that grow from five seconds to a minute, and again from five seconds after an answer', async () => {
  list = () => Promise.reject(new TypeError('Failed to fetch'));
  let asked = 0;
  health = () => {
    asked += 1;
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  await apiFetch('http://localhost/api/tenders').catch(() => undefined);
  const askedAfter = async (ms: number) => {
    const before = asked;
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(asked).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toBe(before + 1);
  };
  await vi.advanceTimersByTimeAsync(0);
  // After a byte of an answer the pauses begin again.
  list = async () => json();
  await call();
  list = () => Promise.reject(new TypeError('Failed to fetch'));
  await call();
  await vi.advanceTimersByTimeAsync(0);
  expect(status()).toBe('unreachable');
  for (const seconds of [5, 10, 20, 40, 60, 60]) await askedAfter(1_000 * seconds);
  list = async () => json();
  await call();
  expect(status()).toBe('reachable');
});

test('a question without an answer within three seconds makes the server unreachable', async () => {
  list = () => Promise.reject(new TypeError('Failed to fetch'));
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) => {
    if (!(input instanceof Request ? input.url : input).endsWith('/api/health')) return list();
    signal = init?.signal;
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('late'))));
  });
  await call();
  await vi.advanceTimersByTimeAsync(2_999);
  expect([signal?.aborted, status()]).toEqual([false, 'reachable']);
  await vi.advanceTimersByTimeAsync(1);
  expect([signal?.aborted, status()]).toEqual([true, 'unreachable']);
  list = async () => json();
  await call();
});

test('the browser reports a lost network at once, and one that is back is asked for', async () => {
  let asked = 0;
  health = async () => {
    asked += 1;
    return json();
  };
  window.dispatchEvent(new Event('offline'));
  expect(status()).toBe('unreachable');
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked, status()]).toEqual([0, 'unreachable']);
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBeGreaterThan(0);
  expect(status()).toBe('reachable');
});

test('a write that fails says nothing about the server', async () => {
  let asked = 0;
  list = () => Promise.reject(new TypeError('Failed to fetch'));
  health = async () => {
    asked += 1;
    return json();
  };
  await call({ method: 'POST' });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBe(0);
});

test('a read that its screen gives up says nothing about the server', async () => {
  let asked = 0;
  list = () => new Promise(() => undefined);
  health = async () => {
    asked += 1;
    return json();
  };
  const screen = new AbortController();
  const called = call({ signal: screen.signal });
  screen.abort();
  expect(await called).toMatchObject({ name: 'AbortError' });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBe(0);
});

test('four reads that are silent at once make one request after five seconds, and one more after another five', async () => {
  list = () => new Promise(() => undefined);
  let asked = 0;
  health = () => {
    asked += 1;
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  const screen = new AbortController();
  const calls = [1, 2, 3, 4].map(() => call({ signal: screen.signal }));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(useReachability.getState()).toEqual({ status: 'silent', silentReads: 4 });
  for (const [number, ms] of [5_000, 5_000].entries()) {
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(asked).toBe(number);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toBe(number + 1);
  }
  screen.abort();
  await Promise.all(calls);
  list = async () => json();
  await call();
});

describe('a question without an answer in time', () => {
  /** Asks after a silence, in which another read gets a byte; `then` comes before the deadline of the question. */
  async function askOnSlowNetwork(then: () => Promise<unknown>): Promise<void> {
    health = () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('late')), 3_000));
    let answer: (response: Response) => void = () => undefined;
    list = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const called = call();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(status()).toBe('silent');
    answer(json());
    await called;
    await then();
    await vi.advanceTimersByTimeAsync(2_000);
  }

  test('says nothing about a slow server, whose answers come meanwhile', async () => {
    await askOnSlowNetwork(async () => undefined);
    expect(status()).toBe('reachable');
  });

  test('makes the server unreachable if a read has failed after the last byte', async () => {
    await askOnSlowNetwork(() => {
      list = () => Promise.reject(new TypeError('Failed to fetch'));
      return call();
    });
    expect(status()).toBe('unreachable');
    list = async () => json();
    await call();
  });
});
