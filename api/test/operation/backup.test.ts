/** A backup is restored unchanged and only into an empty database. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { BackupArchive, InvalidBackupError } from '../../src/backup/archive.ts';
import { type BackupSource, type StoredFiles, writeBackup } from '../../src/backup/backup.ts';
import { tryRestore } from '../../src/backup/trial-restore.ts';
import { readConfig } from '../../src/base/config.ts';
import { runBackup, runRestore } from '../../src/cli/commands/backup.command.ts';
import { runDocuments } from '../../src/cli/commands/documents.command.ts';
import { cleanUpDocuments } from '../../src/documents/documents-cleanup.job.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { createAccountRow } from '../support/accounts.ts';
import { startProgram, toDatabaseUrl } from '../support/programs.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, startApp, type TestApp } from '../support/start-app.ts';
import { fetchOrderStatus, payOrder, startCheckout, startShop, type TestShop } from '../support/test-shop.ts';
import { parseJsonBody, requestManifest } from '../sync/sync-device.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PASSWORD = 'quiet-river-72-stones';
const SECRETS_LINE =
  'Secrets are not in it: keep SESSION_KEYS, OTP_PEPPER and VAPID_PRIVATE_KEY (or DATA_DIR/secrets.json) elsewhere';
const TITLE = 'सड़क\tof two\nlines \\ and a back\\slash';

let folder: string;
let shop: TestShop;
let asha: UserEntity;
let orderId: string;
let cursor: string;
let backup: string;
let logged: string[];
let printed: string;

/** A new empty database of the tests' server; dropped at the end. */
let emptyUrl: string;
const dropped: string[] = [];

async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ ...inject('postgres'), database: 'postgres' });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

const contextOf = (url: string, place: string) => ({
  config: readConfig({ DATABASE_URL: url, DATA_DIR: join(folder, place) }),
  now: NOW,
  log: (line: string) => void logged.push(line),
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-backup-'));
  shop = await startShop({ now: NOW, env: { DATA_DIR: join(folder, 'from') } });
  const { dataSource } = shop.database;
  await importTenders(
    dataSource,
    [createSourceTender({ sourceId: '2026_PWD_8_1', title: TITLE }), createSourceTender({ sourceId: '2026_PWD_9_1' })],
    {
      now: NOW,
    },
  );
  // More rows than one read returns, with very different lengths and not in stored order.
  await dataSource.query(
    `INSERT INTO setting (key, value) SELECT md5(n::text) || repeat('x', n * 37 % 900), '1' FROM generate_series(1, 3000) n`,
  );
  asha = await dataSource.getRepository(UserEntity).save(createAccountRow({ passwordHash: await hash(PASSWORD) }));
  ({ orderId } = await startCheckout(shop));
  await payOrder(shop, orderId);
  expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('SUCCESS');
  await writeFile(join(folder, 'Notice.pdf'), '%PDF-1.4 the notice');
  const attaching = { dataSource, config: shop.config, now: NOW, log: () => {} };
  await runDocuments(
    ['attach', '--tender', '2026_PWD_8_1', '--reason', 'asked for', join(folder, 'Notice.pdf')],
    attaching,
  );
  ({ cursor } = parseJsonBody(await requestManifest(shop, 'himachal-pradesh')));
  await writeFile(join(folder, 'from', 'secrets.json'), '{"SESSION_KEYS":"stored"}');

  backup = join(folder, 'nivida.backup');
  logged = [];
  printed = await runBackup([backup, '--with-secrets'], contextOf(toDatabaseUrl(shop.database.address), 'from'));
});
afterAll(async () => {
  await shop.close();
  for (const name of dropped) await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  logged = [];
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name}`);
  dropped.push(name);
  emptyUrl = toDatabaseUrl({ ...inject('postgres'), database: name });
});

async function query(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client.query(statement).then(
    ({ rows }) => client.end().then(() => rows),
    (error) => client.end().then(() => Promise.reject(error)),
  );
}

/** Deletes all rows, as an operator may do, without a new schema and without resetting sequences. */
async function emptyTables(url: string): Promise<void> {
  const tables = await query(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'",
  );
  const names: string[] = tables.map(({ name }) => name);
  // Triggers protect the rows of audit and invoices.
  const deletions = names.map((name) => `DELETE FROM ${name};`).join(' ');
  await query(url, `SET session_replication_role = replica; ${deletions}`);
}

/** Runs `work` with a server on a restored database. */
async function withAppOn<T>(url: string, work: (app: TestApp, dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await new DataSource({ ...shop.database.dataSource.options, url } as never).initialize();
  const database = { address: url, dataSource, close: () => dataSource.destroy() };
  const app = await startApp({ now: NOW, database, env: { FILES_URL: `file://${join(folder, 'works/files')}` } });
  try {
    return await work(app, dataSource);
  } finally {
    await app.close();
    await database.close();
  }
}

