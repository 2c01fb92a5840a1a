/** The file store in a folder and in a bucket of a real S3 server, and the app on that bucket. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { describeLocation, readStorageUrl, type StorageLocation } from '../../src/base/storage-location.ts';
import { runBackup, runRestore } from '../../src/cli/commands/backup.command.ts';
import { runDoctor } from '../../src/cli/commands/doctor.command.ts';
import { runDocuments } from '../../src/cli/commands/documents.command.ts';
import { DocumentsService } from '../../src/documents/documents.service.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import type { FileStorage } from '../../src/storage/file-storage.ts';
import { FileStore, openStorage, storedName } from '../../src/storage/file-store.ts';
import { buyDocuments } from '../support/paid-orders.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, startApp, type TestApp } from '../support/start-app.ts';
import { findLastMail, findLink } from '../support/test-mailbox.ts';
import { openFiles } from './open-files.ts';
import { S3_ENVIRONMENT, type S3Server, startS3Server } from './s3-server.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
/** More than one part of an upload. */
const LARGE_BYTES = 40_000_000;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let folder: string;
let s3: S3Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-store-'));
  s3 = await startS3Server(['nivida-suite', 'nivida-app']);
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const LOCATIONS: [string, () => StorageLocation][] = [
  ['a folder', () => readStorageUrl(`file://${folder}/files`, undefined)],
  ['a bucket', () => readStorageUrl(`s3://nivida-suite/packages?endpoint=${s3.endpoint}`, CREDENTIALS)],
];

describe.each(LOCATIONS)('%s', (_name, locate) => {
  let storage: FileStorage;
  let store: FileStore;
  const temporary = () => join(folder, 'temporary');
  const keys = async () => {
    const names: string[] = [];
    for await (const { name } of storage.list()) names.push(name);
    return names;
  };

  beforeAll(() => {
    storage = openStorage(locate(), temporary());
    store = new FileStore(storage);
  });

  test('returns a file unchanged, with its size and digest', async () => {
    const content = randomBytes(100_000);
    const {
      key,
      bytes,
      sha256: digest,
    } = await store.put(Readable.from([content.subarray(0, 7), content.subarray(7)]));
    expect({ bytes, digest }).toEqual({ bytes: 100_000, digest: sha256(content) });
    expect(await store.has(key)).toBe(true);
    expect(await buffer(await store.read(key))).toEqual(content);
    expect(await keys()).toContain(storedName(key));
    for await (const { name, bytes: size, storedAt } of storage.list())
      if (name === storedName(key)) expect([size, storedAt > new Date('2020-01-01')]).toEqual([100_000, true]);
    const { key: full } = await store.put(Readable.from([content]), 100_000);
    expect(await store.has(full)).toBe(true);
    await store.remove(full);
  });

  test('returns the parts of a file, both ends included', async () => {
    const { key } = await store.put(Readable.from([Buffer.from('0123456789')]));
    const part = async (start: number, end: number) => String(await buffer(await store.read(key, { start, end })));
    expect([await part(0, 3), await part(4, 4), await part(5, 9)]).toEqual(['0123', '4', '56789']);
  });

  test('stores a large file and an empty one', async () => {
    const content = randomBytes(LARGE_BYTES);
    const large = await store.put(Readable.from([content.subarray(0, 1_000_000), content.subarray(1_000_000)]));
    expect(sha256(await buffer(await store.read(large.key)))).toBe(sha256(content));
    const empty = await store.put(Readable.from([]));
    expect(await buffer(await store.read(empty.key))).toHaveLength(0);
    for (const { key } of [large, empty]) await store.remove(key);
  });

  test('stores nothing of a stream that is too long or fails', async () => {
    const before = await keys();
    await expect(store.put(Readable.from([Buffer.alloc(60), Buffer.alloc(60)]), 100)).rejects.toThrow(
      'is larger than 100 bytes',
    );
    const failing = Readable.from(
      (async function* () {
        yield Buffer.alloc(10);
        throw new Error('the portal closed the connection');
      })(),
    );
    await expect(store.put(failing)).rejects.toThrow('the portal closed the connection');
    expect(await keys()).toEqual(before);
  });

  test('leaves nothing unfinished of a stream that fails, or of an absent file', async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.alloc(10);
        throw new Error('the portal closed the connection');
      })(),
    );
    await expect(store.put(failing)).rejects.toThrow('the portal closed the connection');
    const { release } = await store.openLocal('0'.repeat(32)).catch(() => ({ release: async () => {} }));
    await release();
    expect(await store.removeUnfinished(new Date('9999-12-31'))).toBe(0);
  });

  test('gives a local copy for random access, which is released', async () => {
    const { key } = await store.put(Readable.from([Buffer.from('notice')]));
    const { path, release } = await store.openLocal(key);
    expect(String(await readFile(path))).toBe('notice');
    // Other users of the machine cannot read it.
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    await release();
    expect(await readdir(temporary()).catch(() => [])).toEqual([]);
    expect(await store.has(key)).toBe(true);
  });

  test('has no file open after it was stored and read', async () => {
    const { key } = await store.put(Readable.from([Buffer.from('notice')]));
    expect(await openFiles(folder)).toEqual([]);
    await buffer(await store.read(key));
    await expect.poll(() => openFiles(folder)).toEqual([]);
  });

  test('removes a file; an absent one is no error, but cannot be read', async () => {
    const { key } = await store.put(Readable.from([Buffer.from('x')]));
    await store.remove(key);
    await store.remove(key);
    expect(await store.has(key)).toBe(false);
    await expect(store.read(key).then(buffer)).rejects.toThrow();
    await expect(store.openLocal(key).then(({ path }) => readFile(path))).rejects.toThrow();
  });

  test('accepts its own keys only', () => {
    for (const key of ['../x', '', 'abc', `${'a'.repeat(31)}/`]) expect(() => store.read(key)).toThrow('no key');
  });

  test('answers a check', async () => {
    await storage.check();
  });
});

