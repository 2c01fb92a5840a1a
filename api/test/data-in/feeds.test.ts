/** Automatic imports of portals' files, from an address and from a folder. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { STATE_METRICS } from '../../src/http/monitoring/state-metrics.sql.ts';
import { FEED_LIMITS, type FeedLimits } from '../../src/ingest/feeds/feed-sources.ts';
import { type FeedRun, FeedsService } from '../../src/ingest/feeds/feeds.service.ts';
import { withPortalLock } from '../../src/ingest/portal-lock.ts';
import { GEPNIC_COLUMNS, gepnicFile } from '../support/gepnic-files.ts';
import { emptyTables, startApp, type TestApp } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const HEADER = 'Tender ID,Title,Organisation Chain,Publish Date,Bid Submission End Date';
const csv = (...titles: string[]) =>
  [
    HEADER,
    ...titles.map((title, n) => `2026_PWD_${n + 1}_1,${title},PWD,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM`),
  ].join('\n');
/** A row with all columns of the portal. */
const cells = (n: number) => ({
  'Tender ID': `2026_PWD_${n + 1}_1`,
  Title: `Path ${n}`,
  'Organisation Chain': 'PWD',
  'Publish Date': '02-Nov-2026 09:00 AM',
  'Bid Submission End Date': '28-Nov-2026 11:00 AM',
});
const LIMITS: FeedLimits = { ...FEED_LIMITS, maxBytes: 100_000, allowedAddresses: ['127.0.0.1'] };

const MODIFIED = 'Tue, 10 Nov 2026 05:00:00 GMT';

let folder: string;
let drop: string;
let portal: Server;
let app: TestApp;
let asked: IncomingMessage['headers'][];
/** The file of the portal; 'endless' begins and never ends. */
let file: { etag: string; body: Buffer } | number | 'endless';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-feeds-'));
  drop = join(folder, 'drop');
  portal = createServer((request, reply) => {
    asked.push(request.headers);
    if (typeof file === 'number') return void reply.writeHead(file).end();
    if (file === 'endless') return void reply.writeHead(200).write('Tender ID');
    const { etag, body } = file;
    if (request.headers['if-none-match'] === etag) return void reply.writeHead(304).end();
    reply.writeHead(200, { etag, 'last-modified': MODIFIED, 'content-type': 'application/gzip' }).end(body);
  });
  await new Promise<void>((done) => portal.listen(0, '127.0.0.1', done));
  const { port } = portal.address() as AddressInfo;
  app = await startApp({
    now: NOW,
    env: {
      DATA_DIR: join(folder, 'data'),
      SUPPORT_EMAIL: 'help@nivida.example',
      FEEDS: `far=http://127.0.0.1:${port}/tenders.csv.gz;every=30;state=himachal-pradesh near=${drop};every=10;state=assam;allow-missing=emd-percentage,pin-code`,
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
  await emptyTables(app.database, ['feed', 'tender']);
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

test('an address is requested at its interval, and its file is imported only when it has changed', async () => {
  expect(await run()).toBe(1);
  expect(await titles('far')).toEqual(['Repair of path', 'Repair of wall']);
  expect(await feed('far')).toMatchObject({ error: null, counts: { read: 2, new: 2 }, succeeded_at: NOW });
  after(29);
  expect(await run()).toBe(0);
  expect(asked).toHaveLength(1);

  after(1);
  expect(await run()).toBe(0);
  expect(asked[1]).toMatchObject({ 'if-none-match': '"one"', 'if-modified-since': MODIFIED });
  expect(await feed('far')).toMatchObject({ error: null, counts: { read: 2, new: 2 }, succeeded_at: app.clock.now });

  after(30);
  file = { etag: '"two"', body: gzipSync(csv('Repair of path', 'Repair of the wall')) };
  expect(await run()).toBe(1);
  expect(await titles('far')).toEqual(['Repair of path', 'Repair of the wall']);
  const counts = { read: 2, new: 0, changed: 1, unchanged: 1, rejected: 0 };
  expect(await feed('far')).toMatchObject({ counts });
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);

  // After a failure it keeps the counts and the instant of its last success, and the marks of the file.
  const readAt = app.clock.now;
  after(30);
  file = 500;
  expect(await run()).toBe(0);
  expect(await feed('far')).toMatchObject({
    error: expect.stringContaining('the portal answered 500'),
    counts,
    tried_at: app.clock.now,
    succeeded_at: readAt,
  });
  after(30);
  file = { etag: '"two"', body: Buffer.of() };
  expect(await run()).toBe(0);
  expect(asked.at(-1)).toMatchObject({ 'if-none-match': '"two"' });
  expect(await feed('far')).toMatchObject({ error: null, counts, succeeded_at: app.clock.now });
});

test('a feed with a new address is read at once, as one that was never read', async () => {
  expect(await run()).toBe(1);
  await app.database.dataSource.query("UPDATE feed SET source = 'https://earlier.example/tenders.csv'");
  after(1);
  expect(await run()).toBe(1);
  expect(asked[1]).not.toHaveProperty('if-none-match');
  expect(await app.database.dataSource.query("SELECT source FROM feed WHERE name = 'far'")).toEqual([
    { source: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/tenders\.csv\.gz$/) },
  ]);
});

test('a file that does not end in time is refused, and nothing of it is stored', async () => {
  file = 'endless';
  expect(await run({ ...LIMITS, totalMs: 600 })).toBe(0);
  expect((await feed('far')).error).toMatch(/^http:\/\/127\.0\.0\.1:\d+ took too long$/);
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);
});

