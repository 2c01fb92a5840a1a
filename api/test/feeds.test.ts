/** Portals' files that are imported by themselves: from an address of this test and from a folder. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FEED_LIMITS, type FeedLimits } from '../src/ingest/feed-sources.ts';
import { FeedsService } from '../src/ingest/feeds.service.ts';
import { startApp, type TestApp } from './start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const HEADER = 'Tender ID,Title,Organisation Chain,Publish Date,Bid Submission End Date';
const csv = (...titles: string[]) =>
  [
    HEADER,
    ...titles.map((title, n) => `2026_PWD_${n + 1}_1,${title},PWD,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM`),
  ].join('\n');
const LIMITS: FeedLimits = { ...FEED_LIMITS, mostBytes: 100_000, allowedAddresses: ['127.0.0.1'] };

let folder: string;
let drop: string;
let portal: Server;
let app: TestApp;
let asked: IncomingMessage['headers'][];
/** What the portal has. */
let file: { etag: string; body: Buffer } | number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-feeds-'));
  drop = join(folder, 'drop');
  portal = createServer((request, reply) => {
    asked.push(request.headers);
    if (typeof file === 'number') return void reply.writeHead(file).end();
    const { etag, body } = file;
    if (request.headers['if-none-match'] === etag) return void reply.writeHead(304).end();
    reply.writeHead(200, { etag, 'content-type': 'application/gzip' }).end(body);
  });
  await new Promise<void>((done) => portal.listen(0, '127.0.0.1', done));
  const { port } = portal.address() as AddressInfo;
  app = await startApp({
    now: NOW,
    env: {
      DATA_DIR: join(folder, 'data'),
      FEEDS: `far=http://127.0.0.1:${port}/tenders.csv.gz;every=30;state=himachal-pradesh near=${drop};every=10;state=assam`,
    },
  });
});
afterAll(async () => {
  await app.close();
  portal.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = NOW;
  asked = [];
  file = { etag: '"one"', body: gzipSync(csv('Repair of path', 'Repair of wall')) };
  await app.database.dataSource.query('TRUNCATE feed, tender CASCADE');
  await rm(drop, { recursive: true, force: true });
  await mkdir(drop);
});

const run = (limits = LIMITS) => app.app.get(FeedsService).run(limits);
const after = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};
const titles = (of: string): Promise<string[]> =>
  app.database.dataSource
    .query('SELECT title FROM tender WHERE portal = $1 ORDER BY source_id', [of])
    .then((rows) => rows.map(({ title }: { title: string }) => title));
const feed = async (name: string) => {
  const [row] = await app.database.dataSource.query(
    'SELECT error, counts, tried_at, succeeded_at FROM feed WHERE name = $1',
    [name],
  );
  return row;
};

test('an address is asked in its rhythm, and gives its file only when that is another', async () => {
  expect(await run()).toBe(1);
  expect(await titles('far')).toEqual(['Repair of path', 'Repair of wall']);
  expect(await feed('far')).toMatchObject({ error: null, counts: { read: 2, new: 2 }, succeeded_at: NOW });
  after(29);
  expect(await run()).toBe(0);
  expect(asked).toHaveLength(1);

  after(1);
  expect(await run()).toBe(0);
  expect(asked[1]).toMatchObject({ 'if-none-match': '"one"' });
  expect(await feed('far')).toMatchObject({ error: null, counts: { read: 2, new: 2 }, succeeded_at: app.clock.now });

  after(30);
  file = { etag: '"two"', body: gzipSync(csv('Repair of path', 'Repair of the wall')) };
  expect(await run()).toBe(1);
  expect(await titles('far')).toEqual(['Repair of path', 'Repair of the wall']);
  expect(await feed('far')).toMatchObject({ counts: { read: 2, changed: 1, unchanged: 1 } });
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);
});

test('a folder gives the files that are new or changed, the oldest first', async () => {
  const put = async (name: string, second: number, ...rows: string[]) => {
    await writeFile(join(drop, name), csv(...rows));
    await utimes(join(drop, name), second, second);
  };
  await put('b.csv', 1_000, 'Bridge, first'.replace(',', ''));
  await put('a.csv', 2_000, 'Bridge revised');
  await put('notes.txt', 3_000, 'no feed');
  expect(await run()).toBe(3);
  expect(await titles('near')).toEqual(['Bridge revised']);
  after(10);
  expect(await run()).toBe(0);
  await put('b.csv', 4_000, 'Bridge revised again');
  after(10);
  expect(await run()).toBe(1);
  expect(await titles('near')).toEqual(['Bridge revised again']);
});

test('a feed of which every row is rejected has failed, and is read again although it did not change', async () => {
  const strange = csv('Repair of path', 'Repair of wall').replaceAll('Nov', 'Smarch');
  file = { etag: '"one"', body: gzipSync(strange) };
  await writeFile(join(drop, 'strange.csv'), strange);
  await writeFile(join(drop, 'good.csv'), csv('Road'));
  expect(await run()).toBe(1);
  expect(await titles('near')).toEqual(['Road']);
  const far = { error: expect.stringContaining('was rejected row by row (2 rows)'), counts: { read: 2, rejected: 2 } };
  expect(await feed('far')).toMatchObject({ ...far, succeeded_at: null });
  expect(await feed('near')).toMatchObject({
    error: expect.stringMatching(/strange\.csv .*near-strange\.csv\.csv$/),
    counts: { read: 3, new: 1, rejected: 2 },
    succeeded_at: null,
  });

  after(30);
  expect(await run()).toBe(0);
  expect(asked[1]).not.toHaveProperty('if-none-match');
  expect(await feed('far')).toMatchObject({ ...far, succeeded_at: null });
  expect((await feed('near')).error).toContain('strange.csv');
});

test('a feed that fails says why, stops no other, and is tried again in its time', async () => {
  file = 503;
  await writeFile(join(drop, 'broken.csv'), 'no table of tenders');
  await writeFile(join(drop, 'good.csv'), csv('Road'));
  expect(await run()).toBe(1);
  expect(await titles('near')).toEqual(['Road']);
  expect((await feed('far')).error).toContain('the portal answered 503');
  expect(await feed('near')).toMatchObject({
    error: expect.stringContaining('broken.csv is neither a GePNIC notice CSV'),
    counts: { read: 1, new: 1 },
    succeeded_at: null,
  });
  const { text } = await app.get('/api/metrics');
  expect(text).toContain('nivida_feed_failed{feed="far"} 1');
  file = { etag: '"one"', body: gzipSync(csv('Path')) };
  await rm(join(drop, 'broken.csv'));
  after(30);
  expect(await run()).toBe(1);
  expect(await feed('far')).toMatchObject({ error: null, succeeded_at: app.clock.now });
  expect(await feed('near')).toMatchObject({ error: null, succeeded_at: app.clock.now });
});

test('an address of this machine or its network is not read', async () => {
  expect(await run(FEED_LIMITS)).toBe(0);
  expect(asked).toEqual([]);
  expect((await feed('far')).error).toContain('is at an address that is not public');
});

test('a file that is too large is given up, and nothing of it is kept', async () => {
  file = { etag: '"large"', body: Buffer.alloc(LIMITS.mostBytes + 1, 'a') };
  expect(await run()).toBe(0);
  expect((await feed('far')).error).toContain('is larger than 0.1 MB');
  expect(await titles('far')).toEqual([]);
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);
});

test('two processes at once read each feed once', async () => {
  await writeFile(join(drop, 'good.csv'), csv('Road'));
  const counts = await Promise.all([run(), run(), run()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(2);
  expect(asked).toHaveLength(1);
});