/** Copies a backup; `change` maps each entry. */
async function rewrite(from: string, to: string, change: (name: string, bytes: Buffer) => Buffer): Promise<void> {
  const source = await openPromise(from, { lazyEntries: true });
  const target = new ZipFile();
  for await (const entry of source.eachEntry()) {
    const bytes = await buffer(await source.openReadStreamPromise(entry));
    target.addBuffer(change(entry.fileName, bytes), entry.fileName);
  }
  target.end();
  await pipeline(target.outputStream, createWriteStream(to));
}

test('a backup is one file that only its owner can read, and the command prints its contents', async () => {
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  expect(printed).toContain('\ntender 3\n');
  expect(printed).toMatch(/\ntables \d+, rows \d+, files 2\n$/);
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  const archive = await BackupArchive.open(backup);
  expect(archive.manifest).toMatchObject({ format: 1, madeAt: NOW.toISOString(), secrets: { bytes: 25 } });
  // A restored database builds these again, or fills them by its migrations and triggers.
  const names = archive.manifest.tables.map(({ name }) => name);
  for (const name of ['migration', 'sync_manifest', 'sync_segment', 'job_run', 'open_tender'])
    expect(names).not.toContain(name);
  await expect(archive.read('tables/none.copy')).rejects.toThrow('The backup is damaged: it holds no tables/none.copy');
  archive.close();
});

test('a backup that cannot be written ends with an error, also in the middle of a large table', async () => {
  const path = join(folder, 'in-the-way.backup');
  await mkdir(`${path}.part`);
  const { code, stderr } = await startProgram('cli.js', ['backup', path], {
    DATABASE_URL: toDatabaseUrl(shop.database.address),
    DATA_DIR: folder,
  }).ended;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('in-the-way.backup.part') });
});

/** What a backup is made of; every official file is in the store of files. `changes` are to that store. */
const sourceOf = (client: Client, changes: Partial<StoredFiles> = {}, secretsFile?: string): BackupSource => ({
  client,
  files: {
    has: async () => true,
    read: async () => Readable.from([Buffer.from('%PDF-1.4')]),
    write: async () => {},
    remove: async () => {},
    ...changes,
  },
  secretsFile,
  version: 'v2.4.0',
  now: NOW,
  log: () => {},
});

async function* brokenFile() {
  yield Buffer.from('%PDF-1.4');
  throw new Error('the connection was lost');
}

test.each<[string, Partial<StoredFiles>, string | undefined, string]>([
  [
    'the store of files does not answer',
    { has: () => Promise.reject(new Error('it is away')) },
    undefined,
    'it is away',
  ],
  ['a file cannot be opened', { read: () => Promise.reject(new Error('it is gone')) }, undefined, 'it is gone'],
  ['a file breaks off', { read: async () => Readable.from(brokenFile()) }, undefined, 'the connection was lost'],
  ['the secrets are gone', {}, 'gone.json', 'no such file or directory'],
])(
  'when %s, a backup ends with the error, and leaves no file and no transaction',
  async (_name, files, secrets, message) => {
    const client = new Client({ connectionString: toDatabaseUrl(shop.database.address) });
    await client.connect();
    onTestFinished(() => client.end());
    const source = sourceOf(client, files, secrets && join(folder, secrets));
    await expect(writeBackup(join(folder, 'unreadable.backup'), source)).rejects.toThrow(message);
    expect((await readdir(folder)).filter((name) => name.startsWith('unreadable'))).toEqual([]);
    // The transaction of a backup only reads.
    expect((await client.query('SHOW transaction_read_only')).rows).toEqual([{ transaction_read_only: 'off' }]);
  },
);

/** A connection to a new database with official files. */
async function connectWithFiles(...keys: string[]): Promise<Client> {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: toDatabaseUrl(database.address) });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.close();
  });
  await client.query(
    `INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
     SELECT key, 1, key, 'x', 1, '{}', 'x', false, now() FROM unnest($1::text[]) key`,
    [keys],
  );
  return client;
}

