/** Files that programs send with a key: POST /api/import. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type JobWorker, startWorker } from '../../src/app/worker.ts';
import { ImportKeysService } from '../../src/ingest/sent-files/import-keys.service.ts';
import { SentFilesService } from '../../src/ingest/sent-files/sent-files.service.ts';
import { emptyTables, startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const ACT = { actorId: null, reason: 'A program of the test' };
const HEADER = 'Tender ID,Title,Organisation Chain,Publish Date,Bid Submission End Date,Tender Value in ₹';
const csv = (rows: number, value = '5,00,000.00') =>
  [
    HEADER,
    ...Array.from(
      { length: rows },
      (_, n) => `2026_PWD_${n + 1}_1,Road ${n},PWD,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM,"${value}"`,
    ),
  ].join('\n');

let folder: string;
let app: TestApp;
let worker: JobWorker;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-import-api-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
  const { config, database } = app;
  worker = await startWorker({ config, database, now: () => app.clock.now, services: app.app });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = NOW;
  await emptyTables(app.database, ['sent_file', 'import_key', 'tender', 'rate_limit']);
  key = await addKey('hptenders daily');
});

const addKey = async (name: string, options: { portal?: string; listsOnly?: boolean } = {}) =>
  (await app.app.get(ImportKeysService).add({ name, listsOnly: false, ...options }, 'root', ACT)).key;

interface Sent {
  body?: string | Buffer;
  key?: string;
  query?: string;
  headers?: Record<string, string>;
}
async function send(sent: Sent) {
  const { body = csv(3), query = 'portal=hptenders&state=himachal-pradesh', headers = {} } = sent;
  const reply = await app.app.inject({
    method: 'POST',
    url: `/api/import?${query}`,
    headers: { authorization: `Bearer ${sent.key ?? key}`, 'content-type': 'text/csv', ...headers },
    payload: body,
  });
  return { status: reply.statusCode, headers: reply.headers, json: reply.json() };
}
const auth = (of = key) => ({ authorization: `Bearer ${of}` });
const count = async () => Number((await app.database.dataSource.query('SELECT count(*) FROM tender'))[0].count);

test('a file is imported, answered with its counts and audited; its bytes are removed', async () => {
  const { status, json, headers } = await send({});
  expect([status, json.counts]).toEqual([200, { read: 3, new: 3, changed: 0, unchanged: 0, rejected: 0 }]);
  expect(headers.location).toBe(`/api/import/${json.id}`);
  expect(await count()).toBe(3);
  expect(await app.app.get(SentFilesService).find(json.id)).toMatchObject({ fileKeys: [], portal: 'hptenders' });
  const [event] = await app.database.dataSource.query("SELECT * FROM audit WHERE action = 'import.sent'");
  expect(event).toMatchObject({ subject: json.id, detail: { reason: 'Sent with the key hptenders daily' } });
  const again = await app.get(`/api/import/${json.id}`, auth());
  expect(again.json).toEqual(json);
  const [run] = await app.database.dataSource.query('SELECT portal, counts FROM import_run');
  expect(run).toMatchObject({ portal: 'hptenders', counts: { new: 3 } });
});

test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/gzip'])(
  'the body is the file with any content type: %s',
  async (type) => {
    const { json } = await send({ body: gzipSync(csv(2)), headers: { 'content-type': type } });
    expect(json.counts).toMatchObject({ new: 2 });
  },
);

test('the same file again is answered with the first result; after another file it is read again', async () => {
  const first = await send({});
  const second = await send({});
  expect(second.json).toEqual({ ...first.json, isRepeated: true });
  app.clock.now = new Date(NOW.getTime() + 1_000);
  await send({ body: csv(4) });
  expect((await send({})).json).not.toHaveProperty('isRepeated');
});

test('a dry run stores nothing', async () => {
  const { json } = await send({ query: 'portal=hptenders&state=himachal-pradesh&dryRun=true' });
  expect(json).toMatchObject({ isDryRun: true, counts: { new: 3 } });
  expect(await count()).toBe(0);
});

test.each([
  ['a column is missing', { body: 'Tender ID,Title\n1,Road' }, 422, 'file'],
  ['it is no table', { body: 'hello' }, 422, 'file'],
  ['its portal is not named', { query: '' }, 400, 'options'],
  ['its state is unknown', { query: 'portal=hptenders&state=atlantis' }, 400, 'options'],
  ['every row is rejected', { body: `${HEADER}\n2026_PWD_1_1,Road,PWD,soon,later,1` }, 422, 'rejected'],
] as [string, Sent, number, string][])(
  'a file is refused with the reason when %s',
  async (_name, sent, status, code) => {
    const answer = await send(sent);
    expect([answer.status, answer.json.status, answer.json.problem.code]).toEqual([status, 'refused', code]);
    expect(answer.json.problem.text).not.toBe('');
    expect(await count()).toBe(0);
  },
);

test('rejected rows are in the answer and in a report, which its sender alone reads', async () => {
  const { json } = await send({ body: `${csv(1)}\n2026_PWD_9_1,Road,PWD,soon,28-Nov-2026 11:00 AM,1` });
  expect(json.counts).toMatchObject({ new: 1, rejected: 1 });
  expect(json.rejects).toEqual([{ line: 3, column: 'Publish Date', value: 'soon', reason: expect.any(String) }]);
  const report = await app.get(`/api/import/${json.id}/rejects`, auth());
  expect(report.text.split('\n')[0]).toBe('line,column,value,reason');
  const other = await addKey('other');
  expect((await app.get(`/api/import/${json.id}`, auth(other))).status).toBe(404);
  expect((await app.get(`/api/import/${json.id}/rejects`, auth(other))).status).toBe(404);
});

test('a mass change is refused with how to accept it', async () => {
  await send({ body: csv(30) });
  const moved = csv(30).replaceAll('02-Nov', '03-Nov').replaceAll('28-Nov', '29-Nov');
  const { status, json } = await send({ body: moved });
  expect([status, json.problem.code]).toEqual([409, 'mass-change']);
  expect(json.problem.text).toContain('--accept-mass-change');
});

test('without a valid key nothing is stored, and many guesses are refused', async () => {
  const wrong = `nvk_${'a'.repeat(43)}`;
  expect((await send({ key: wrong })).status).toBe(401);
  expect((await send({ key: '' })).status).toBe(401);
  await app.app.get(ImportKeysService).revoke('hptenders daily', ACT);
  expect((await send({})).status).toBe(401);
  expect(await app.database.dataSource.query('SELECT 1 FROM sent_file')).toEqual([]);
});

test('a key of one portal, and one for lists, send nothing else', async () => {
  const narrow = await addKey('narrow', { portal: 'hptenders' });
  expect((await send({ key: narrow, query: 'portal=assam&state=assam' })).status).toBe(403);
  expect((await send({ key: narrow, query: 'state=himachal-pradesh' })).json.portal).toBe('hptenders');
  const lists = await addKey('lists', { listsOnly: true });
  expect((await send({ key: lists })).status).toBe(403);
});

test('one key sends at most 60 files a minute', async () => {
  for (let n = 0; n < 60; n++) await app.get('/api/import/00000000-0000-4000-8000-000000000000', auth());
  expect((await app.get('/api/import/00000000-0000-4000-8000-000000000000', auth())).status).toBe(429);
});

test('only the digest of a key is stored; a name belongs to one key', async () => {
  const [row] = await app.database.dataSource.query('SELECT * FROM import_key');
  expect(JSON.stringify(row)).not.toContain(key);
  await expect(addKey('hptenders daily')).rejects.toThrow('There is a key “hptenders daily” already');
});

test('an empty body, and a compressed one, are refused', async () => {
  expect((await send({ body: '' })).status).toBe(400);
  expect((await send({ headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
});

test('pages of portals may send, without cookies', async () => {
  const preflight = await app.app.inject({
    method: 'OPTIONS',
    url: '/api/import?portal=hptenders',
    headers: { origin: 'https://hptenders.gov.in', 'access-control-request-method': 'POST' },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'Authorization, Content-Type',
  });
  expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  const { headers } = await send({ headers: { origin: 'https://hptenders.gov.in' } });
  expect(headers['access-control-allow-origin']).toBe('*');
});

test('after a day the bytes of refused files and their reports are gone', async () => {
  const { json } = await send({ body: `${HEADER}\n2026_PWD_1_1,Road,PWD,soon,later,1` });
  const files = app.app.get(SentFilesService);
  const { fileKeys, rejectsKey } = await files.find(json.id);
  const keys = [...fileKeys, rejectsKey ?? ''];
  expect(await Promise.all(keys.map((each) => files.store.has(each)))).toEqual([true, true]);
  expect(await files.removeOld(new Date(NOW.getTime() + 25 * 3_600_000))).toBe(1);
  expect(await Promise.all(keys.map((each) => files.store.has(each)))).toEqual([false, false]);
  expect(await files.find(json.id)).toMatchObject({ fileKeys: [], rejectsKey: null, status: 'refused' });
});

test('a table of PIN codes, which places the tenders of all portals, is not taken with a key', async () => {
  const { status, json } = await send({ body: 'pincode,district,state\n173212,Solan,Himachal Pradesh\n' });
  expect([status, json.counts]).toEqual([422, null]);
  expect(JSON.stringify(json)).toContain('is a table of PIN codes');
  expect(await app.database.dataSource.query("SELECT 1 FROM pincode WHERE pincode = '173212'")).toEqual([]);
});