test('an object store that accepts a connection and does not answer fails the check, which metrics wait for', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const location = readStorageUrl(`s3://nivida-suite?endpoint=http://127.0.0.1:${port}`, CREDENTIALS);
  await expect(openStorage(location, folder).check()).rejects.toThrow('The object store does not answer');
  silent.close();
});

test('a local copy whose download breaks leaves nothing on this machine', async () => {
  const broken = createHttpServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write(Buffer.alloc(10), () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(broken, 'listening');
  const { port } = broken.address() as AddressInfo;
  const location = readStorageUrl(`s3://nivida-suite?endpoint=http://127.0.0.1:${port}`, CREDENTIALS);
  const temporary = join(folder, 'broken');
  await expect(new FileStore(openStorage(location, temporary)).openLocal('0'.repeat(32))).rejects.toThrow();
  expect(await readdir(temporary)).toEqual([]);
  broken.close();
});

test('local copies that a crash left behind are removed after a day', async () => {
  const temporary = join(folder, 'crashed');
  const storage = openStorage(readStorageUrl(`s3://nivida-suite?endpoint=${s3.endpoint}`, CREDENTIALS), temporary);
  const store = new FileStore(storage);
  const { key } = await store.put(Readable.from([Buffer.from('x')]));
  const { path } = await store.openLocal(key);
  expect(await store.removeUnfinished(new Date('2020-01-01'))).toBe(0);
  await utimes(path, new Date('2020-01-01'), new Date('2020-01-01'));
  expect(await store.removeUnfinished(new Date('2020-01-01'))).toBe(0);
  await utimes(path, 0, 0);
  expect(await store.removeUnfinished(new Date('2020-01-01'))).toBe(1);
  expect(await readdir(temporary)).toEqual([]);
});

test.each([
  ['ftp://host/files', 'must be the address of a folder'],
  ['s3://key:secret@nivida', 'must not contain credentials'],
  ['s3://Nivida_1', 'must name a bucket'],
  ['s3://nivida/a%20b', 'must name a bucket'],
  ['s3://nivida?endpoint=https://host/path', 'must have an origin as its endpoint'],
  ['s3://nivida?endpoint=https://*', 'must have an origin as its endpoint'],
  ['s3://nivida?endpoint=https://*.example.org', 'must have an origin as its endpoint'],
  ['s3://nivida?region=*', 'must have an origin as its endpoint'],
  ['s3://nivida?endpoint=ftp://host', 'must have an origin as its endpoint'],
  ['s3://nivida?acl=public', 'must have the options endpoint, region, downloads only, not "acl"'],
  ['s3://nivida?downloads=public', 'must have downloads=server or downloads=redirect'],
  ['s3://nivida#files', 'must name a bucket'],
  ['s3://ab', 'must name a bucket'],
  ['s3://:secret@nivida', 'must not contain credentials'],
  ['file:///srv/files?x=1', 'must be the address of a folder'],
])('the setting %s is refused', (url, problem) => {
  expect(() => readConfig({ FILES_URL: url, ...S3_ENVIRONMENT })).toThrow(`FILES_URL ${problem}`);
});

test('a bucket needs credentials, has the endpoint of its region, and takes a prefix', () => {
  expect(() => readConfig({ FILES_URL: 's3://nivida', S3_ACCESS_KEY_ID: 'x' })).toThrow(
    'FILES_URL needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  );
  expect(readConfig({ FILES_URL: 's3://nivida/a/b?region=ap-south-1', ...S3_ENVIRONMENT }).files).toEqual({
    kind: 'bucket',
    bucket: 'nivida',
    prefix: 'a/b/',
    region: 'ap-south-1',
    endpoint: 'https://s3.ap-south-1.amazonaws.com',
    redirectsDownloads: false,
    credentials: CREDENTIALS,
  });
  const redirecting = readStorageUrl('s3://nivida?endpoint=http://localhost:9000/&downloads=redirect', CREDENTIALS);
  expect(redirecting).toMatchObject({ prefix: '', region: 'us-east-1', redirectsDownloads: true });
  expect(redirecting).toMatchObject({ endpoint: 'http://localhost:9000' });
  expect(readStorageUrl('file:///srv/nivida%20files', undefined)).toEqual({
    kind: 'folder',
    path: '/srv/nivida files',
  });
});

test.each([
  ['s3://nivida?endpoint=https://s3.example.org:9000', 'bucket nivida of s3.example.org:9000'],
  ['s3://nivida/a/b/?endpoint=https://s3.example.org', 'bucket nivida of s3.example.org, below a/b/'],
  ['file:///srv/nivida/files', '/srv/nivida/files'],
])('the setting %s is named in messages as %s', (url, text) => {
  expect(describeLocation(readStorageUrl(url, CREDENTIALS))).toBe(text);
});

describe('an installation with its files in a bucket', () => {
  let app: TestApp;
  let env: NodeJS.ProcessEnv;
  let nit: string;
  let tenderId: number;
  let logged = '';

  beforeAll(async () => {
    env = {
      DATA_DIR: join(folder, 'data'),
      FILES_URL: `s3://nivida-app?endpoint=${s3.endpoint}&downloads=redirect`,
      ...S3_ENVIRONMENT,
    };
    const log = createLog(
      { production: true, role: 'all', logLevel: 'info' },
      {
        write(line: string) {
          logged += line;
        },
      },
    );
    app = await startApp({ now: NOW, env, log });
    const { dataSource } = app.database;
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_8_1', title: 'Footbridge' })], {
      now: NOW,
    });
    const [row] = await dataSource.query('SELECT id FROM tender');
    tenderId = row.id;
    nit = `tender-${tenderId}`;
    const path = join(folder, 'notice.zip');
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from('%PDF-1.4 the notice'), 'notice.pdf');
    zip.end();
    await writeFile(path, zip.outputStream);
    const attaching = { dataSource, config: app.config, now: NOW, log: () => {} };
    await runDocuments(['attach', '--tender', '2026_PWD_8_1', '--nit', path, '--reason', 'asked for'], attaching);
  });
  afterAll(() => app.close());

  /** Buys as a guest and returns the address behind the mailed link. */
  async function ticket(): Promise<string> {
    const { dataSource } = app.database;
    const bought = { tenderId, nit, buyerEmail: `${randomBytes(4).toString('hex')}@builders.example` };
    const { order, entitlement } = await buyDocuments(dataSource, bought);
    await dataSource.transaction((manager) =>
      app.app.get(DocumentsService).queueDelivery(manager, order, entitlement, NOW),
    );
    const url = new URL(findLink(await findLastMail(app, order.buyerEmail))).pathname;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await app.app.inject({ method: 'POST', url, headers });
    return reply.headers.location as string;
  }

  test('a bought package comes from the object store, under its own name, and a changed address is refused', async () => {
    const { status, headers } = await app.get(await ticket());
    expect(status).toBe(302);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${s3.endpoint};`);
    const address = headers.location as string;
    const answer = await fetch(address);
    const found = await app.app.get(PackagesService).findNewest(nit);
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(found?.sha256);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="nivida-${nit}-v1.zip"`);
    expect(found?.fileNames).toContain('notice/notice.pdf');
    const other = await fetch(address.replace(/Signature=.{4}/, 'Signature=0000'));
    expect(other.status).toBe(403);
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('3600');
    expect(new URL(address).searchParams.get('response-cache-control')).toBe('private, no-store');
  });

  test('leaves no local copy of an archive that was scanned and packed', async () => {
    expect((await app.app.get(PackagesService).findNewest(nit))?.fileNames).toContain('notice/notice.pdf');
    expect(await readdir(join(folder, 'data', 'files.tmp'))).toEqual([]);
  });

  test('without the option this server sends the file itself, also in parts', async () => {
    const address = await ticket();
    const own = await startApp({
      now: NOW,
      database: app.database,
      env: { ...env, FILES_URL: `s3://nivida-app?endpoint=${s3.endpoint}` },
    });
    try {
      const whole = await own.app.inject({ url: address });
      const found = await own.app.get(PackagesService).findNewest(nit);
      expect(whole.statusCode).toBe(200);
      expect(sha256(whole.rawPayload)).toBe(found?.sha256);
      const part = await own.app.inject({ url: address, headers: { range: 'bytes=10-19' } });
      expect(part.statusCode).toBe(206);
      expect(part.rawPayload).toEqual(whole.rawPayload.subarray(10, 20));
      expect(whole.headers['content-security-policy']).toContain("form-action 'self';");
    } finally {
      await own.close();
    }
  });

  test('doctor and metrics know whether the object store answers', async () => {
    const doctor = async (more: NodeJS.ProcessEnv) => {
      const { text } = await runDoctor([], () => readConfig({ ...env, ...more }), NOW);
      return text.split('\n').find((line) => line.includes('  files: '));
    };
    expect(await doctor({})).toBe(`ok       files: bucket nivida-app of ${new URL(s3.endpoint).host} answers`);
    expect(await doctor({ S3_SECRET_ACCESS_KEY: 'wrong-secret' })).toMatch(
      /^failure {2}files: bucket nivida-app of .* Check FILES_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the clock of this machine$/,
    );
    expect(await doctor({ S3_SECRET_ACCESS_KEY: 'wrong-secret' })).not.toContain('wrong-secret');
    const { text } = await app.get('/api/metrics');
    expect(text).toContain('\nnivida_files_up 1\n');
    expect(text).not.toContain('folder="files"');
  });

  test('a backup contains the files of the bucket, and is restored into a folder', async () => {
    const url = toDatabaseUrl(app.database.address);
    const backup = join(folder, 'nivida.zip');
    const log = () => {};
    await runBackup([backup], { config: readConfig({ ...env, DATABASE_URL: url }), now: NOW, log });
    const other = await createTestDatabase();
    try {
      const config = readConfig({ DATABASE_URL: toDatabaseUrl(other.address), DATA_DIR: join(folder, 'other') });
      await runRestore([backup], { config, now: NOW, log });
      const found = await app.app.get(PackagesService).findNewest(nit);
      const restored = await readFile(join(folder, 'other/files', storedName(found?.fileKey ?? '')));
      expect(sha256(restored)).toBe(found?.sha256);
    } finally {
      await other.close();
    }
  });

  test('a nightly backup is encrypted, copied to a bucket and tried once a week; the copy is restored with the key', {
    tags: 'release',
  }, async () => {
    const identity = await generateIdentity();
    const nightlyEnv = {
      ...env,
      DATABASE_URL: toDatabaseUrl(app.database.address),
      BACKUP_URL: `s3://nivida-suite/backups?endpoint=${s3.endpoint}`,
      BACKUP_RECIPIENTS: await identityToRecipient(identity),
    };
    const config = readConfig(nightlyEnv);
    const copies = openStorage(config.backupCopies as StorageLocation, folder);
    await copies.write('nivida-2026-10-02T203000Z.zip.age', Readable.from([Buffer.from('an old copy')]));
    await copies.write('nivida-2026-10-01T203000Z.zip.age', Readable.from([Buffer.from('the first of its month')]));
    const backUp = async (at: string) => {
      const name = `nivida-${at}T203000Z.zip.age`;
      await runBackup([join(folder, name), '--nightly'], { config, now: new Date(`${at}T20:30:00Z`), log: () => {} });
      const [{ at: tried }] = await app.database.dataSource.query(
        "SELECT succeeded_at AS at FROM job_run WHERE job = 'trial-restore'",
      );
      return { name, tried: (tried as Date).toISOString().slice(0, 10) };
    };
    const { name, tried } = await backUp('2026-11-10');
    expect(tried).toBe('2026-11-10');
    expect((await backUp('2026-11-11')).tried).toBe('2026-11-10');
    expect((await backUp('2026-11-17')).tried).toBe('2026-11-17');
    const names: string[] = [];
    for await (const copy of copies.list()) names.push(copy.name);
    expect(names.sort()).toEqual(
      ['2026-10-01', '2026-11-10', '2026-11-11', '2026-11-17'].map((date) => `nivida-${date}T203000Z.zip.age`),
    );
    expect((await readdir(folder)).filter((each) => /plain|check/.test(each))).toEqual([]);
    const databases = await app.database.dataSource.query(
      "SELECT datname FROM pg_database WHERE datname LIKE 'nivida_check_%'",
    );
    expect(databases).toEqual([]);

    const copy = join(folder, 'copy.zip.age');
    await writeFile(copy, await copies.read(name));
    expect(String((await readFile(copy)).subarray(0, 21))).toBe('age-encryption.org/v1');
    const other = await createTestDatabase();
    try {
      const target = readConfig({ DATABASE_URL: toDatabaseUrl(other.address), DATA_DIR: join(folder, 'decrypted') });
      const context = { config: target, now: NOW, log: () => {} };
      await expect(runRestore([copy], context)).rejects.toThrow('is encrypted: add --identity');
      const keyFile = join(folder, 'backup.key');
      await writeFile(keyFile, `# wrong\n${await generateIdentity()}\n`);
      await expect(runRestore([copy, '--identity', keyFile], context)).rejects.toThrow('cannot be decrypted');
      await writeFile(keyFile, `# created by age-keygen\n${identity}\n`);
      await runRestore([copy, '--identity', keyFile], context);
      expect(await other.dataSource.query('SELECT source_id FROM tender')).toEqual([{ source_id: '2026_PWD_8_1' }]);
      expect((await readdir(join(folder, 'decrypted'))).filter((each) => each.endsWith('.zip'))).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('no credential is in the log', () => {
    expect(logged).toContain('/api/files/');
    expect(logged).not.toMatch(/S3RVER|Signature/);
  });
});