test('a backup of many accounts, the first table of the archive, is whole, or ends with the error', async () => {
  const client = await connectWithFiles('0'.repeat(32));
  // More bytes than the streams hold before the archive is written.
  await client.query(
    `INSERT INTO account (id, username, email, mobile_no, company_name, company_type, state, districts, departments, created_at)
     SELECT gen_random_uuid(), md5(n::text), n || '@builders.example', '+91' || 9000000000 + n,
       md5(n::text || 'a') || md5(n::text || 'b') || md5(n::text || 'c'), 'private', 'Delhi', '{}', '{}', now()
     FROM generate_series(1, 20000) n`,
  );
  const { tables } = await writeBackup(join(folder, 'many.backup'), sourceOf(client));
  expect(tables[0]).toMatchObject({ name: 'account', rows: 20_000 });
  // The accounts are being read when the store of files fails.
  const source = sourceOf(client, { has: () => Promise.reject(new Error('it is away')) });
  await expect(writeBackup(join(folder, 'no-store.backup'), source)).rejects.toThrow('it is away');
  expect((await client.query('SHOW transaction_read_only')).rows).toEqual([{ transaction_read_only: 'off' }]);
});

test('a file that cannot be opened while the store is asked for the next one ends the backup', async () => {
  const [first, second] = ['1'.repeat(32), '2'.repeat(32)];
  const client = await connectWithFiles(first, second);
  const opened = Promise.withResolvers<void>();
  const source = sourceOf(client, {
    has: async (key) => {
      if (key === second) await opened.promise.then(turn);
      return true;
    },
    read: () => {
      opened.resolve();
      return Promise.reject(new Error('it is gone'));
    },
  });
  await expect(writeBackup(join(folder, 'unopened.backup'), source)).rejects.toThrow('it is gone');
  expect((await readdir(folder)).filter((name) => name.startsWith('unopened'))).toEqual([]);
});

test('a database without tables is no failure of the backup: it says to start the server first', async () => {
  const path = join(folder, 'of-nothing.backup');
  const { code, stderr } = await startProgram('cli.js', ['backup', path], { DATABASE_URL: emptyUrl, DATA_DIR: folder })
    .ended;
  expect({ code, stderr }).toEqual({
    code: 75,
    stderr: 'There is nothing to back up yet: the database has no tables. Start the server first\n',
  });
});

test('a backup of a restored database is the same, table by table and file by file', async () => {
  const to = contextOf(emptyUrl, 'to');
  expect(await runRestore([backup], to)).toBe(printed);
  const again = join(folder, 'again.backup');
  await runBackup([again], to);
  const [before, after] = [await BackupArchive.open(backup), await BackupArchive.open(again)];
  // The order of the rows may differ.
  const rowsOf = ({ manifest: contents }: BackupArchive) =>
    contents.tables.map(({ sha256: _inThisOrder, ...table }) => table);
  expect(rowsOf(after)).toEqual(rowsOf(before));
  expect(after.manifest.sequences).toEqual(before.manifest.sequences);
  expect(after.manifest.files).toEqual(before.manifest.files);
  const filled = before.manifest.tables.filter(({ rows }) => rows > 0).map(({ name }) => name);
  expect(filled).toEqual(
    expect.arrayContaining([
      'account',
      'audit',
      'entitlement',
      'invoice',
      'orders',
      'package_file',
      'payment',
      'tender',
    ]),
  );
  for (const archive of [before, after]) archive.close();
});

test('the app works on a restored database: sign-in, tender, paid order, its documents, new rows and immutable rows', async () => {
  await runRestore([backup], contextOf(emptyUrl, 'works'));
  await withAppOn(emptyUrl, async (app, dataSource) => {
    const signedIn = await app.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { mobileNo: asha.mobileNo, password: PASSWORD },
    });
    expect(signedIn.statusCode).toBe(200);
    const [{ id }] = await dataSource.query("SELECT id FROM tender WHERE source_id = '2026_PWD_8_1'");
    expect((await app.get(`/api/tenders/${id}`)).json.tender.title).toBe(TITLE);
    const [order] = await dataSource.query('SELECT status FROM orders WHERE public_id = $1', [orderId]);
    expect(order.status).toBe('SUCCESS');
    const packages = app.app.get(PackagesService);
    const newest = await packages.findNewest(`tender-${id}`);
    expect(await buffer(await packages.store.read(newest?.fileKey ?? ''))).toHaveLength(Number(newest?.bytes));
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_10_1' })], { now: NOW });
    await expect(dataSource.query('DELETE FROM audit')).rejects.toThrow();
    await expect(dataSource.query('DELETE FROM invoice')).rejects.toThrow();
    // A device that is ahead of the backup must load a new pack.
    expect(await app.get(`/api/sync/himachal-pradesh/delta?cursor=${cursor}`)).toMatchObject({ status: 409 });
  });
});