test('a folder that is missing is an error with its name', async () => {
  await rm(drop, { recursive: true });
  expect(await run()).toBe(1);
  expect(await feed('near')).toMatchObject({
    error: expect.stringMatching(new RegExp(`^${drop} ENOENT`)),
    counts: null,
    succeeded_at: null,
  });
});

test('a feed that a clock ahead has read is read again when the clock is corrected', async () => {
  after(60 * 24);
  expect(await run()).toBe(1);
  app.clock.now = NOW;
  await run();
  expect(asked).toHaveLength(2);
  expect(await feed('far')).toMatchObject({ tried_at: NOW });
});

test('new and changed files of a folder are imported, the oldest first', async () => {
  const put = async (name: string, second: number, ...rows: string[]) => {
    await writeFile(join(drop, name), csv(...rows));
    await utimes(join(drop, name), second, second);
  };
  await put('b.csv', 1_000, 'Bridge, first'.replace(',', ''));
  await put('a.csv', 2_000, 'Bridge revised');
  await put('notes.txt', 3_000, 'no feed');
  await put('c.csv.part', 3_000, 'no feed');
  await mkdir(join(drop, 'old.csv'));
  expect(await run()).toBe(3);
  expect(await titles('near')).toEqual(['Bridge revised']);
  expect(await feed('near')).toMatchObject({
    error: null,
    counts: { read: 2, new: 1, changed: 1, unchanged: 0, rejected: 0 },
  });
  after(10);
  expect(await run()).toBe(0);
  await put('b.csv', 4_000, 'Bridge revised again');
  after(10);
  expect(await run()).toBe(1);
  expect(await titles('near')).toEqual(['Bridge revised again']);
  // Of one instant in the order of their names, packed or not.
  await writeFile(join(drop, 'Y.CSV.GZ'), gzipSync(csv('Bridge of Y')));
  await put('Z.csv', 5_000, 'Bridge of Z');
  await put('X.csv', 5_000, 'Bridge of X');
  await utimes(join(drop, 'Y.CSV.GZ'), 5_000, 5_000);
  // Another size at the same instant is another file.
  await put('b.csv', 4_000, 'Bridge once more');
  after(10);
  expect(await run()).toBe(4);
  expect(await titles('near')).toEqual(['Bridge of Z']);
  const changes = await app.database.dataSource.query(
    "SELECT changes->0->>'new' AS title FROM tender_history WHERE kind = 'changed' ORDER BY change_no DESC LIMIT 4",
  );
  expect(changes.map(({ title }: { title: string }) => title)).toEqual([
    'Bridge of Z',
    'Bridge of Y',
    'Bridge of X',
    'Bridge once more',
  ]);
});

