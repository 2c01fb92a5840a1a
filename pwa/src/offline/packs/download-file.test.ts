// @vitest-environment node
import 'fake-indexeddb/auto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { downloadFile } from './download-file.ts';

const SCOPE = 'himachal-pradesh';
const PATH = 'api/sync/segments/1';
const FILE = Buffer.from(Array.from({ length: 40_000 }, (_, index) => index % 251));
const ETAG = '"1"';

/** A real server. It begins each answer; a test sends the body. */
function startServer() {
  const waiting: ((answer: Answer) => void)[] = [];
  const server = createServer((asked: IncomingMessage, response: ServerResponse) => {
    const from = Number(new URL(asked.url ?? '', 'http://localhost').searchParams.get('from') ?? 0);
    response.writeHead(200, { etag: ETAG, 'x-file-etag': ETAG, 'x-file-offset': String(from) });
    response.flushHeaders();
    waiting.shift()?.({ from, response });
  });
  return { server, next: () => new Promise<Answer>((resolve) => waiting.push(resolve)) };
}

interface Answer {
  /** The first byte that was asked for. */
  from: number;
  response: ServerResponse;
}

let { server, next } = startServer();

beforeEach(async () => {
  ({ server, next } = startServer());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // the page's origin
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, origin) : input, init);
      }
    },
  );
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await withDatabase((db) => db.downloads.clear());
  await closeDatabase();
  server.closeAllConnections();
  server.close();
});

/** Starts the download; `arrived` waits for a number of bytes. */
async function start(signal?: AbortSignal) {
  let received = 0;
  let arrival: { bytes: number; resolve: () => void } | undefined;
  const onBytes = (_file: string, bytes: number) => {
    received = bytes;
    if (arrival && received >= arrival.bytes) arrival.resolve();
  };
  const arrived = (bytes: number) =>
    new Promise<void>((resolve) => {
      arrival = { bytes, resolve };
      if (received >= bytes) resolve();
    });
  const file = withDatabase((db) => downloadFile(db, SCOPE, { path: PATH }, { onBytes, ...(signal && { signal }) }));
  file.catch(() => undefined);
  return { file, arrived };
}

test('200 bytes a second end no download: only 20 seconds without a byte do', async () => {
  const asked = next();
  const download = await start();
  const { response } = await asked;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // 3,800 bytes each 19 seconds, over three minutes in all
  for (let at = 0; at < FILE.length; at += 3_800) {
    const part = FILE.subarray(at, at + 3_800);
    response.write(part);
    await download.arrived(at + part.length);
    await vi.advanceTimersByTimeAsync(19_000);
  }
  response.end();
  expect(Buffer.from((await download.file).bytes).equals(FILE)).toBe(true);
});

test('a connection that carries nothing for 20 seconds is given up, and the next attempt continues', async () => {
  const asked = next();
  const download = await start();
  const { response } = await asked;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  response.write(FILE.subarray(0, 3_000));
  await download.arrived(3_000);
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(download.file).rejects.toThrow('No byte for 20000 ms');
  vi.useRealTimers();
  const again = next();
  const second = await start();
  const answer = await again;
  // less than one step of the file had arrived
  expect(answer.from).toBe(0);
  answer.response.end(FILE.subarray(answer.from));
  expect(Buffer.from((await second.file).bytes).equals(FILE)).toBe(true);
});

test('a connection that breaks again and again costs at most 4 KB each time', async () => {
  let answer = next();
  const download = await start();
  let sent = 0;
  for (const cutAt of [9_000, 17_111, 30_000]) {
    const { from, response } = await answer;
    answer = next();
    response.write(FILE.subarray(from, cutAt));
    sent += cutAt - from;
    await download.arrived(cutAt);
    response.destroy();
  }
  const { from, response } = await answer;
  response.end(FILE.subarray(from));
  sent += FILE.length - from;
  expect(Buffer.from((await download.file).bytes).equals(FILE)).toBe(true);
  expect(sent - FILE.length).toBeLessThanOrEqual(3 * 4_096);
});

