/** The backup of files of documents in the account. */
import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FILE_KEYS } from '../../src/backup/backup.sql.ts';
import { FileBackupService } from '../../src/bids/file-backup.service.ts';
import { openSealedFile, sealFile } from '../../src/bids/file-seal.ts';
import { RetentionService } from '../../src/retention/retention.service.ts';
import { storedName } from '../../src/storage/file-store.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY = 86_400_000;

let folder: string;
let app: TestApp;
let asha: SignedInAccount;
let ravi: SignedInAccount;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-file-backup-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}` } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  ravi = await createSession(app, { username: 'Ravi' });
});

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const PAN = Buffer.from('%PDF-1.7 the PAN card of Asha');

const read = async (account = asha) =>
  (await app.app.inject({ url: '/api/bids/file-backup', headers: account.headers })).json();

async function turn(isOn: boolean, account = asha) {
  const call = { method: 'PUT', url: '/api/bids/file-backup', headers: account.headers, payload: { isOn } } as const;
  return (await app.app.inject(call)).json();
}

/** Sends one part, the only one unless it is named. */
async function put(content: Buffer, { account = asha, hash = hashOf(content), part = '0/1' } = {}) {
  const headers = { ...account.headers, 'content-type': 'application/octet-stream' };
  const url = `/api/bids/file-backup/files/${hash}/${part}`;
  const { statusCode, body } = await app.app.inject({ method: 'PUT', url, headers, payload: content });
  return { status: statusCode, message: body && JSON.parse(body).message };
}

const get = (hash: string, account = asha) =>
  app.app.inject({ url: `/api/bids/file-backup/files/${hash}`, headers: account.headers });

/** The contents of all stored files. */
async function storedFiles(): Promise<Buffer[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
}

test('files are stored only while the user has the backup switched on, and each device gets them', async () => {
  expect(await read()).toEqual({ isOn: false, hashes: [], begun: [] });
  expect(await put(PAN)).toEqual({ status: 409, message: 'The backup of files is switched off' });
  expect(await turn(true)).toEqual({ isOn: true, hashes: [], begun: [] });
  expect(await put(PAN)).toEqual({ status: 204, message: '' });
  expect((await put(PAN)).status).toBe(204);
  expect(await read()).toEqual({ isOn: true, hashes: [hashOf(PAN)], begun: [] });
  const answer = await get(hashOf(PAN));
  expect(answer.rawPayload.equals(PAN)).toBe(true);
  // Switched on again by another device: the key of the stored files stays.
  expect(await turn(true)).toEqual({ isOn: true, hashes: [hashOf(PAN)], begun: [] });
  expect((await get(hashOf(PAN))).rawPayload.equals(PAN)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'cache-control': expect.stringContaining('no-store'),
    'x-content-type-options': 'nosniff',
  });
});

test('the stored bytes do not hold the content, and another key, name or byte opens nothing', async () => {
  await turn(true);
  await put(PAN);
  expect((await storedFiles()).some((file) => file.includes('PAN card'))).toBe(false);
  const key = randomBytes(32);
  const sealed = sealFile(PAN, key, 'a');
  expect(openSealedFile(sealed, key, 'a').equals(PAN)).toBe(true);
  expect(() => openSealedFile(sealed, key, 'b')).toThrow();
  expect(() => openSealedFile(sealed, randomBytes(32), 'a')).toThrow();
  const changed = Buffer.concat([sealed.subarray(0, -1), Buffer.from([~(sealed.at(-1) ?? 0) & 255])]);
  expect(() => openSealedFile(changed, key, 'a')).toThrow();
});

test('a user reads, replaces and drops no file of another one', async () => {
  await turn(true);
  await put(PAN);
  await turn(true, ravi);
  expect((await get(hashOf(PAN), ravi)).statusCode).toBe(404);
  // The database refuses a NUL byte.
  expect((await get('%00', ravi)).statusCode).toBe(404);
  expect(await read(ravi)).toEqual({ isOn: true, hashes: [], begun: [] });
  await turn(false, ravi);
  expect((await get(hashOf(PAN))).rawPayload.equals(PAN)).toBe(true);
  for (const method of ['GET', 'PUT'] as const)
    expect(
      (
        await app.app.inject({
          method,
          url: `/api/bids/file-backup/files/${hashOf(PAN)}${method === 'PUT' ? '/0/1' : ''}`,
        })
      ).statusCode,
    ).toBe(401);
});

test('two users who store the same file have it each, and each within a limit of their own', async () => {
  await turn(true);
  await put(PAN);
  await turn(true, ravi);
  await app.database.dataSource.query(
    `INSERT INTO backup_file (file_key, owner_id, hash, part, parts, bytes, created_at)
     VALUES ($1::text || ' large', $1::uuid, 'large', 0, 1, 50000000, now())`,
    [asha.user._id],
  );
  expect(await put(PAN, { account: ravi })).toEqual({ status: 204, message: '' });
  expect(await read(ravi)).toEqual({ isOn: true, hashes: [hashOf(PAN)], begun: [] });
  await app.database.dataSource.query("DELETE FROM backup_file WHERE hash = 'large'");
  await turn(false);
  expect((await get(hashOf(PAN), ravi)).rawPayload.equals(PAN)).toBe(true);
});

test.each<[string, Buffer, { hash?: string; part?: string }, number]>([
  ['a hash that is none', PAN, { hash: 'abc' }, 400],
  ['a hash in capital letters', PAN, { hash: 'A'.repeat(64) }, 400],
  ['a part with four digits', PAN, { part: '0000/1' }, 400],
  ['a part behind the last', PAN, { part: '1/1' }, 400],
  ['a negative part', PAN, { part: '-1/1' }, 400],
  ['more than 10 MB', PAN, { part: '40/41' }, 400],
  ['a part of more than 250 KB', Buffer.alloc(250_001), {}, 413],
  ['a part that is smaller and not the last', PAN, { part: '0/2' }, 400],
  ['no bytes', Buffer.alloc(0), {}, 400],
])('a part is refused with %s', async (_name, content, names, status) => {
  await turn(true);
  expect((await put(content, names)).status).toBe(status);
  expect(await read()).toEqual({ isOn: true, hashes: [], begun: [] });
});

test('a file is complete with its last part, in any order of the parts and with repeated ones', async () => {
  await turn(true);
  const content = randomBytes(600_000);
  const hash = hashOf(content);
  const send = (part: number) =>
    put(content.subarray(part * 250_000, (part + 1) * 250_000), { hash, part: `${part}/3` });
  expect((await send(2)).status).toBe(204);
  expect((await send(0)).status).toBe(204);
  expect((await send(0)).status).toBe(204);
  expect(await read()).toEqual({ isOn: true, hashes: [], begun: [{ hash, parts: [0, 2] }] });
  expect((await get(hash)).statusCode).toBe(404);
  await send(1);
  expect(await read()).toEqual({ isOn: true, hashes: [hash], begun: [] });
  expect((await get(hash)).rawPayload.equals(content)).toBe(true);
  await put(PAN);
  const { json } = await app.get('/api/me/export', asha.headers);
  const storedAt = NOW.toISOString();
  expect(json.documentFiles).toHaveLength(2);
  expect(json.documentFiles).toContainEqual({ hash, bytes: 600_000, storedAt });
  expect(json.documentFiles).toContainEqual({ hash: hashOf(PAN), bytes: PAN.length, storedAt });
  // Every answer names them in the same order.
  const sorted = [hash, hashOf(PAN)].sort();
  expect(json.documentFiles.map((file: { hash: string }) => file.hash)).toEqual(sorted);
  expect((await read()).hashes).toEqual(sorted);
});

test('a part of the largest file is stored: 10 MB are 40 parts of 250 KB', async () => {
  await turn(true);
  const hash = hashOf(Buffer.from('10 MB'));
  expect(await put(Buffer.alloc(250_000, 1), { hash, part: '39/40' })).toEqual({ status: 204, message: '' });
  expect((await read()).begun).toEqual([{ hash, parts: [39] }]);
});

test('all files together have at most 50 MB', async () => {
  await turn(true);
  await app.database.dataSource.query(
    `INSERT INTO backup_file (file_key, owner_id, hash, part, parts, bytes, created_at)
     VALUES ($1::text || ' large', $1::uuid, 'large', 0, 1, $2, now())`,
    [asha.user._id, 50_000_000 - PAN.length + 1],
  );
  expect(await put(PAN)).toEqual({
    status: 413,
    message: 'All files together may have 50 MB. Delete one first. Deleted files count until the next night.',
  });
  await app.database.dataSource.query("UPDATE backup_file SET bytes = bytes - 1 WHERE hash = 'large'");
  expect((await put(PAN)).status).toBe(204);
  await app.database.dataSource.query("DELETE FROM backup_file WHERE hash = 'large'");
});

test('files of a backup that was switched off count until they are removed', async () => {
  const { dataSource } = app.database;
  await turn(true);
  await put(PAN);
  await dataSource.query('UPDATE backup_file SET bytes = 50000000 WHERE owner_id = $1', [asha.user._id]);
  for (const isOn of [false, true]) await turn(isOn);
  expect((await put(PAN)).status).toBe(413);
  await app.app.get(RetentionService).apply(NOW);
  expect((await put(PAN)).status).toBe(204);
  expect(
    await dataSource.query('SELECT parts, bytes::int FROM file_usage WHERE owner_id = $1', [asha.user._id]),
  ).toEqual([{ parts: 1, bytes: PAN.length }]);
});

test('an account stores at most 2,000 small files, and storing one does not read the others', async () => {
  const { dataSource } = app.database;
  await turn(true);
  await dataSource.query(
    `INSERT INTO backup_file (file_key, owner_id, hash, part, parts, bytes, created_at)
     SELECT $1::text || n, $1::uuid, 'small' || n, 0, 1, 1, now() FROM generate_series(1, 1999) n`,
    [asha.user._id],
  );
  expect((await put(PAN)).status).toBe(204);
  expect(await put(Buffer.from('one more'))).toEqual({
    status: 413,
    message: 'An account has room for 2,000 files. Delete one first. Deleted files count until the next night.',
  });
  // A repeated part is no new one.
  expect((await put(PAN)).status).toBe(204);
  await dataSource.query("DELETE FROM backup_file WHERE hash LIKE 'small%'");
  expect((await put(Buffer.from('one more'))).status).toBe(204);
});

test('switched off, no file can be read at once, and the job removes them from the store', async () => {
  await turn(true);
  await put(PAN);
  const contents = async () => (await storedFiles()).map((file) => file.toString('hex'));
  const before = await contents();
  expect(await turn(false)).toEqual({ isOn: false, hashes: [], begun: [] });
  expect((await get(hashOf(PAN))).statusCode).toBe(404);
  expect(await turn(true)).toEqual({ isOn: true, hashes: [], begun: [] });
  // The file of the new backup is another one, which stays.
  expect(await put(PAN)).toEqual({ status: 204, message: '' });
  const added = (await contents()).filter((file) => !before.includes(file));
  expect(added).toHaveLength(1);
  await app.app.get(RetentionService).apply(NOW);
  const left = await contents();
  expect(left).toContain(added[0]);
  expect(left.filter((file) => before.includes(file)).length).toBeLessThan(before.length);
  expect((await get(hashOf(PAN))).rawPayload.equals(PAN)).toBe(true);
});

test('a part that the database does not store leaves no file in the store', async () => {
  const { dataSource } = app.database;
  await turn(true);
  const before = (await storedFiles()).length;
  await dataSource.query('ALTER TABLE backup_file ADD CONSTRAINT stores_nothing CHECK (false) NOT VALID');
  const { status } = await put(PAN);
  await dataSource.query('ALTER TABLE backup_file DROP CONSTRAINT stores_nothing');
  expect([status, (await storedFiles()).length]).toEqual([500, before]);
  expect(await read()).toEqual({ isOn: true, hashes: [], begun: [] });
  expect((await put(PAN)).status).toBe(204);
});

test('a file that the store cannot remove now is removed by the next run', async () => {
  const { dataSource } = app.database;
  const backup = app.app.get(FileBackupService);
  await turn(true);
  await put(PAN);
  const [{ file_key }] = await dataSource.query('SELECT file_key FROM backup_file WHERE owner_id = $1', [
    asha.user._id,
  ]);
  await turn(false);
  // A folder cannot be removed as a file.
  const path = join(folder, storedName(file_key));
  await rm(path);
  await mkdir(path);
  await expect(backup.removeUnused(NOW)).rejects.toThrow();
  await rmdir(path);
  await writeFile(path, 'x');
  expect(await backup.removeUnused(NOW)).toBeGreaterThan(0);
  await expect(access(path)).rejects.toThrow('ENOENT');
  expect(await dataSource.query('SELECT FROM backup_file WHERE file_key = $1', [file_key])).toEqual([]);
});

test('a file that no document has is removed a day later, and one of a document stays', async () => {
  const remaining = Buffer.from('%PDF-1.7 GST');
  await turn(true);
  await put(PAN);
  await put(remaining);
  const file = { hash: hashOf(remaining), name: 'gst.pdf', type: 'application/pdf', bytes: remaining.length };
  const stamp = `${NOW.getTime()}-0000-aaaaaaaaaaaaaaaa`;
  const fields = { kind: 'gst', files: [file] };
  const record = {
    kind: 'bidDocument',
    id: recordIdFor('bidDocument', 'gst'),
    fields,
    stamps: { kind: stamp, files: stamp },
  };
  const payload = { records: [record] };
  await app.app.inject({ method: 'POST', url: '/api/bids/changes', headers: asha.headers, payload });
  const apply = (ms: number) => app.app.get(RetentionService).apply(new Date(NOW.getTime() + ms));
  await apply(DAY);
  expect((await read()).hashes).toHaveLength(2);
  await apply(DAY + 1);
  expect((await read()).hashes).toEqual([hashOf(remaining)]);
});

test('the files of a deleted document stay for a day, and the document of another user keeps none', async () => {
  await turn(true);
  await put(PAN);
  const file = { hash: hashOf(PAN), name: 'pan.pdf', type: 'application/pdf', bytes: PAN.length };
  const id = recordIdFor('bidDocument', 'pan');
  const change = async (at: number, changes: object, account = asha) => {
    const records = [{ kind: 'bidDocument', id, fields: {}, stamps: {}, ...changes }];
    const call = { method: 'POST', url: '/api/bids/changes', headers: account.headers, payload: { records } } as const;
    app.clock.now = new Date(NOW.getTime() + at);
    expect((await app.app.inject(call)).json().results).toMatchObject([{ result: 'accepted' }]);
  };
  const stamp = (ms: number) => `${NOW.getTime() + ms}-0000-aaaaaaaaaaaaaaaa`;
  const stored = { fields: { kind: 'pan', files: [file] }, stamps: { kind: stamp(0), files: stamp(0) } };
  await change(0, stored);
  await change(0, stored, ravi);
  await change(3_600_000, { deleted: stamp(3_600_000) });
  const hashesAt = async (ms: number) => {
    await app.app.get(RetentionService).apply(new Date(NOW.getTime() + ms));
    const rows = await app.database.dataSource.query(
      'SELECT hash FROM backup_file WHERE owner_id = $1 AND NOT is_dropped',
      [asha.user._id],
    );
    return rows.map(({ hash }: { hash: string }) => hash);
  };
  expect(await hashesAt(DAY + 3_600_000)).toEqual([hashOf(PAN)]);
  expect(await hashesAt(DAY + 3_600_001)).toEqual([]);
});

test('a backup of the installation has the files that are in use', async () => {
  const keys = async () => (await app.database.dataSource.query(FILE_KEYS)).length;
  const before = await keys();
  await turn(true);
  await put(PAN);
  expect(await keys()).toBe(before + 1);
  await turn(false);
  expect(await keys()).toBe(before);
});