test('a feed with only rejected rows has failed, and is read again although it did not change', async () => {
  const strange = csv('Repair of path', 'Repair of wall').replaceAll('Nov', 'Smarch');
  file = { etag: '"one"', body: gzipSync(strange) };
  await writeFile(join(drop, 'strange.csv'), strange);
  await writeFile(join(drop, 'good.csv'), csv('Road'));
  expect(await run()).toBe(1);
  expect(await titles('near')).toEqual(['Road']);
  const far = { error: expect.stringContaining('was rejected row by row (2 rows)'), counts: { read: 2, rejected: 2 } };
  expect(await feed('far')).toMatchObject({ ...far, succeeded_at: null });
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);
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

test('a file that would empty a field of most tenders waits for the operator, with one mail to support', async () => {
  const form = (emd: string) =>
    gzipSync(gepnicFile(Array.from({ length: 20 }, (_, n) => ({ ...cells(n), 'EMD Amount in ₹': emd }))));
  file = { etag: '"one"', body: form('25000') };
  expect(await run()).toBe(1);
  after(30);
  file = { etag: '"two"', body: form('') };
  expect(await run()).toBe(0);
  const heldBackPath = join(folder, 'data', 'feeds', 'far', 'held-back');
  const what = 'would empty "EMD Amount" in 20 of 20 tenders that are stored';
  expect((await feed('far')).error).toContain(`${heldBackPath} ${what}`);
  expect(await app.database.dataSource.query('SELECT DISTINCT emd FROM tender')).toEqual([{ emd: '25000.00' }]);
  expect(await readFile(heldBackPath)).toEqual(form(''));

  after(30);
  file = { etag: '"three"', body: form('NA') };
  expect(await run()).toBe(0);
  // A portal that fails in between changes nothing.
  after(30);
  file = 503;
  expect(await run()).toBe(0);
  after(30);
  file = { etag: '"three"', body: form('NA') };
  expect(await run()).toBe(0);
  const mails = (await readSentMails(app)).filter(({ subject }) => subject === 'The file of far was not imported');
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to?.[0]?.address).toBe('help@nivida.example');
  expect(mails[0]?.text).toContain(`${heldBackPath} ${what}`);

  after(30);
  file = { etag: '"four"', body: form('26000') };
  expect(await run()).toBe(1);
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);
  after(30);
  file = { etag: '"five"', body: form('') };
  expect(await run()).toBe(0);
  expect((await readSentMails(app)).filter(({ subject }) => subject?.includes('not imported'))).toHaveLength(2);
});

test('a file of a folder that waits for the operator stays where it is', async () => {
  const path = join(drop, 'form.csv');
  const form = (emd: string) =>
    gepnicFile(Array.from({ length: 20 }, (_, n) => ({ ...cells(n), 'EMD Amount in ₹': emd })));
  await writeFile(path, form('25000'));
  expect(await run()).toBe(2);
  await writeFile(path, form(''));
  after(10);
  expect(await run()).toBe(0);
  expect((await feed('near')).error).toMatch(new RegExp(`^${path} would empty "EMD Amount" in 20 of 20 tenders`));
  expect(await readFile(path, 'utf8')).toBe(form(''));
  const held = (await readSentMails(app)).filter(({ subject }) => subject === 'The file of near was not imported');
  expect(held).toHaveLength(1);
});

test('an accepted mass change or state counts for the files that were seen only, and each for itself', async () => {
  const feeds = app.app.get(FeedsService);
  const act = { actorId: null, reason: 'The portal confirmed it' };
  const held = async () => (await feeds.list()).find(({ name }) => name === 'near')?.heldFiles ?? [];
  const form = (emd: string, pin = '781001') =>
    gepnicFile(
      Array.from({ length: 20 }, (_, n) => ({ ...cells(n), 'EMD Amount in ₹': emd, Pincode: pin, Location: 'Site' })),
    );
  const emds = async () => {
    const rows = await app.database.dataSource.query("SELECT DISTINCT emd FROM tender WHERE portal = 'near'");
    return rows.map(({ emd }: { emd: string | null }) => emd);
  };
  const ask = async (accepts: ('mass-change' | 'state')[], files: { name: string; sha256: string }[]) =>
    feeds.runRequested({ feed: 'near', accepts, files }, LIMITS);
  await writeFile(join(drop, 'a.csv'), form('25000'));
  expect(await run()).toBe(2);
  after(10);
  // Of another state, with a mass change besides.
  await writeFile(join(drop, 'a.csv'), form('', '171001'));
  await run();
  const seen = await held();
  expect(seen).toMatchObject([{ name: 'a.csv', problem: 'state' }]);
  await ask(['state'], seen);
  expect(await held()).toMatchObject([{ name: 'a.csv', problem: 'mass-change' }]);
  await ask(['mass-change'], seen);
  expect(await held()).toMatchObject([{ name: 'a.csv', problem: 'state' }]);
  expect(await emds()).toEqual(['25000.00']);
  // Another content of the name, and a file that was not seen.
  await writeFile(join(drop, 'a.csv'), form('NA', '171001'));
  await writeFile(join(drop, 'b.csv'), form('NA', '171001'));
  await ask(['mass-change', 'state'], seen);
  expect((await held()).map(({ name, problem }) => [name, problem])).toEqual([
    ['a.csv', 'state'],
    ['b.csv', 'state'],
  ]);
  await expect(feeds.requestRun('near', act, { accepts: ['state'], files: seen })).rejects.toThrow('wait now');
  await expect(feeds.requestRun('near', act, { accepts: ['state'], files: [] })).rejects.toThrow('wait now');
  const [first] = await held();
  if (!first) throw new Error('No file waits');
  await ask(['mass-change', 'state'], [first]);
  expect(await held()).toMatchObject([{ name: 'b.csv' }]);
  expect(await emds()).toEqual([null]);
});

