/** `doctor`: its lines for a healthy and a broken installation, each with its own database server. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBackup } from '../../src/cli-backup.ts';
import { runDoctor } from '../../src/cli-doctor.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { registerJobs } from '../../src/jobs/job-runs.ts';
import { JOBS } from '../../src/jobs/schedule.ts';
import { withSecrets } from '../../src/secrets.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { startApp } from '../support/start-app.ts';

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
  ]);
  expect(exitCode).toBe(1);
});

test('a healthy installation has a line for each check, and exit code 0', async () => {
  const config = withSecrets(readConfig(env), false);
  database = await openDatabase(config);
  const app = await startApp({ now: new Date(), database, env });
  await registerJobs(database.dataSource, JOBS, new Date());
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
    'ok       packs: all built',
    'ok       push: no browser has subscribed yet',
    `ok       keys: stored in ${dataDir}/secrets.json; keep a copy elsewhere`,
    `ok       mail: ${new URL(mails.url).host} accepts this server`,
    'ok       payments: the sandbox; no money moves',
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
  await dataSource.query("UPDATE job_run SET succeeded_at = now() + interval '4 days' WHERE job <> 'backup'");
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
      'warning  backup: the newest is 4 days old. Look at the log of the service backup, then run npm run backup -- FILE',
      'failure  jobs: fetch-documents failed 4 times in a row: no answer. Repair the cause, then run npm run job -- fetch-documents',
      'warning  feeds: hptenders failed: /srv cannot be read. Repair it, or import its file by hand',
      'warning  replica: does not answer (ECONNREFUSED), so the primary is read. Start it, or correct DATABASE_URL_READ',
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
  ]);
});
