/** `doctor`: its lines for a healthy and a broken installation, each with its own database server. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { JOBS } from '../../src/app/features.ts';
import { withSecrets } from '../../src/app/secrets.ts';
import { readConfig, withCommandName } from '../../src/base/config.ts';
import { deriveVapidKeys, vapidKeyId } from '../../src/base/vapid-keys.ts';
import { runBackup } from '../../src/cli/commands/backup.command.ts';
import { runDoctor } from '../../src/cli/commands/doctor.command.ts';
import { makeMissingMonths } from '../../src/database/monthly-partitions.sql.ts';
import { registerJobs } from '../../src/jobs/job-runs.ts';
import { type Database, openDatabase } from '../../src/schema/database.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { storeOrder } from '../support/paid-orders.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { createTestDatabase, startApp } from '../support/start-app.ts';

const DAY_MS = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * DAY_MS);

let dataDir: string;
let database: Database;
let mails: MailServer;
let env: NodeJS.ProcessEnv;

const doctor = (now = new Date(), more: NodeJS.ProcessEnv = {}) =>
  runDoctor([], () => readConfig({ ...env, ...more }), now);

/** The lines without those of the disk, which belong to this machine. */
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.includes('  disk: '));

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nivida-doctor-'));
  mails = await startMailServer();
  env = { DATA_DIR: dataDir, MAIL_URL: mails.url };
});
afterAll(async () => {
  await database?.close();
  await mails.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

test('before the first start it says what the start will create, and creates nothing', async () => {
  const { text, exitCode } = await doctor();
  expect(lines(text).slice(1)).toEqual([
    'ok       settings: valid; not for production, because NODE_ENV is not production',
    `warning  database: there is none in ${dataDir}/postgres yet. The first start creates it; or set DATABASE_URL`,
    `ok       keys: the first start generates ${dataDir}/secrets.json`,
    `ok       mail: ${new URL(mails.url).host} accepts this server`,
    'ok       payments: the sandbox; no money moves',
    'ok       documents: their reader starts',
  ]);
  expect(exitCode).toBe(1);
});

test('a healthy installation has a line for each check, and exit code 0', async () => {
  const config = withSecrets(readConfig(env), false);
  database = await openDatabase(config);
  const app = await startApp({ now: new Date(), database, env });
  await registerJobs(database.dataSource, JOBS, new Date());
  await makeMissingMonths(database.dataSource, new Date());
  await app.close();
  await runBackup([join(dataDir, 'backup.zip')], { config, now: new Date(), log: () => {} });
  const { text, exitCode } = await doctor();
  expect(lines(text)).toEqual([
    expect.stringMatching(/^ok {7}version: \S+, Node 24\./),
    'ok       settings: valid; not for production, because NODE_ENV is not production',
    expect.stringMatching(/^ok {7}database: PostgreSQL 18\.\d+, \d+ of 100 connections in use$/),
    'ok       clock: equal to that of the database',
    'ok       schema: up to date',
    expect.stringMatching(/^ok {7}backup: the newest is \d+ seconds? old$/),
    expect.stringMatching(/^ok {7}jobs: \d+ run in time$/),
    'ok       feeds: none are set',
    'ok       partitions: made for the next months',
    'ok       packs: all built',
    'ok       push: no browser has subscribed yet',
    `ok       keys: stored in ${dataDir}/secrets.json; keep a copy elsewhere`,
    `ok       mail: ${new URL(mails.url).host} accepts this server`,
    'ok       payments: the sandbox; no money moves',
    'ok       documents: their reader starts',
  ]);
  expect(text).toMatch(/^(?:ok {5}|warning|failure) {2}disk: \/\S+ has \d+\.\d GB free \(\d+ %\)/m);
  // A machine with a full disk is not healthy.
  if (!/^(?:warning|failure) {2}disk/m.test(text)) expect(exitCode).toBe(0);
});

test('of a broken installation each line names the repair, and the exit code is 2', async () => {
  const { dataSource } = database;
  await dataSource.query('ALTER SYSTEM SET fsync = off');
  await dataSource.query('SELECT pg_reload_conf()');
  await dataSource.query(
    "INSERT INTO feed (name, source, tried_at, error, seen) VALUES ('hptenders', '/srv', now(), '/srv cannot be read', '{}')",
  );
  await dataSource.query("UPDATE job_run SET failures = 4, error = 'no answer' WHERE job = 'fetch-documents'");
  await dataSource.query("UPDATE job_run SET succeeded_at = now() + interval '4 days 1 hour' WHERE job <> 'backup'");
  await chmod(join(dataDir, 'secrets.json'), 0o644);
  await mails.pause();
  try {
    await expect.poll(async () => (await dataSource.query('SHOW fsync'))[0].fsync).toBe('off');
    const { text, exitCode } = await doctor(later(4), {
      FEEDS: 'hptenders=/srv',
      DATABASE_URL_READ: 'postgresql://localhost:9/none',
    });
    const bad = lines(text).filter((line) => !line.startsWith('ok '));
    expect(bad).toEqual([
      'failure  database: fsync is off, so a power failure can destroy the data. Set it to on',
      'failure  clock: the database is 4 days behind this machine. Set both clocks (timedatectl set-ntp true), see the runbook, Clock wrong',
      expect.stringMatching(/^warning {2}backup: .* then run npm run backup -- nivida-\d{4}-\d\d-\d\d\.zip$/),
      'failure  jobs: fetch-documents failed 4 times in a row: no answer. Repair the cause, then run npm run job -- fetch-documents',
      'warning  feeds: hptenders failed: /srv cannot be read. Repair it, then npm run feeds -- run hptenders',
      'warning  replica: does not answer (ECONNREFUSED), so other servers are read. Start it, or correct DATABASE_URL_READ',
      `warning  keys: other users can read ${dataDir}/secrets.json. Run chmod 600 ${dataDir}/secrets.json`,
      `failure  mail: ${new URL(mails.url).host} does not accept this server (SMTP ESOCKET CONN). Check MAIL_URL and the mail server`,
    ]);
    expect(exitCode).toBe(2);
  } finally {
    await mails.resume();
    await chmod(join(dataDir, 'secrets.json'), 0o600);
  }
});

test('a wrong setting, a missing one and a database that does not answer are one line each', async () => {
  const wrong = await doctor(undefined, { PORT: 'http' });
  expect(wrong).toEqual({
    text: 'failure  settings: PORT must be a whole number from 0 to 65535. Correct it, then run doctor again\n',
    exitCode: 2,
  });
  const keys = { SESSION_KEYS: randomBytes(32).toString('hex'), OTP_PEPPER: randomBytes(32).toString('hex') };
  const { text } = await doctor(undefined, {
    ...keys,
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://u@127.0.0.1:9/none',
  });
  expect(lines(text).slice(1)).toEqual([
    'failure  settings: MAIL_FROM, PAYMENT_PROVIDER, PUBLIC_ORIGIN, VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY, VAPID_SUBJECT must be set in production. The server does not start without this',
    'failure  database: The database does not answer at 127.0.0.1:9/none (ECONNREFUSED). Start it, or correct DATABASE_URL',
    `ok       mail: ${new URL(mails.url).host} accepts this server`,
    'ok       documents: their reader starts',
  ]);
});

/** The lines about some subjects. */
const about = (text: string, ...subjects: string[]) =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => subjects.includes(line.slice(9).split(':', 1)[0] ?? ''));

test('what waits for a person, was not sent or cannot be reached is a line each', async () => {
  const other = await createTestDatabase();
  const { dataSource } = other;
  const folder = join(dataDir, 'other');
  const more = { DATABASE_URL: toDatabaseUrl(other.address), DATA_DIR: folder };
  try {
    const unused = await doctor(undefined, more);
    expect(about(unused.text, 'keys', 'schema', 'backup', 'orders', 'packs', 'push')).toEqual([
      'ok       schema: up to date',
      'ok       backup: there is none',
      'ok       push: no browser has subscribed yet',
      `ok       keys: the first start generates ${folder}/secrets.json`,
    ]);
    await (await startApp({ now: new Date(), database: other, env: more })).close();
    await storeOrder(dataSource, { status: 'REVIEW', live: true });
    await storeOrder(dataSource, { status: 'REVIEW', live: true });
    await storeOrder(dataSource, { status: 'REVIEW', live: false });
    await storeOrder(dataSource, { status: 'SUCCESS', live: true });
    await dataSource.query(
      `INSERT INTO pgboss.job (name, state, start_after) VALUES ('mail', 'created', now() - interval '16 minutes'),
         ('mail', 'created', now() - interval '14 minutes'), ('mail', 'retry', now() - interval '1 hour'),
         ('mail', 'retry', now() + interval '1 hour'), ('mail', 'failed', now()), ('mail', 'completed', now() - interval '1 hour')`,
    );
    await dataSource.query(
      `INSERT INTO job_run (job, every_seconds, registered_at, items) VALUES ('prepare-packs', 60, now(), 3)`,
    );
    await dataSource.query(
      `INSERT INTO package_file (nit, tender_id, name, state, file_key, sha256, added_at, ready_at, read_version)
       VALUES ('n', 1, 'old.pdf', 'ready', 'a', 'a', now(), now() - interval '25 hours', 0),
         ('n', 1, 'read.pdf', 'ready', 'b', 'b', now(), now() - interval '25 hours', 1),
         ('n', 1, 'new.pdf', 'ready', 'c', 'c', now(), now() - interval '23 hours', 0)`,
    );
    const keys = deriveVapidKeys('doctor');
    const device = (name: string, kid: string, host: string) =>
      dataSource.query(
        `INSERT INTO push_subscription (id, channel, recipient, secret_sha256, endpoint, endpoint_sha256, host, p256dh, auth,
           vapid_kid, name, preferences, created_at)
         SELECT id, 'push', id, $1, $1, $1, $3, 'x', 'x', $2, $1, '{}', now() FROM gen_random_uuid() id`,
        [name, kid, host],
      );
    await device('one', vapidKeyId(keys.publicKey), '127.0.0.1:9');
    await device('two', vapidKeyId(keys.publicKey), '127.0.0.1:9');
    const used = await doctor(undefined, { ...more, DATABASE_URL_READ: more.DATABASE_URL });
    expect(about(used.text, 'keys', 'orders', 'documents', 'packs', 'mail', 'push', 'replica')).toEqual([
      'warning  orders: 2 paid orders wait for a decision. Run npm run orders -- list --status REVIEW',
      'warning  documents: 1 files wait unread for more than a day. The log of the workers says why; run npm run job -- read-documents',
      'warning  packs: 3 are not built yet. Workers build them one after the other; devices wait until then',
      'warning  mail: 2 mails wait for more than 15 minutes. See the other line about mail',
      'warning  mail: 1 mails of the last day were not sent. The log of the workers says why',
      'warning  push: 127.0.0.1:9 cannot be reached (ECONNREFUSED). Check DNS and the firewall for outgoing HTTPS',
      'ok       replica: 0 seconds behind',
      `failure  keys: ${folder}/secrets.json is missing, and the database was used with it. Put it back, or run npm run migrate -- --new-secrets`,
      `ok       mail: ${new URL(mails.url).host} accepts this server`,
      'ok       documents: their reader starts',
    ]);
    expect(used.exitCode).toBe(2);
    // Doctor creates nothing.
    expect(await readdir(dataDir)).not.toContain('other');
    await device('three', 'a lost key', '127.0.0.1:9');
    await dataSource.query("INSERT INTO pgboss.job (name, state) VALUES ('build-packs', 'failed')");
    const secrets = {
      SESSION_KEYS: randomBytes(32).toString('hex'),
      OTP_PEPPER: randomBytes(32).toString('hex'),
      VAPID_PUBLIC_KEY: keys.publicKey,
      VAPID_PRIVATE_KEY: keys.privateKey,
    };
    const configured = await doctor(undefined, { ...more, ...secrets });
    expect(about(configured.text, 'keys', 'packs', 'push', 'replica')).toEqual([
      'warning  packs: 1 builds of the last day failed. The log of the workers says why; run npm run job -- compact-sync',
      'failure  push: devices subscribed with a key that is not set. Put the old pair back as the second of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY',
      'warning  push: 127.0.0.1:9 cannot be reached (ECONNREFUSED). Check DNS and the firewall for outgoing HTTPS',
      'ok       keys: set as variables; keep a copy elsewhere',
    ]);
    await dataSource.query('DELETE FROM migration WHERE id = (SELECT max(id) FROM migration)');
    expect(about((await doctor(undefined, { ...more, ...secrets })).text, 'schema', 'orders', 'keys')).toEqual([
      'warning  schema: 1 migrations are missing. Run npm run migrate, or start the server',
      'ok       keys: set as variables; keep a copy elsewhere',
    ]);
    await dataSource.query("INSERT INTO migration (timestamp, name) VALUES (1999000000000, 'Rainfall1999000000000')");
    expect(about((await doctor(undefined, { ...more, ...secrets })).text, 'schema', 'orders')).toEqual([
      'failure  schema: The database belongs to a newer version of Nivida (it has Rainfall1999000000000). Start that version, or restore a backup of this one into an empty database',
    ]);
  } finally {
    await other.close();
  }
});

test('a reader of documents that does not start is a line', async () => {
  const node = vi.spyOn(process, 'execPath', 'get').mockReturnValue('/nowhere/node');
  const { text, exitCode } = await doctor();
  node.mockRestore();
  expect(about(text, 'documents')).toEqual([
    'failure  documents: they are not read: The program did not start: spawn /nowhere/node ENOENT. Install this version again',
  ]);
  expect(exitCode).toBe(2);
});

test('a mail server that is not set, secrets that cannot be read and a folder that is none are a line each', async () => {
  const folder = join(dataDir, 'broken');
  const without = { MAIL_URL: '', DATA_DIR: folder };
  expect(about((await doctor(undefined, without)).text, 'mail')).toEqual([
    `ok       mail: mails are files in ${folder}/mail`,
  ]);
  const production = await doctor(undefined, { ...without, NODE_ENV: 'production' });
  expect(about(production.text, 'mail', 'database', 'payments')).toEqual([
    'warning  database: the embedded PostgreSQL is for trying and for small operators: one machine, no replica, and its OpenSSL 1.1.1 gets no more security updates. Set DATABASE_URL; docs/operations.md says how to move',
    `warning  database: there is none in ${folder}/postgres yet. The first start creates it; or set DATABASE_URL`,
    'failure  mail: MAIL_URL is not set. Set it to the address of your mail server, with user and password; docs/configuration.md has its form',
  ]);
  await mkdir(folder);
  await writeFile(join(folder, 'secrets.json'), '{', { mode: 0o600 });
  const unreadable = await doctor(undefined, without);
  expect(about(unreadable.text, 'keys')).toEqual([
    `failure  keys: ${folder}/secrets.json cannot be read; repair it, or remove it, which ends all sessions`,
  ]);
  const file = join(folder, 'secrets.json');
  const inFile = await doctor(undefined, {
    ...without,
    DATA_DIR: join(file, 'data'),
    FILES_URL: `file://${folder}/files`,
  });
  const [none, files, ...others] = about(inFile.text, 'disk');
  expect([none, others]).toEqual([
    `failure  disk: ${file}/data cannot be read (ENOTDIR). Check that it is a folder of this user`,
    [],
  ]);
  // A folder that is not there yet has the space of the one above it.
  expect(files).toContain(`disk: ${folder}/files has `);
  expect(about((await doctor(undefined, without)).text, 'disk')).toHaveLength(2);
  expect(about((await doctor(undefined, { ...without, FILES_URL: `file://${folder}` })).text, 'disk')).toHaveLength(1);
});

test('doctor takes no options, and an error of the program is no finding', async () => {
  await expect(runDoctor(['--fast'], () => readConfig(env), new Date())).rejects.toThrow("Unknown option '--fast'");
  const failing = () => {
    throw new TypeError('not a setting');
  };
  await expect(runDoctor([], failing, new Date())).rejects.toThrow('not a setting');
});

test('all settings that are missing or malformed are named in one round, with examples that can be read', async () => {
  const wrong = await doctor(undefined, { PORT: 'http', MAIL_URL: 'smtp://', FREE_PLAN: 'gold' });
  expect(wrong.text).toBe(
    'failure  settings: PORT must be a whole number from 0 to 65535; MAIL_URL must name a host, like smtp://mail.example.org:587, with USER:PASSWORD@ before it; FREE_PLAN must be basic, premium or enterprise. Correct it, then run doctor again\n',
  );
  const keys = deriveVapidKeys('seed');
  const { text } = await doctor(undefined, {
    NODE_ENV: 'production',
    ...{ OTP_PEPPER: randomBytes(32).toString('hex'), SESSION_KEYS: randomBytes(32).toString('hex') },
    ...{ VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: keys.privateKey, VAPID_SUBJECT: 'mailto:a@example.org' },
    ...{ PUBLIC_ORIGIN: 'http://nivida.in', PAYMENT_PROVIDER: 'phonepe', GSTIN: '02ABCDE1234F1ZC' },
    DATABASE_URL: 'postgresql://u@127.0.0.1:9/none',
  });
  expect(lines(text)[1]).toBe(
    'failure  settings: MAIL_FROM must be set in production; PUBLIC_ORIGIN must begin with https:// in production, unless its host is localhost; VAPID_SUBJECT must be an address that you read, like mailto:NAME@DOMAIN; PHONEPE_CLIENT_ID, PHONEPE_CLIENT_SECRET, PHONEPE_WEBHOOK_SECRET must be set for PAYMENT_PROVIDER=phonepe; LEGAL_NAME, LEGAL_ADDRESS must be set with GSTIN: tax invoices name the seller and the address. The server does not start without this',
  );
});

test('commands are named as the installation has them', () => {
  const line = 'Run npm run migrate -- --new-secrets, or npm run backup -- FILE; npm run migrate, or start the server';
  expect(withCommandName(line, 'nivida')).toBe(
    'Run nivida migrate --new-secrets, or nivida backup FILE; nivida migrate, or start the server',
  );
  expect(withCommandName(line, undefined)).toBe(line);
});