test('a body that ends before the size of the file without an error is continued', async () => {
  const [asked, again] = [next(), next()];
  void again.then(({ from, response }) => response.end(FILE.subarray(from)));
  const whole = withDatabase((db) => downloadFile(db, SCOPE, { path: PATH, size: FILE.length }));
  // Firefox ends a body so when its connection breaks
  (await asked).response.end(FILE.subarray(0, 20_000));
  expect(Buffer.from((await whole).bytes).equals(FILE)).toBe(true);
  expect((await again).from).toBe(16_384);
});

test('a paused download continues after its last byte', async () => {
  const pause = new AbortController();
  const asked = next();
  const download = await start(pause.signal);
  const { response } = await asked;
  response.write(FILE.subarray(0, 20_000));
  await download.arrived(20_000);
  pause.abort();
  await expect(download.file).rejects.toMatchObject({ name: 'AbortError' });
  const again = next();
  const second = await start();
  const answer = await again;
  expect(answer.from).toBe(16_384);
  answer.response.end(FILE.subarray(answer.from));
  expect(Buffer.from((await second.file).bytes).equals(FILE)).toBe(true);
});

test('what has arrived before the connection breaks is there for the next attempt, to the last 4 KB', async () => {
  const asked = next();
  const download = await start();
  const { response } = await asked;
  for (const [from, to] of [
    [0, 20_000],
    [20_000, 23_000],
  ] as const) {
    response.write(FILE.subarray(from, to));
    await download.arrived(to);
  }
  const retried = next();
  response.destroy();
  // The attempt that follows at once brings nothing: the download ends.
  (await retried).response.destroy();
  await expect(download.file).rejects.toThrow();
  const again = next();
  const second = await start();
  const answer = await again;
  expect(answer.from).toBe(20_480);
  answer.response.end(FILE.subarray(answer.from));
  expect(Buffer.from((await second.file).bytes).equals(FILE)).toBe(true);
});

test('a download continues after the stored bytes of its version and never after those of another one', async () => {
  const part = { scope: SCOPE, file: PATH };
  const toBuffer = (bytes: Uint8Array) => new Uint8Array(bytes).buffer;
  await withDatabase((db) =>
    db.downloads.bulkPut([
      { ...part, at: 0, etag: ETAG, bytes: toBuffer(FILE.subarray(0, 8_192)) },
      { ...part, at: 8_192, etag: '"0"', bytes: new ArrayBuffer(8_192) },
    ]),
  );
  const asked = next();
  const download = await start();
  const { from, response } = await asked;
  expect(from).toBe(8_192);
  response.end(FILE.subarray(from));
  expect(Buffer.from((await download.file).bytes).equals(FILE)).toBe(true);
});

test('of stored bytes that overlap the later ones count, and those after a gap do not', async () => {
  const row = (at: number, bytes: Uint8Array) => ({
    ...{ scope: SCOPE, file: PATH, at, etag: ETAG },
    bytes: new Uint8Array(bytes).buffer,
  });
  const wrong = Buffer.concat([FILE.subarray(0, 4_096), Buffer.alloc(4_096)]);
  await withDatabase((db) =>
    db.downloads.bulkPut([
      row(0, wrong),
      row(4_096, FILE.subarray(4_096, 12_288)),
      row(20_480, FILE.subarray(20_480, 28_672)),
    ]),
  );
  const asked = next();
  const download = await start();
  const { from, response } = await asked;
  expect(from).toBe(12_288);
  response.end(FILE.subarray(from));
  expect(Buffer.from((await download.file).bytes).equals(FILE)).toBe(true);
});

/** A file of the server with this ETag. It is requested without a network. */
function stubFile(answer: (from: string | null) => Response): (string | null)[] {
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const from = new URL(request.url).searchParams.get('from');
    asked.push(from);
    return answer(from);
  });
  return asked;
}
const storeBytes = (etag: string, bytes: ArrayBuffer) =>
  withDatabase((db) => db.downloads.put({ scope: SCOPE, file: PATH, at: 0, etag, bytes }));