test('of a list that differs at each download the copy is imported that was accepted, after another import of its portal', async () => {
  const feeds = app.app.get(FeedsService);
  const form = (emd: string) =>
    gzipSync(gepnicFile(Array.from({ length: 20 }, (_, n) => ({ ...cells(n), 'EMD Amount in ₹': emd }))));
  file = { etag: '"one"', body: form('25000') };
  await run();
  after(30);
  file = { etag: '"two"', body: form('') };
  await run();
  const held = async () => (await feeds.list()).find(({ name }) => name === 'far')?.heldFiles ?? [];
  const files = (await held()).map(({ name, sha256 }) => ({ name, sha256 }));
  file = { etag: '"three"', body: form('NA') };
  const accepted: FeedRun = { feed: 'far', accepts: ['mass-change'], files };
  const { dataSource } = app.database;
  const downloads = asked.length;
  const jobs = () =>
    dataSource.query("SELECT data, start_after > now() AS later FROM pgboss.job WHERE name = 'import-files'");
  await withPortalLock(dataSource, 'far', () => feeds.runRequested(accepted, LIMITS));
  expect(await jobs()).toEqual([{ data: accepted, later: true }]);
  expect(await held()).toHaveLength(1);
  await dataSource.query("DELETE FROM pgboss.job WHERE name = 'import-files'");
  await feeds.runRequested(accepted, LIMITS);
  expect(await jobs()).toEqual([]);
  expect(asked).toHaveLength(downloads);
  expect(await dataSource.query('SELECT DISTINCT emd FROM tender')).toEqual([{ emd: null }]);
  expect(await held()).toEqual([]);
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);
});

test('each file that begins to wait sends a mail, and one that cannot be read waits on', async () => {
  const feeds = app.app.get(FeedsService);
  const held = async () =>
    (await feeds.list())
      .find(({ name }) => name === 'near')
      ?.heldFiles.map(({ name }) => name)
      .sort();
  const mails = async () =>
    (await readSentMails(app))
      .filter(({ subject }) => subject === 'The file of near was not imported')
      .map(({ text }) => text);
  const before = (await mails()).length;
  const form = gepnicFile(Array.from({ length: 20 }, (_, n) => ({ ...cells(n), Pincode: '171001', Location: 'Site' })));
  await writeFile(join(drop, 'a.csv'), form);
  await run();
  after(10);
  await run();
  expect((await mails()).length).toBe(before + 1);
  await writeFile(join(drop, 'b.csv'), form);
  after(10);
  await run();
  expect((await mails()).slice(before).filter((text) => text?.includes('b.csv'))).toHaveLength(1);
  expect(await held()).toEqual(['a.csv', 'b.csv']);
  await rm(join(drop, 'a.csv'));
  await symlink(join(folder, 'moved.csv'), join(drop, 'a.csv'));
  after(10);
  await run();
  expect(await held()).toEqual(['a.csv', 'b.csv']);
  // One that is gone waits no more.
  await rm(join(drop, 'a.csv'));
  after(10);
  await run();
  expect(await held()).toEqual(['b.csv']);
  expect((await mails()).length).toBe(before + 2);
});