test('devices load new packs after a restore into the same database', async () => {
  await runRestore([backup], contextOf(emptyUrl, 'emptied'));
  const atCursor = (cursor: string) =>
    withAppOn(emptyUrl, (app) => app.get(`/api/sync/himachal-pradesh/delta?cursor=${cursor}`));
  const before = await withAppOn(
    emptyUrl,
    async (app) => parseJsonBody(await requestManifest(app, 'himachal-pradesh')).cursor,
  );
  expect((await atCursor(before)).status).toBe(204);
  const own = join(folder, 'own.backup');
  await runBackup([own], contextOf(emptyUrl, 'emptied'));
  await emptyTables(emptyUrl);
  await runRestore([own], contextOf(emptyUrl, 'emptied'));
  expect((await atCursor(before)).status).toBe(409);
});

test('secrets are restored when there are none, and never replace others', async () => {
  const path = join(folder, 'secrets', 'secrets.json');
  await runRestore([backup], contextOf(emptyUrl, 'secrets'));
  expect(await readFile(path, 'utf8')).toBe('{"SESSION_KEYS":"stored"}');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, 'others');
  await query(emptyUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await runRestore([backup], contextOf(emptyUrl, 'secrets'));
  expect(await readFile(path, 'utf8')).toBe('others');
  expect(logged).toEqual([`${path} stays as it is; the secrets of the backup are in it as secrets.json`]);
});

