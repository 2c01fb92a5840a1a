/** Data in at the desk: a file in parts, its columns, its count, the import with its mapping; keys, feeds, portals. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JobWorker, startWorker } from '../../src/app/worker.ts';
import { sha256Hex } from '../../src/http/security/cookies.ts';
import type { SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { actHeaders, createStaffSession } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const reason = 'the list of the association';

let folder: string;
let app: TestApp;
let worker: JobWorker;
let operator: SignedInAccount;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-desk-data-'));
  await mkdir(join(folder, 'feed'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder, FEEDS: `ukpwd=${folder}/feed` } });
  const { config, database } = app;
  worker = await startWorker({ config, database, now: () => app.clock.now, services: app.app });
  operator = await createStaffSession(app, 'operator', NOW);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await rm(folder, { recursive: true });
});

const read = async (path: string) => (await app.get(`/api/desk/data/${path}`, operator.headers)).json;
async function post(path: string, body: object | Buffer, headers: Record<string, string> = actHeaders(operator)) {
  const reply = await app.app.inject({ method: 'POST', url: `/api/desk/data/${path}`, headers, payload: body });
  return { status: reply.statusCode, json: reply.json() };
}
const part = (id: string, position: number, bytes: string) =>
  post(`files/${id}/parts/${position}`, Buffer.from(bytes), {
    ...operator.headers,
    'content-type': 'application/octet-stream',
  });
async function ended(id: string) {
  await expect.poll(async () => (await read(`files/${id}`)).endedAt, { timeout: 15_000 }).not.toBeNull();
  return read(`files/${id}`);
}

const HEADER = 'Sl,Kaam,Daftar,NIT ka number,Lagat,Nikala,Aakhri tareekh';
const rows = (count: number, days = 0) =>
  [
    HEADER,
    ...Array.from(
      { length: count },
      (_, n) => `${n},Repair of the road at km ${n},PWD,UK-${n},500000,${2 + days}/11/2026,${20 + days}/11/2026`,
    ),
    ',No number,PWD,,500000,2/11/2026,20/11/2026',
  ].join('\n');
const MAPPING = {
  columns: [
    { column: 'Sl', field: null },
    { column: 'Kaam', field: 'title' },
    { column: 'Daftar', field: 'organisation' },
    { column: 'NIT ka number', field: 'tender_id' },
    { column: 'Lagat', field: 'value' },
    { column: 'Nikala', field: 'published' },
    { column: 'Aakhri tareekh', field: 'closing' },
  ],
  fixed: {},
  state: null,
};
const OPTIONS = { portal: 'ukpwd', state: 'uttarakhand', format: 'auto', accepts: [] };

async function upload(text: string, name = 'list.csv'): Promise<string> {
  const { id } = (await post('files', { name })).json;
  const middle = text.length >> 1;
  await part(id, 0, text.slice(0, middle));
  // A lost answer: the part is sent again.
  expect((await part(id, 0, text.slice(0, middle))).json.parts).toBe(1);
  expect((await part(id, 1, text.slice(middle))).json.parts).toBe(2);
  return id;
}

test('a file in parts is described, counted without a trace, mapped, and imported once', async () => {
  const id = await upload(rows(25));
  expect((await part(id, 9, 'x')).status).toBe(409);
  expect((await part(id, 2, '')).status).toBe(400);
  const columns = await read(`files/${id}/columns?portal=ukpwd`);
  expect(columns).toMatchObject({ format: null, mapping: null, saved: null, header_line: 1 });
  expect(columns.columns[1]).toMatchObject({
    column: 'Kaam',
    samples: ['Repair of the road at km 0', expect.any(String), expect.any(String)],
  });

  expect((await post(`files/${id}/count`, { ...OPTIONS, mapping: MAPPING })).status).toBe(200);
  const counted = await ended(id);
  expect(counted).toMatchObject({
    isDryRun: true,
    problem: null,
    counts: { read: 26, new: 25, rejected: 1 },
    hasRejects: true,
  });
  expect([counted.tenders.length, counted.tenders[0].title]).toEqual([10, 'Repair of the road at km 0']);
  expect(counted.rejections).toMatchObject([{ count: 1 }]);
  expect(await app.database.dataSource.query('SELECT 1 FROM tender')).toEqual([]);
  expect((await read('files')).rows).toMatchObject([{ id, isDryRun: true, sender: operator.user.username }]);

  const headers = actHeaders(operator);
  const body = { ...OPTIONS, mapping: MAPPING, reason };
  expect((await post(`files/${id}/import`, body, headers)).status).toBe(200);
  expect((await post(`files/${id}/import`, body, headers)).status).toBe(200);
  expect(await ended(id)).toMatchObject({ status: 'done', counts: { new: 25, rejected: 1 }, isHere: false });
  const again = await post(`files/${id}/import`, body);
  expect([again.status, again.json.message]).toEqual([409, 'This file is imported already']);
  const events = await app.database.dataSource.query(
    'SELECT action, detail FROM audit WHERE actor_id = $1 ORDER BY id',
    [operator.user._id],
  );
  expect(events).toMatchObject([
    { action: 'mapping.saved', detail: { version: 1, reason } },
    { action: 'import.requested', detail: { portal: 'ukpwd', mapping: 1, reason } },
  ]);
  expect((await read('portals')).rows).toMatchObject([
    { portal: 'ukpwd', tenders: 25, open: 25, rows: 26, rejected: 1, mapping_version: 1 },
  ]);
  const monthAgo = new Date(NOW.getTime() - 31 * DAY_MS);
  // Of the last import, at any time and by any way.
  await app.database.dataSource.query(
    `UPDATE import_run SET imported_at = $1, counts = counts || '{"read": 30, "rejected": 2}'`,
    [monthAgo],
  );
  expect((await read('portals')).rows).toMatchObject([{ portal: 'ukpwd', tenders: 25, rows: 30, rejected: 2 }]);
  await app.database.dataSource.query('UPDATE import_run SET counts = NULL');
  expect((await read('portals')).rows).toMatchObject([{ portal: 'ukpwd', tenders: 25, rows: null, rejected: null }]);
});

test('a second file imports by itself; other columns are asked about; a mass change is accepted', async () => {
  const second = await upload(rows(25, 1));
  expect(await read(`files/${second}/columns?portal=ukpwd`)).toMatchObject({
    mapping: { portal: 'ukpwd', version: 1 },
  });
  await post(`files/${second}/import`, { ...OPTIONS, mapping: null, reason });
  expect(await ended(second)).toMatchObject({ status: 'refused', problem: { code: 'mass-change' }, isHere: true });
  await post(`files/${second}/import`, { ...OPTIONS, mapping: null, accepts: ['mass-change'], reason });
  expect(await ended(second)).toMatchObject({ status: 'done', counts: { changed: 25 } });

  const other = await upload(rows(3).replace('Lagat', 'Rakam'));
  expect(await read(`files/${other}/columns?portal=ukpwd`)).toMatchObject({ mapping: null, saved: { version: 1 } });
  await post(`files/${other}/count`, { ...OPTIONS, mapping: null });
  expect(await ended(other)).toMatchObject({ problem: { code: 'columns' } });
  expect((await post(`files/${other}/count`, { ...OPTIONS, state: 'Atlantis', mapping: null })).status).toBe(400);
  const json = await upload('{"releases": []}', 'a.json');
  expect(await read(`files/${json}/columns`)).toMatchObject({ format: 'ocds', columns: [] });
  expect((await app.get(`/api/desk/data/files/${randomUUID()}`, operator.headers)).status).toBe(404);
});

test('a key is stored as its digest and ended; a feed is paused, run and resumed', async () => {
  const key = `nvk_${'a'.repeat(43)}`;
  const body = { name: 'browser', portal: 'hptenders', lists_only: true, key_sha256: sha256Hex(key), reason };
  const { id } = (await post('keys', body)).json;
  const send = () => app.get(`/api/import/${randomUUID()}`, { authorization: `Bearer ${key}` });
  expect((await send()).status).toBe(404);
  expect((await post(`keys/${id}/end`, { reason })).status).toBe(200);
  expect((await send()).status).toBe(401);
  expect((await read('keys')).rows).toMatchObject([{ id, created_by: operator.user.username, lists_only: true }]);

  expect((await read('feeds')).rows).toMatchObject([{ name: 'ukpwd', paused_at: null }]);
  await post('feeds/ukpwd/pause', { reason });
  expect((await read('feeds')).rows).toMatchObject([{ paused_at: NOW.toISOString(), paused_reason: reason }]);
  await post('feeds/ukpwd/run', { accepts: [], files: [], reason });
  const accepted = { accepts: ['state'], files: [{ name: 'other.csv', sha256: 'a' }], reason };
  expect((await post('feeds/ukpwd/run', accepted)).status).toBe(409);
  expect((await post('feeds/ukpwd/run', { ...accepted, accepts: [] })).status).toBe(400);
  await expect.poll(async () => (await read('feeds')).rows[0].tried_at, { timeout: 15_000 }).not.toBeNull();
  await post('feeds/ukpwd/resume', { reason });
  expect((await read('feeds')).rows).toMatchObject([{ paused_at: null }]);
  expect((await post('feeds/nowhere/pause', { reason })).status).toBe(404);
});

test('of a count and an import of one file at the same time one is taken, the other says so', async () => {
  const id = await upload(rows(3));
  const request = { ...OPTIONS, mapping: MAPPING };
  const answers = await Promise.all([
    post(`files/${id}/count`, request),
    post(`files/${id}/import`, { ...request, reason: 'daily list' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