test('a file that cannot be read is an error beside the counts of the others, and stops no feed', async () => {
  const { feeds } = app.config;
  feeds.push({ ...(feeds[1] as (typeof feeds)[0]), portal: 'later', source: join(folder, 'later') });
  await mkdir(join(folder, 'later'));
  await writeFile(join(folder, 'later', 'good.csv'), csv('Bridge'));
  // Its target was moved away.
  await symlink(join(folder, 'moved.csv'), join(drop, 'a.csv'));
  await writeFile(join(drop, 'good.csv'), csv('Road'));
  expect(await run()).toBe(3);
  feeds.pop();
  expect(await titles('near')).toEqual(['Road']);
  expect(await titles('later')).toEqual(['Bridge']);
  expect(await feed('near')).toMatchObject({
    error: expect.stringMatching(/a\.csv ENOENT/),
    counts: { read: 1, new: 1 },
    succeeded_at: null,
  });
});

test('a feed may name columns that its portal does not provide', async () => {
  const path = join(drop, 'form.csv');
  const columns = GEPNIC_COLUMNS.filter((column) => !['EMD Percentage', 'Pincode'].includes(column));
  await writeFile(path, gepnicFile([{ ...cells(0), Title: 'Road' }], columns));
  expect(await run()).toBe(2);
  expect(await titles('near')).toEqual(['Road']);
});

test('a feed that fails stores its reason, does not stop the others, and is retried at its interval', async () => {
  file = 503;
  await writeFile(join(drop, 'broken.csv'), 'no table of tenders');
  await writeFile(join(drop, 'good.csv'), csv('Road'));
  expect(await run()).toBe(1);
  expect(await titles('near')).toEqual(['Road']);
  expect((await feed('far')).error).toContain('the portal answered 503');
  // The address may hold a key.
  expect((await feed('far')).error).not.toContain('tenders.csv');
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

test('a file that is too large is refused, and nothing of it is stored', async () => {
  file = { etag: '"large"', body: Buffer.alloc(LIMITS.maxBytes + 1, 'a') };
  expect(await run()).toBe(0);
  expect((await feed('far')).error).toContain('is larger than 0.1 MB');
  expect(await titles('far')).toEqual([]);
  expect(await readdir(join(folder, 'data', 'feeds', 'far'))).toEqual([]);
});

test('two concurrent processes read each feed once', async () => {
  await writeFile(join(drop, 'good.csv'), csv('Road'));
  const counts = await Promise.all([run(), run(), run()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(2);
  expect(asked).toHaveLength(1);
});

test('a paused feed is not read, raises no alert, and is read when an operator asks', async () => {
  const feeds = app.app.get(FeedsService);
  const act = { actorId: null, reason: 'The portal moves' };
  await feeds.setPaused('far', true, act);
  expect(await run()).toBe(0);
  expect(asked).toEqual([]);
  expect((await feeds.list())[0]).toMatchObject({
    ...{ name: 'far', triedAt: null, pausedAt: NOW, pausedReason: 'The portal moves' },
  });
  // The address may hold a key.
  expect((await feeds.list())[0]?.source).not.toContain('tenders.csv');
  file = 503;
  await feeds.runRequested({ feed: 'far' }, LIMITS);
  expect((await feed('far')).error).toContain('the portal answered 503');
  const metric = async (name: string) => {
    const query = STATE_METRICS.find((each) => each.name === name)?.query ?? '';
    return app.database.dataSource.query(query, query.includes('$1') ? [NOW] : []);
  };
  expect(await metric('nivida_feed_paused')).toContainEqual({ feed: 'far', value: 1 });
  expect(await metric('nivida_feed_failed')).toEqual([{ feed: 'near', value: 0 }]);
  file = { etag: '"one"', body: gzipSync(csv('Path')) };
  await feeds.runRequested({ feed: 'far' }, LIMITS);
  expect(await titles('far')).toEqual(['Path']);
  await feeds.setPaused('far', false, act);
  after(30);
  file = { etag: '"two"', body: gzipSync(csv('Path', 'Wall')) };
  expect(await run()).toBe(1);
  const events = await app.database.dataSource.query(
    "SELECT action, detail FROM audit WHERE subject = 'far' AND action LIKE 'feed.%' ORDER BY id",
  );
  expect(events).toEqual([
    { action: 'feed.paused', detail: { before: 'running', reason: 'The portal moves' } },
    { action: 'feed.resumed', detail: { before: 'paused', reason: 'The portal moves' } },
  ]);
  await expect(feeds.setPaused('nowhere', true, act)).rejects.toThrow('There is no feed “nowhere”');
});