test('invoice numbers continue after the last one that was issued', async () => {
  const last = [
    'TEST/26-27/0000041',
    'RC/26-27/0000007',
    'TN/25-26/0000012',
    'CN/25-26/0000003',
    'RF/26-27/9999999',
  ].flatMap((number) => ['--last-invoice', number]);
  await runRestore([backup, ...last], contextOf(emptyUrl, 'invoices'));
  const lastNumbers = 'SELECT series, financial_year, last_no FROM invoice_series ORDER BY series';
  expect(await query(emptyUrl, lastNumbers)).toEqual([
    { series: 'CN', financial_year: '25-26', last_no: 3 },
    { series: 'RC', financial_year: '26-27', last_no: 7 },
    { series: 'RF', financial_year: '26-27', last_no: 9_999_999 },
    { series: 'TEST', financial_year: '26-27', last_no: 41 },
    { series: 'TN', financial_year: '25-26', last_no: 12 },
  ]);
  await query(emptyUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  // A last number below that of the backup changes nothing.
  const [known] = await query(toDatabaseUrl(shop.database.address), lastNumbers);
  await query(toDatabaseUrl(shop.database.address), 'UPDATE invoice_series SET last_no = 5');
  const later = join(folder, 'later.backup');
  await runBackup([later], contextOf(toDatabaseUrl(shop.database.address), 'from'));
  await runRestore([later, '--last-invoice', 'TEST/26-27/0000003'], contextOf(emptyUrl, 'invoices'));
  expect(await query(emptyUrl, lastNumbers)).toEqual([{ ...known, last_no: 5 }]);
});

test('a database that was put back to an earlier instant gets a new epoch and higher invoice numbers', async () => {
  await runRestore([backup], contextOf(emptyUrl, 'recovered'));
  await query(emptyUrl, "INSERT INTO setting VALUES ('sync', '{}') ON CONFLICT DO NOTHING");
  const text = await runRestore(
    ['--after-recovery', '--last-invoice', 'RC/26-27/0000123'],
    contextOf(emptyUrl, 'recovered'),
  );
  expect(text).toBe('The database is ready: devices load their packs again\n');
  expect(await query(emptyUrl, "SELECT key FROM setting WHERE key = 'sync'")).toEqual([]);
  expect(await query(emptyUrl, "SELECT last_no FROM invoice_series WHERE series = 'RC'")).toEqual([{ last_no: 123 }]);
  await expect(runRestore(['--after-recovery', backup], contextOf(emptyUrl, 'recovered'))).rejects.toThrow(
    '--after-recovery takes no file',
  );
});

test.each(['RC', 'RC/26-27', 'XX/26-27/0000001', 'RC/26-27/0000000', 'RC/2026/0000001'])(
  '%s is refused as the number of the last invoice',
  async (number) => {
    await expect(runRestore([backup, '--last-invoice', number], contextOf(emptyUrl, 'invoices'))).rejects.toThrow(
      `--last-invoice must be the number of an invoice, like RC/26-27/0000123, not "${number}"`,
    );
  },
);

test('alerts that waited during the backup are not sent after a restore, nor after a recovery to that instant', async () => {
  const { dataSource } = shop.database;
  const [{ id }] = await dataSource.query(
    `WITH device AS (
       INSERT INTO push_subscription (id, channel, user_id, recipient, host, name, preferences, created_at)
       VALUES (gen_random_uuid(), 'email', $1, $1, 'email', 'E-mail', '{}', $2) RETURNING id),
     new_notice AS (
       INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
       SELECT $1, $1, id, 'changed', 2, 'due', $2, $2 FROM tender LIMIT 1 RETURNING id)
     INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, event_at)
       SELECT new_notice.id, device.id, 'email', $2, $2 FROM new_notice, device RETURNING id`,
    [asha.id, NOW],
  );
  const waiting = join(folder, 'waiting.backup');
  await runBackup([waiting], contextOf(toDatabaseUrl(shop.database.address), 'from'));
  await runRestore([waiting], contextOf(emptyUrl, 'waiting'));
  const deliveries = () => query(emptyUrl, 'SELECT id, state FROM push_delivery');
  expect(await deliveries()).toEqual([{ id, state: 'skipped' }]);
  await query(emptyUrl, "UPDATE push_delivery SET state = 'waiting'");
  await runRestore(['--after-recovery'], contextOf(emptyUrl, 'waiting'));
  expect(await deliveries()).toEqual([{ id, state: 'skipped' }]);
});

test('files of old versions that were cleaned up are not required', async () => {
  const { dataSource } = shop.database;
  const attaching = { dataSource, config: shop.config, now: NOW, log: () => {} };
  for (const edition of ['first', 'second']) {
    await writeFile(join(folder, 'Plan.pdf'), `%PDF-1.4 ${edition} edition`);
    await runDocuments(['attach', '--tender', '2026_PWD_9_1', join(folder, 'Plan.pdf')], attaching);
  }
  const later = new Date(NOW.getTime() + 2 * 86_400_000);
  expect(await cleanUpDocuments({ dataSource, now: later, find: async (type) => shop.app.get(type) })).toBeGreaterThan(
    0,
  );
  await runBackup([join(folder, 'cleaned.backup')], contextOf(toDatabaseUrl(shop.database.address), 'from'));
  expect(logged.filter((line) => line.includes('missing'))).toEqual([]);
});

describe('a restore with --replace', () => {
  const replace = (answer?: string, ...more: string[]) => {
    const asked: string[] = [];
    const ask = (question: string) => {
      asked.push(question);
      return Promise.resolve(answer ?? '');
    };
    const context = { ...contextOf(emptyUrl, 'replaced'), ...(answer !== undefined && { ask }) };
    return runRestore([backup, '--replace', ...more], context).then((text) => ({ text, asked }));
  };
  const titles = async () =>
    (await query(emptyUrl, 'SELECT title FROM tender ORDER BY title')).map((row: { title: string }) => row.title);
  /** A used database with other rows, of which one is an invoice number. */
  async function fill(): Promise<string[]> {
    await runRestore([backup], contextOf(emptyUrl, 'replaced'));
    await query(
      emptyUrl,
      `UPDATE tender SET title = 'Wrong ' || id; CREATE SCHEMA pgboss; CREATE TABLE pgboss.version (n integer);
       INSERT INTO invoice_series (series, financial_year, last_no) VALUES ('RC', '26-27', 70)`,
    );
    logged = [];
    return titles();
  }

  test('asks for the name of the database, then replaces it; invoice numbers go on after its last ones', async () => {
    const wrong = await fill();
    const name = new URL(emptyUrl).pathname.slice(1);
    await expect(replace('nivida')).rejects.toThrow('this is not its name: nothing was changed');
    await expect(replace()).rejects.toThrow('without a terminal it needs --yes');
    expect(await titles()).toEqual(wrong);
    const { text, asked } = await replace(name);
    expect(asked).toEqual([expect.stringContaining(`replaces the database "${name}"`)]);
    expect(text).toMatch(/\ntables \d+, rows \d+, files \d+\n$/);
    expect(await titles()).toContain(TITLE);
    expect(logged).toContain('Invoices go on after RC/26-27/0000070, the last of the replaced database');
    expect(await query(emptyUrl, "SELECT last_no FROM invoice_series WHERE series = 'RC'")).toEqual([{ last_no: 70 }]);
    const schemas =
      "SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^(public|pgboss|nivida)' ORDER BY nspname";
    expect(await query(emptyUrl, schemas)).toEqual([{ name: 'public' }]);
    await withAppOn(emptyUrl, async (restored) => {
      expect((await restored.get(`/api/tenders?q=2026_PWD_9_1`)).json.total).toBe(1);
    });
  });

  test('that fails, or is tried while a server runs, leaves the database as it was', async () => {
    const wrong = await fill();
    const cut = join(folder, 'changed.backup');
    await rewrite(backup, cut, (name, bytes) => (/tender_history/.test(name) ? Buffer.from('x') : bytes));
    await expect(runRestore([cut, '--replace', '--yes'], contextOf(emptyUrl, 'replaced'))).rejects.toThrow();
    expect(await titles()).toEqual(wrong);
    const server = new Client({ connectionString: emptyUrl });
    await server.connect();
    await expect(replace(undefined, '--yes')).rejects.toThrow('The database is in use: stop every server of it first');
    await server.end();
    expect(await titles()).toEqual(wrong);
    const left = "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'nivida%'";
    expect(await query(emptyUrl, left)).toEqual([]);
    await replace(undefined, '--yes');
    expect(await titles()).toContain(TITLE);
  });

  test('needs no tables that this version can read', async () => {
    await query(
      emptyUrl,
      "CREATE TABLE migration (id integer, name text); INSERT INTO migration VALUES (1, 'Newer9999999999999')",
    );
    await replace(undefined, '--yes');
    expect(await titles()).toContain(TITLE);
  });
});

describe('a restore is refused, and changes nothing,', () => {
  const counts = async () => {
    const tables = await query(emptyUrl, `SELECT to_regclass('tender') IS NOT NULL AS made`);
    return tables[0].made ? (await query(emptyUrl, 'SELECT count(*)::int AS n FROM tender'))[0].n : 0;
  };

  test('into a database with rows', async () => {
    await runRestore([backup], contextOf(emptyUrl, 'full'));
    await expect(runRestore([backup], contextOf(emptyUrl, 'full'))).rejects.toThrow(
      /^The database is not empty: \w+ holds rows\. Restore into a new one, or replace it with npm run restore -- FILE --replace$/,
    );
    expect(await counts()).toBe(3);
  });

  test('from a truncated file', async () => {
    const cut = join(folder, 'cut.backup');
    await copyFile(backup, cut);
    await truncate(cut, (await stat(cut)).size - 200);
    await expect(runRestore([cut], contextOf(emptyUrl, 'cut'))).rejects.toThrow('is no backup, or not a whole one');
    expect(await counts()).toBe(0);
  });

  test('from a file with one changed byte in its rows', async () => {
    const spoilt = join(folder, 'spoilt.backup');
    await copyFile(backup, spoilt);
    const file = await open(spoilt, 'r+');
    const at = (await readFile(spoilt)).indexOf('tables/tender.copy') + 120;
    await file.write(Buffer.from([0xff, 0xff, 0xff]), 0, 3, at);
    await file.close();
    await expect(runRestore([spoilt], contextOf(emptyUrl, 'spoilt'))).rejects.toThrow('damaged');
    expect(await counts()).toBe(0);
  });

  test('from a file with an entry that was replaced by another of the same length', async () => {
    const rewritten = join(folder, 'rewritten.backup');
    await rewrite(backup, rewritten, (name, bytes) =>
      name === 'tables/tender.copy' ? Buffer.from(bytes.toString().replace('2026_PWD_8_1', '2026_PWD_7_1')) : bytes,
    );
    await expect(runRestore([rewritten], contextOf(emptyUrl, 'rewritten'))).rejects.toThrow(
      new InvalidBackupError('The backup is damaged: tables/tender.copy differs from what was written'),
    );
    expect(await counts()).toBe(0);
  });

  test('from a file of another format, and the message names the version that wrote it', async () => {
    const other = join(folder, 'format.backup');
    await rewrite(backup, other, (name, bytes) => {
      if (name !== 'manifest.json') return bytes;
      const { tables: _renamed, ...contents } = JSON.parse(bytes.toString());
      return Buffer.from(JSON.stringify({ ...contents, format: 3, version: 'v2.5.0' }));
    });
    const { code, stderr } = await startProgram('cli.js', ['restore', other], { DATABASE_URL: emptyUrl }).ended;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'The backup has format 3 and this program reads format 1: restore it with version v2.5.0, which wrote it\n',
    });
    expect(await counts()).toBe(0);
  });

  test('into a database that stores the rows differently', async () => {
    await runRestore([backup], contextOf(emptyUrl, 'other-rows'));
    await emptyTables(emptyUrl);
    await query(
      emptyUrl,
      `CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN new.title := upper(new.title); RETURN new; END$$;
       CREATE TRIGGER shout BEFORE INSERT ON tender FOR EACH ROW WHEN (new.source_id = '2026_PWD_9_1') EXECUTE FUNCTION shout()`,
    );
    await expect(runRestore([backup], contextOf(emptyUrl, 'other-rows'))).rejects.toThrow(
      'The rows of tender in the database differ from the backup (3 of 3 rows). The file is not damaged: try another database server of the same or a newer version',
    );
    expect(await counts()).toBe(0);
    await query(
      emptyUrl,
      'CREATE OR REPLACE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$',
    );
    await expect(runRestore([backup], contextOf(emptyUrl, 'other-rows'))).rejects.toThrow(
      'The rows of tender in the database differ from the backup (2 of 3 rows). The file is not damaged:',
    );
    expect(await counts()).toBe(0);
  });

  test('when its last step fails: its files are removed, and files that were there before stay', async () => {
    await runRestore([backup], contextOf(emptyUrl, 'there'));
    await emptyTables(emptyUrl);
    // Fails at the commit, after the files are written.
    await query(
      emptyUrl,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'The server stops'; END$$;
       CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON tender DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const storedFiles = async (place: string) =>
      (await readdir(join(folder, place, 'files'), { recursive: true })).filter((name) => name.includes('/')).sort();
    const before = await storedFiles('there');
    expect(before).not.toEqual([]);
    for (const place of ['there', 'new'])
      await expect(runRestore([backup], contextOf(emptyUrl, place))).rejects.toThrow('The server stops');
    expect(await storedFiles('there')).toEqual(before);
    expect(await storedFiles('new')).toEqual([]);
    expect(await counts()).toBe(0);
  });

  test('from a file that is no backup', async () => {
    const other = join(folder, 'other.backup');
    await appendFile(other, 'a letter');
    const { code, stderr } = await startProgram('cli.js', ['restore', other], { DATABASE_URL: emptyUrl }).ended;
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('is no backup, or not a whole one')]);
    expect(await counts()).toBe(0);
  });

  test('from a file in which a table lacks a column, or has another one, a further one or another order', async () => {
    const other = join(folder, 'columns.backup');
    for (const change of [
      (columns: string[]) => columns.slice(0, -1),
      ([, ...columns]: string[]) => ['other', ...columns],
      (columns: string[]) => [...columns, 'other'],
      (columns: string[]) => columns.toReversed(),
    ]) {
      await rewrite(backup, other, (name, bytes) => {
        if (name !== 'manifest.json') return bytes;
        const contents = JSON.parse(bytes.toString());
        const tables = contents.tables.map((table: { name: string; columns: string[] }) =>
          table.name === 'tender' ? { ...table, columns: change(table.columns) } : table,
        );
        return Buffer.from(JSON.stringify({ ...contents, tables }));
      });
      await expect(runRestore([other], contextOf(emptyUrl, 'columns'))).rejects.toThrow(
        new InvalidBackupError('The backup has a table tender that this database does not know'),
      );
    }
    expect(await counts()).toBe(0);
  });

  test('by a version that does not know its schema', async () => {
    const to = contextOf(emptyUrl, 'newer');
    await runRestore([backup], to);
    await query(emptyUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const other = join(folder, 'version.backup');
    await rewrite(backup, other, (name, bytes) => {
      if (name !== 'manifest.json') return bytes;
      return Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), migration: 'Other1' }));
    });
    await expect(runRestore([other], to)).rejects.toThrow(
      /^The backup has the schema Other1, which version \S+ does not know: restore it with version \S+, which wrote it, or with a newer one$/,
    );
    expect(await counts()).toBe(0);
  });
});

