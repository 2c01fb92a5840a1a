// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchWithTimeout, MAX_SILENCE_MS, StalledError } from './fetch-with-timeout.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A body whose chunks the test sends. */
function openBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const bytes = (text: string) => new TextEncoder().encode(text);
  return { body, send: (text: string) => controller?.enqueue(bytes(text)), end: () => controller?.close() };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a call to a server that never responds is aborted', async () => {
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (_input: unknown, init: RequestInit) => {
    signal = init.signal;
    return new Promise(() => undefined);
  });
  const failed = failure(fetchWithTimeout('/api/site'));
  await vi.advanceTimersByTimeAsync(MAX_SILENCE_MS);
  expect(await failed).toBeInstanceOf(StalledError);
  expect(signal?.aborted).toBe(true);
});

test('a body that stops in the middle is aborted, and the connection is closed', async () => {
  const { body, send } = openBody();
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', async (_input: unknown, init: RequestInit) => {
    signal = init.signal;
    return new Response(body);
  });
  const failed = failure(fetchWithTimeout('/api/site').then((response) => response.text()));
  send('{"half":');
  await vi.advanceTimersByTimeAsync(MAX_SILENCE_MS);
  expect(await failed).toBeInstanceOf(StalledError);
  expect(signal?.aborted).toBe(true);
});

test('a slow body without a long pause is read to its end', async () => {
  const { body, send, end } = openBody();
  vi.stubGlobal('fetch', async () => new Response(body, { status: 201, headers: { date: 'now' } }));
  const response = await fetchWithTimeout('/api/site');
  const text = response.text();
  for (const piece of 'bridge') {
    await vi.advanceTimersByTimeAsync(MAX_SILENCE_MS - 1);
    send(piece);
  }
  end();
  expect([response.status, response.headers.get('date'), await text]).toEqual([201, 'now', 'bridge']);
});

test('a response without a body is unchanged, also where the browser gives it an empty stream', async () => {
  const answer = new Response(null, { status: 204 });
  Object.defineProperty(answer, 'body', { value: new ReadableStream() });
  vi.stubGlobal('fetch', async () => answer);
  expect(await fetchWithTimeout('/api/sync/himachal-pradesh/delta')).toBe(answer);
});

test("the caller's abort ends the headers and the body", async () => {
  const caller = new AbortController();
  vi.stubGlobal('fetch', async () => new Response(openBody().body));
  const response = await fetchWithTimeout('/api/site', { signal: caller.signal });
  const failed = failure(response.text());
  caller.abort(new Error('the page was left'));
  expect(await failed).toMatchObject({ message: 'the page was left' });
  expect(await failure(fetchWithTimeout('/api/site', { signal: caller.signal }))).toMatchObject({
    message: 'the page was left',
  });
});

test("the abort of a request's own signal ends the call", async () => {
  const caller = new AbortController();
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const request = new Request('http://localhost/api/site', { signal: caller.signal });
  const failed = failure(fetchWithTimeout(request));
  caller.abort(new Error('the page was left'));
  expect(await failed).toMatchObject({ message: 'the page was left' });
});

test('a body that the reader gives up is closed', async () => {
  const reasons: unknown[] = [];
  const body = new ReadableStream({ cancel: (reason) => void reasons.push(reason) });
  vi.stubGlobal('fetch', async () => new Response(body));
  const response = await fetchWithTimeout('/api/site');
  await response.body?.cancel('enough');
  expect(reasons).toEqual(['enough']);
});