test.each<[string, (from: string | null) => Response]>([
  [
    'that is shorter now',
    (from) => new Response(from ? '' : FILE, { status: from ? 400 : 200, headers: { etag: ETAG } }),
  ],
  [
    'of which the server has another version',
    (from) =>
      new Response(FILE.subarray(Number(from)), {
        headers: { etag: '"2"', 'x-file-etag': '"2"', 'x-file-offset': from ?? '0' },
      }),
  ],
])('the stored bytes of a file %s are forgotten, and it is downloaded from its start', async (_what, answer) => {
  await storeBytes(ETAG, new ArrayBuffer(8_192));
  const asked = stubFile(answer);
  const received: number[] = [];
  const onBytes = (_file: string, bytes: number) => received.push(bytes);
  const { status, bytes } = await withDatabase((db) => downloadFile(db, SCOPE, { path: PATH }, { onBytes }));
  expect([status, Buffer.from(bytes).equals(FILE)]).toEqual([200, true]);
  expect(asked.map(Number)).toEqual([8_192, 0, 0].slice(0, asked.length));
  expect([received[0], received.at(-1)]).toEqual([8_192, 40_000]);
  const rows = await withDatabase((db) => db.downloads.toArray());
  expect(rows.some(({ at, bytes: stored }) => at === 0 && new Uint8Array(stored)[1] === 0)).toBe(false);
});

test('a weak tag of a proxy and another encoding are the same file', async () => {
  await storeBytes(ETAG, new Uint8Array(FILE.subarray(0, 8_192)).buffer);
  const asked = stubFile(
    (from) =>
      new Response(FILE.subarray(Number(from)), {
        headers: { etag: 'W/"x"', 'x-file-etag': 'W/"1-gzip"', 'x-file-offset': from ?? '0' },
      }),
  );
  const { bytes } = await withDatabase((db) => downloadFile(db, SCOPE, { path: PATH }));
  expect([asked, Buffer.from(bytes).equals(FILE)]).toEqual([['8192'], true]);
});

test('a full phone stores nothing of a download, which goes on', async () => {
  const parts = [0, 10_000, 20_000, 30_000].map((at) => new Uint8Array(FILE.subarray(at, at + 10_000)));
  const body = new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
  stubFile(() => new Response(body, { headers: { etag: ETAG } }));
  const attempts = await withDatabase(async (db) => {
    const put = vi.spyOn(db.downloads, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    const { bytes } = await downloadFile(db, SCOPE, { path: PATH });
    expect(Buffer.from(bytes).equals(FILE)).toBe(true);
    const { calls } = put.mock;
    put.mockRestore();
    return calls.length;
  });
  expect(attempts).toBe(1);
});

test('an answer without a file has no bytes', async () => {
  stubFile(() => new Response(null, { status: 204 }));
  const { status, bytes } = await withDatabase((db) => downloadFile(db, SCOPE, { path: PATH }));
  expect([status, bytes.length]).toEqual([204, 0]);
});

test('a CDN is asked for the rest of a file, without the session', async () => {
  await storeBytes(ETAG, new Uint8Array(FILE.subarray(0, 8_192)).buffer);
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { credentials, cache }: RequestInit) => {
    asked.push([url, credentials, cache]);
    const headers = { etag: ETAG, 'x-file-etag': ETAG, 'x-file-offset': '8192' };
    return new Response(FILE.subarray(8_192), { headers });
  });
  const assetOrigin = 'https://cdn.example';
  const { bytes } = await withDatabase((db) => downloadFile(db, SCOPE, { path: PATH }, { assetOrigin }));
  expect(asked).toEqual([[`${assetOrigin}/${PATH}?from=8192`, 'omit', 'no-store']]);
  expect(Buffer.from(bytes).equals(FILE)).toBe(true);
});