test('a nightly backup is encrypted and copied, and once a week a restore is tried of which nothing stays', async () => {
  const url = toDatabaseUrl(shop.database.address);
  const identity = await generateIdentity();
  const { config } = contextOf(url, 'from');
  const nightly = readConfig({
    DATABASE_URL: url,
    DATA_DIR: config.dataDir,
    BACKUP_URL: `file://${join(folder, 'copies')}`,
    BACKUP_RECIPIENTS: await identityToRecipient(identity),
    BACKUP_MONTHS: '0',
  });
  const night = new Date('2026-11-17T20:30:00Z');
  const jobs = () =>
    query(
      url,
      "SELECT job, succeeded_at AS at, items::int, error FROM job_run WHERE job IN ('backup', 'trial-restore') ORDER BY job",
    );
  const backUp = async (name: string, now: Date) => {
    await runBackup([join(folder, name), '--nightly'], { config: nightly, now, log: (line) => void logged.push(line) });
    return (await stat(join(folder, name))).size;
  };
  await mkdir(join(folder, 'copies'));
  for (const old of ['nivida-2026-10-01T203000Z.zip.age', 'nivida-2026-11-10T203000Z.zip.age'])
    await writeFile(join(folder, 'copies', old), 'old');
  // Nights begin some minutes apart, so an hour less than a week is a week.
  const lastTrial = new Date(night.getTime() - (7 * 24 - 1) * 3_600_000 + 1);
  await query(
    url,
    `INSERT INTO job_run (job, every_seconds, registered_at, succeeded_at, items)
     VALUES ('trial-restore', 604800, now(), '${lastTrial.toISOString()}', 1)`,
  );
  const bytes = await backUp('nivida-2026-11-17T203000Z.zip.age', night);
  expect(await jobs()).toEqual([
    { job: 'backup', at: night, items: bytes, error: null },
    { job: 'trial-restore', at: lastTrial, items: 1, error: null },
  ]);
  const due = new Date(night.getTime() + 1);
  const name = 'nivida-2026-11-17T203001Z.zip.age';
  await backUp(name, due);
  const [, trial] = await jobs();
  expect(trial).toMatchObject({ at: due, error: null });
  expect(trial.items).toBeGreaterThan(3_000);
  expect((await readdir(join(folder, 'copies'))).sort()).toEqual([
    'nivida-2026-11-10T203000Z.zip.age',
    'nivida-2026-11-17T203000Z.zip.age',
    name,
  ]);
  expect(await readFile(join(folder, 'copies', name))).toEqual(await readFile(join(folder, name)));
  expect(
    (await readdir(folder)).filter((each) => /plain|check|part/.test(each) && !each.includes('in-the-way')),
  ).toEqual([]);
  expect(await query(url, "SELECT datname FROM pg_database WHERE datname LIKE 'nivida\\_check\\_%'")).toEqual([]);
  expect(logged).toEqual(Array(2).fill(SECRETS_LINE));
  const keyFile = join(folder, 'backup.key');
  await writeFile(keyFile, `# created by age-keygen\n${identity}\n`);
  logged = [];
  await runRestore([join(folder, name), '--identity', keyFile], contextOf(emptyUrl, 'decrypted'));
  expect(await query(emptyUrl, 'SELECT public_id FROM orders')).toEqual([{ public_id: orderId }]);
  const secrets = join(folder, 'decrypted', 'secrets.json');
  expect(logged).toEqual([`${secrets} holds new secrets: all sessions and push subscriptions of the backup end`]);
  expect((await readdir(join(folder, 'decrypted'))).filter((each) => each.startsWith('restore-'))).toEqual([]);
});

