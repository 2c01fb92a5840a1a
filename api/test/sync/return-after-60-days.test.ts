/**
 * What the app fetches from the real server after it was away for 60 days, in bytes on the wire.
 * @module-tag larger
 */
import 'fake-indexeddb/auto';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceDatabase } from '../../../pwa/src/data/device/schema.ts';
import { EngineHost } from '../../../pwa/src/offline/engine/engine-host.ts';
import { DEFAULT_ENGINE_QUERY } from '../../../pwa/src/offline/engine/query.ts';
import { addScopeRow, readStoredPack } from '../../../pwa/src/offline/packs/pack-store.ts';
import { refreshScope } from '../../../pwa/src/offline/packs/refresh-scope.ts';
import { buildSegmentIndex } from '../../../pwa/src/offline/segments/build-segment-index.ts';
import { compactScopes } from '../../src/sync/compact-sync.job.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { fetchCompressed, requestManifest } from './sync-device.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-10T11:30:00+05:30');
const CLOSES = new Date(NOW.getTime() + 90 * DAY_MS);
const SCOPE = 'himachal-pradesh';
const ORIGIN = 'http://localhost';
const TENDERS = 1_600;
const SEGMENTS = ['manifest', 'segments', 'segments'];

let app: TestApp;
let db: DeviceDatabase;
let names = 0;
/** The answers with a body: their kind and bytes. */
let received: [kind: string, bytes: number][];

beforeEach(async () => {
  app = await startApp({ now: NOW });
  const { Request } = globalThis;
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, ORIGIN) : input, init);
      }
    },
  );
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const { status, headers, bytes } = await fetchCompressed(app, pathname + search);
    const kind = /segments|delta/.exec(pathname)?.[0] ?? 'manifest';
    if (status === 200) received.push([kind, bytes.length]);
    const body = headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes;
    return new Response(status === 204 ? null : new Uint8Array(body), { status, headers: { ...headers } });
  });
  names += 1;
  db = new DeviceDatabase(`absence ${names}`);
  received = [];
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await db.delete();
  await app.close();
});

const tender = (at: number, words: string) => {
  const number = (at * 7_919) % 100_003;
  return createSourceTender({
    sourceId: `2026_PWD_${number}_${at}`,
    title: `${words} at km ${number / 100} of road ${(number * 31) % 997}`,
    description: `${words} near village ${(number * 104_729) % 99_991}, estimate ${number * 13}`,
    closesAt: CLOSES,
  });
};

/** The portal changes `count` tenders, and the server builds the pack again. */
async function change(from: number, count: number, words: string): Promise<void> {
  const tenders = Array.from({ length: count }, (_, at) => tender(from + at, words));
  await importTenders(app.database.dataSource, tenders, { now: app.clock.now });
  await compactScopes({ dataSource: app.database.dataSource, now: app.clock.now });
  pass(2_000);
}

const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms);
};

async function refresh(): Promise<void> {
  await refreshScope(SCOPE, {
    db,
    build: async (list, details) => buildSegmentIndex(list, details),
    details: async (pack, ids) => new EngineHost().details(pack, ids),
    onStep: () => undefined,
  });
}

/** The number of tenders on the device with these words. */
async function countFound(q: string): Promise<number> {
  const host = new EngineHost();
  await host.load((await readStoredPack(db, SCOPE)) ?? { indexes: [], delta: null, removed: [] });
  return host.search({ ...DEFAULT_ENGINE_QUERY, q }, app.clock.now).total;
}

const CASES: [string, number, number, string[], number][] = [
  ['a tenth of its tenders changed, takes the delta', 0, 160, ['delta'], 2_460],
  ['just under half of them changed, takes the delta', 0, 790, ['delta'], 8_600],
  ['just under half of them changed, after others that it knows, takes the segments', 300, 790, SEGMENTS, 18_400],
  ['more than half of them changed, takes the segments', 0, 850, SEGMENTS, 18_400],
  ['all of them changed, takes the segments', 0, TENDERS, SEGMENTS, 17_400],
];
/** One case of each outcome; before a release all. */
const asked = process.env.RELEASE_TESTS === '1' ? CASES : CASES.filter((_, at) => at % 3 === 0);

test.each(asked)(
  'a device that was away for 60 days while %s and not both',
  async (_case, known, count, kinds, bytes) => {
    await change(0, TENDERS, 'Retaining wall');
    await requestManifest(app, SCOPE);
    await addScopeRow(db, SCOPE);
    await refresh();
    pass(DAY_MS);
    await change(0, known, 'Side drain');
    await refresh();
    received = [];
    pass(60 * DAY_MS);
    await change(TENDERS - count, count, 'Footbridge');
    await refresh();
    expect(await countFound('footbridge')).toBe(count);
    // the next visit
    pass(DAY_MS);
    await refresh();
    expect(received.map(([kind]) => kind)).toEqual(kinds);
    const total = received.reduce((sum, [, each]) => sum + each, 0);
    // a delta refers to one of several similar tenders, which differ by some bytes
    expect(Math.abs(total / bytes - 1)).toBeLessThan(0.1);
  },
);
