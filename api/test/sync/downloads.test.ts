/** The app's downloads from the real server, through a proxy that breaks them. */
import 'fake-indexeddb/auto';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, constants } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DeviceDatabase } from '../../../pwa/src/data/device/schema.ts';
import { downloadFile } from '../../../pwa/src/offline/packs/download-file.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { parseJsonBody, requestManifest } from './sync-device.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const SCOPE = 'himachal-pradesh';
/** Maximum bytes that are sent again after a broken connection or a killed tab. */
const MAX_BYTES_AGAIN = 8_192;

interface TestFile {
  hash: string;
  bytes: number;
  address: { path: string };
}

let app: TestApp;
let proxy: CuttingProxy;
let db: DeviceDatabase;
let file: TestFile;
let names = 0;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  await importTenders(app.database.dataSource, Array.from({ length: 2_500 }, madeUp), { now: NOW });
  await app.app.listen(0, '127.0.0.1');
  const { segments } = parseJsonBody(await requestManifest(app, SCOPE));
  const { detail } = segments[0];
  file = { ...detail, address: { path: detail.url.slice(1) } };
});
afterAll(() => app.close());

beforeEach(async () => {
  proxy = await CuttingProxy.start(await app.app.getUrl());
  const { Request } = globalThis;
  // The app's addresses are relative to its page.
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, proxy.origin) : input, init);
      }
    },
  );
  names += 1;
  db = new DeviceDatabase(`downloads ${names}`);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await db.delete();
  await proxy.close();
});

const WORKS = ['Retaining wall', 'Side drain', 'Footbridge', 'Water supply scheme', 'Class rooms', 'Transformer'];

/** A tender of about 70 bytes on the wire, as the real ones. */
function madeUp(_: unknown, at: number) {
  const number = (at * 7_919) % 100_003;
  const work = `${WORKS[at % WORKS.length]} at km ${number / 100} of road ${(number * 31) % 997}`;
  return createSourceTender({
    sourceId: `2026_PWD_${number}_${at}`,
    title: work,
    description: `${work} near village ${(number * 104_729) % 99_991}, estimate ${number * 13}`,
    reference: `${number % 89}/${(number * 17) % 9_973}`,
  });
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** How many uncompressed bytes the beginning of a brotli file gives. */
const decodedLength = (body: Buffer) =>
  body.length === 0 ? 0 : brotliDecompressSync(body, { finishFlush: constants.BROTLI_OPERATION_FLUSH }).length;

/** An answer stops at a share of its bytes, and the connection breaks or the tab is killed. */
interface Cut {
  share: number;
  isKill: boolean;
}

/** Ends a tab that has received bytes up to `upTo`; writes take a moment, and the last 8 KB need not be written. */
async function kill(upTo: number, ended: (value: undefined) => void): Promise<void> {
  const storedUpTo = async () => {
    const ends = (await db.downloads.toArray()).map(({ at, bytes }) => at + bytes.byteLength);
    return Math.max(0, ...ends);
  };
  await expect.poll(storedUpTo).toBeGreaterThan(upTo - 8_192);
  ended(undefined);
}

/** Downloads the file while the first answers stop; an answer's connection ends once the app has all of its bytes. */
async function downloadWithCuts(cuts: readonly Cut[]): Promise<Uint8Array> {
  const left = [...cuts];
  proxy.stopAfter = (_path, bytes) => (left[0] ? Math.floor(bytes * left[0].share) : undefined);
  for (;;) {
    let received = 0;
    let stopped: { upTo: number; happen: () => void } | undefined;
    const look = () => {
      if (!stopped || received < stopped.upTo) return;
      const { happen } = stopped;
      stopped = undefined;
      left.shift();
      happen();
    };
    const killed = new Promise<undefined>((resolve) => {
      proxy.onStop = ({ path, body, end }) => {
        const from = Number(new URL(path, proxy.origin).searchParams.get('from'));
        stopped = {
          upTo: from + decodedLength(body),
          happen: left[0]?.isKill ? () => kill(from + decodedLength(body), resolve) : end,
        };
        look();
      };
    });
    const onBytes = (_file: string, bytes: number) => {
      received = bytes;
      look();
    };
    const tab = new DeviceDatabase(db.name);
    const abort = new AbortController();
    const download = downloadFile(tab, SCOPE, file.address, { onBytes, signal: abort.signal });
    const downloaded = await Promise.race([download.catch(() => undefined), killed]);
    tab.close();
    abort.abort();
    if (downloaded) return downloaded.bytes;
  }
}

test('a download that breaks at any byte, again and again, fetches at most 8 KB again each time', async () => {
  const cut = fc.record({ share: fc.integer({ min: 0, max: 999 }).map((n) => n / 1_000), isKill: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 3 }), async (cuts) => {
      await db.downloads.clear();
      proxy.answers.length = 0;
      const bytes = await downloadWithCuts(cuts);
      expect(sha256(bytes)).toBe(file.hash);
      const again = proxy.sentBytes - file.bytes;
      expect(again).toBeLessThanOrEqual(MAX_BYTES_AGAIN * (proxy.answers.length - 1));
    }),
    { numRuns: 20 },
  );
});

test('stored bytes of another version of a file are not used', async () => {
  proxy.stopAfter = (_path, bytes) => (proxy.answers.length === 0 ? Math.floor(bytes / 2) : undefined);
  const abort = new AbortController();
  const stopped = downloadFile(db, SCOPE, file.address, {
    signal: abort.signal,
    onBytes: (_file, received) => received > 20_000 && abort.abort(),
  });
  await expect(stopped).rejects.toThrow();
  await db.downloads.toCollection().modify((row) => {
    row.etag = '"another"';
    row.bytes = new ArrayBuffer(row.bytes.byteLength);
  });
  proxy.stopAfter = () => undefined;
  expect(sha256((await downloadFile(db, SCOPE, file.address)).bytes)).toBe(file.hash);
  expect((await db.downloads.toArray()).map(({ etag }) => etag)).not.toContain('"another"');
});