test('a trial restore that fails says why, and leaves neither a database nor a folder', async () => {
  const client = new Client({ connectionString: toDatabaseUrl(shop.database.address) });
  await client.connect();
  const archive = await BackupArchive.open(backup);
  onTestFinished(async () => {
    archive.close();
    await client.end();
  });
  const place = join(folder, 'trial');
  await mkdir(place);
  const tryAt = (address: string) =>
    tryRestore(archive, client, { address, place }, async () => {
      throw new Error('the rows differ');
    });
  await expect(tryAt('postgresql://nivida@127.0.0.1:9/nivida')).rejects.toThrow('ECONNREFUSED');
  await expect(tryAt(toDatabaseUrl(shop.database.address))).rejects.toThrow('the rows differ');
  expect((await client.query("SELECT FROM pg_database WHERE datname LIKE 'nivida\\_check\\_%'")).rowCount).toBe(0);
  expect(await readdir(place)).toEqual([]);
});

test('a file that is missing in the store is named and left out, and secrets are asked for only when they are there', async () => {
  const url = toDatabaseUrl(shop.database.address);
  const path = join(folder, 'no-files.backup');
  const elsewhere = contextOf(url, 'elsewhere');
  const text = await runBackup([path], elsewhere);
  expect(text).toMatch(/, files 0\n$/);
  expect(logged.at(-1)).toBe(SECRETS_LINE);
  const missing = logged.slice(0, -1);
  expect(missing.length).toBeGreaterThan(0);
  for (const line of missing) expect(line).toMatch(/^The file [\da-f]{32} is missing and not in the backup$/);
  await expect(runBackup([join(folder, 'x.backup'), '--with-secrets'], elsewhere)).rejects.toThrow(
    `there is no "${join(folder, 'elsewhere', 'secrets.json')}"`,
  );
  await expect(runBackup([], elsewhere)).rejects.toThrow('name one file');
  await expect(runBackup(['a', 'b'], elsewhere)).rejects.toThrow('name one file');
  await expect(runBackup([join(folder, 'nowhere/x.backup')], elsewhere)).rejects.toThrow(
    `There is no folder "${join(folder, 'nowhere')}"`,
  );
  await expect(runRestore([join(folder, 'x.backup')], elsewhere)).rejects.toThrow(
    `There is no file "${join(folder, 'x.backup')}"`,
  );
});

test('a backup never replaces a file', async () => {
  await expect(runBackup([backup], contextOf(emptyUrl, 'from'))).rejects.toThrow('is there already');
});
