/** Concurrent schedulers and workers, and a killed one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Type } from '@nestjs/common';
import type { Client } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { insertPushDevices } from '../../bench/measure/harness/push-devices.ts';
import { WAIT } from '../../src/base/injection-tokens.ts';
import { Metrics } from '../../src/http/monitoring/metrics.ts';
import { MailService } from '../../src/mail/mail.service.ts';
import { closingSoonJob } from '../../src/push/alerts/closing-soon.job.ts';
import { createReminders } from '../../src/push/alerts/reminder-notices.ts';
import { PushSenderService } from '../../src/push/sending/push-sender.service.ts';
import { type PushApp, startPushApp, VAPID } from '../support/push-app.ts';
import type { PushBrowser } from '../support/push-service.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { asAdmin, startApp, TEST_SESSION_KEY } from '../support/start-app.ts';

const at = (time: string) => new Date(`2026-11-${time}+05:30`);
const MORNING = at('10T11:30:00');
const EVENING = at('19T18:00:00');
const CLI = resolve(import.meta.dirname, '../../dist/cli.js');
/** Maximum of pushes that a killed worker sends again. */
const MAX_REPEATED = 100;
/** More than a process claims at once. */
const DEVICES = 1_000;

let app: PushApp;
beforeAll(async () => {
  app = await startPushApp(MORNING);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.clear(MORNING);
  await importTenders(app.database.dataSource, [createSourceTender()], { now: MORNING });
});

/** Devices of signed-out visitors that follow the tender. */
async function visitors(count: number): Promise<PushBrowser[]> {
  const { dataSource } = app.database;
  const publicKey = VAPID.VAPID_PUBLIC_KEY;
  const phones = Array.from({ length: count }, () => app.service.subscribe(publicKey));
  const devices = phones.map(({ subscription }) => subscription);
  await insertPushDevices(dataSource, devices, { host: app.service.host, publicKey });
  await dataSource.query(
    'INSERT INTO push_watch SELECT s.id, t.id, $1 FROM push_subscription s, tender t ON CONFLICT DO NOTHING',
    [MORNING],
  );
  return phones;
}

const counts = (phones: PushBrowser[]) => phones.map(({ received }) => received.length);

test('two concurrent schedulers send each notice once', async () => {
  const phones = await visitors(30);
  app.clock.now = EVENING;
  await Promise.all([app.run('closing-soon'), app.run('closing-soon'), app.run('closing-soon')]);
  await app.run('closing-soon');
  expect(counts(phones)).toEqual(Array(30).fill(1));
});

test('two concurrent workers share the due deliveries', async () => {
  const phones = await visitors(DEVICES);
  const other = await startApp({ now: EVENING, database: app.database, env: envOf() });
  try {
    // One process schedules, both send.
    const offAt = app.service.host;
    await app.database.dataSource.query(
      `INSERT INTO push_host (host, since, sent, refused, gone, paused_until, pauses) VALUES ($1, $2, 0, 0, 0, $3, 0)`,
      [offAt, EVENING, new Date(EVENING.getTime() + 1_000)],
    );
    await app.run('closing-soon', EVENING);
    expect(counts(phones)).toEqual(Array(DEVICES).fill(0));
    app.clock.now = new Date(EVENING.getTime() + 2_000);
    other.clock.now = app.clock.now;
    const sent = await Promise.all([
      app.app.get(PushSenderService).sendDue(),
      other.app.get(PushSenderService).sendDue(),
    ]);
    expect(counts(phones)).toEqual(Array(DEVICES).fill(1));
    expect(sent[0] + sent[1]).toBe(DEVICES);
    for (const share of sent) expect(share).toBeGreaterThan(0);
  } finally {
    await other.close();
  }
});

test('a worker that is stopped records its sent pushes and leaves the rest to the next worker', async () => {
  const phones = await visitors(DEVICES);
  const worker = await startApp({ now: EVENING, database: app.database, env: envOf() });
  try {
    const find = async <Service>(type: Type<Service>) => worker.app.get(type);
    const run = closingSoonJob.run({ dataSource: app.database.dataSource, now: EVENING, find });
    while (!counts(phones).includes(1)) await wait(1);
    worker.app.get(PushSenderService).stop();
    const sent = await run;
    const notified = counts(phones).filter((count) => count === 1).length;
    expect(notified).toBe(sent);
    expect(notified).toBeLessThan(DEVICES);
    const [row] = await app.database.dataSource.query(`SELECT count(*)::int FROM push_delivery WHERE state = 'sent'`);
    expect(row.count).toBe(notified);
  } finally {
    await worker.close();
  }
  await app.run('closing-soon', EVENING);
  expect(counts(phones)).toEqual(Array(DEVICES).fill(1));
});

test('while the database is away nothing new is sent; what was in flight is recorded when it is back', async () => {
  const phones = await visitors(200);
  await storeReminders();
  const { dataSource } = app.database;
  const { database } = app.database.address as { database: string };
  const gone = Promise.withResolvers<void>();
  for (const { behaviours } of phones) behaviours.push({ before: () => gone.promise });
  let isBack: Promise<void> | undefined;
  const bringBack = () => {
    isBack ??= asAdmin((client) => client.query(`ALTER DATABASE ${database}_away RENAME TO ${database}`));
    return isBack;
  };
  const interrupted = expect(senderOn(dataSource, bringBack).sendDue()).rejects.toThrow();
  while (!counts(phones).includes(1)) await wait(1);
  await asAdmin((client) => takeAway(client, database));
  try {
    gone.resolve();
    await interrupted;
    expect(isBack).toBeDefined();
  } finally {
    await bringBack();
  }
  const sent = counts(phones).filter((count) => count === 1).length;
  expect(sent).toBeLessThanOrEqual(MAX_REPEATED);
  const recorded = async () =>
    (await dataSource.query(`SELECT count(*)::int AS n FROM push_delivery WHERE state = 'sent'`))[0].n;
  await expect.poll(recorded).toBe(sent);
  await app.run('send-pushes');
  expect(counts(phones)).toEqual(Array(200).fill(1));
  const [{ accepted }] = await dataSource.query('SELECT sum(accepted)::int AS accepted FROM push_tally');
  expect(accepted).toBe(200);
});

/** Ends all connections to a database and renames it. A connection may begin in between. */
async function takeAway(client: Client, database: string): Promise<void> {
  for (;;)
    try {
      await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
        database,
      ]);
      await client.query(`ALTER DATABASE ${database} RENAME TO ${database}_away`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006') throw error;
    }
}

test('jobs that send at the same time in one process share one run', async () => {
  const phones = await visitors(3);
  app.clock.now = EVENING;
  expect(await app.run('closing-soon')).toBe(3);
  const sender = app.app.get(PushSenderService);
  expect(sender.sendDue()).toBe(sender.sendDue());
  await sender.sendDue();
  expect(counts(phones)).toEqual([1, 1, 1]);
});

test('a worker that found pushes before their service asked for a pause sends none of them', async () => {
  const [phone] = await visitors(1);
  phone?.behaviours.push({ status: 429, headers: { 'retry-after': '120' } });
  const late = senderThat('pg_try_advisory_xact_lock', async () => {
    await app.run('send-pushes');
  });
  await storeReminders();
  expect(await late.sendDue()).toBe(0);
  expect(phone?.tries).toBe(1);
  app.clock.now = new Date(EVENING.getTime() + 121_000);
  expect(await app.run('send-pushes')).toBe(1);
});

test('a worker that has reached its devices does not end the pause that another worker was asked for', async () => {
  await visitors(1);
  await storeReminders();
  let isAsked = false;
  const late = senderThat('INTO push_host', async () => {
    if (isAsked) return;
    isAsked = true;
    const [other] = await visitors(1);
    other?.behaviours.push({ status: 429, headers: { 'retry-after': '120' } });
    await storeReminders();
    expect(await app.run('send-pushes')).toBe(0);
  });
  expect(await late.sendDue()).toBe(1);
  app.clock.now = new Date(EVENING.getTime() + 60_000);
  expect(await app.run('send-pushes')).toBe(0);
  app.clock.now = new Date(EVENING.getTime() + 121_000);
  expect(await app.run('send-pushes')).toBe(1);
});

/** Stores the evening's reminders without sending them. */
async function storeReminders(): Promise<void> {
  app.clock.now = EVENING;
  await app.database.dataSource.transaction((manager) => createReminders(manager, EVENING));
}

/** A second worker that waits for `before` each time before a statement that contains `part`. */
function senderThat(part: string, before: () => Promise<void>): PushSenderService {
  const { dataSource } = app.database;
  const transaction = (work: (manager: EntityManager) => Promise<unknown>) =>
    dataSource.transaction((manager) => {
      const query = manager.query.bind(manager);
      manager.query = (async (sql: string, values?: unknown[]) => {
        if (sql.includes(part)) await before();
        return query(sql, values);
      }) as typeof manager.query;
      return work(manager);
    });
  const slow = Object.assign(Object.create(dataSource) as DataSource, { transaction });
  return senderOn(slow, app.app.get(WAIT));
}

const senderOn = (dataSource: DataSource, waitMs: (ms: number) => Promise<void>) =>
  new PushSenderService(
    dataSource,
    app.app.get(MailService),
    app.app.get(Metrics),
    app.config,
    () => app.clock.now,
    waitMs,
  );

const envOf = () => ({ NODE_ENV: 'test', ...VAPID, PUSH_ALLOWED_HOSTS: app.service.host });

test('a worker that is killed repeats at most a hundred pushes, which devices show once, and loses none', async () => {
  const phones = await visitors(DEVICES);
  // Most answers come after the kill, so that it is in the middle of the work on any machine.
  const kill = Promise.withResolvers<void>();
  for (const { behaviours } of phones.slice(300)) behaviours.push({ before: () => kill.promise });
  const folder = await mkdtemp(join(tmpdir(), 'nivida-killed-'));
  try {
    const killed = await startJob(folder);
    while (counts(phones).filter((count) => count > 0).length < 60) {
      if (killed.exitCode !== null) throw new Error(`the worker ended with ${killed.exitCode}`);
      await wait(1);
    }
    killed.kill('SIGKILL');
    await new Promise((done) => killed.once('close', done));
    kill.resolve();
    expect(counts(phones).some((count) => count === 0)).toBe(true);
    // At the same instant: no lock has to expire first.
    await app.run('closing-soon', EVENING);
    const all = counts(phones);
    expect(all.every((count) => count > 0)).toBe(true);
    expect(all.filter((count) => count > 1).length).toBeLessThanOrEqual(MAX_REPEATED);
    expect(Math.max(...all)).toBeLessThanOrEqual(2);
    // A device shows one notification of a tag, and a push service keeps one push of a topic.
    for (const { received } of phones) {
      expect(new Set(received.map(({ payload }) => payload.notification.tag)).size).toBe(1);
      expect(new Set(received.map(({ topic }) => topic)).size).toBe(1);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** `npm run job -- closing-soon --now …` in its own process, on the database of the test. */
async function startJob(folder: string): Promise<ChildProcess> {
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, app.service.certificate);
  const { host, port, user } = inject('postgres');
  const { database } = app.database.address as { database: string };
  return spawn(process.execPath, [CLI, 'job', 'closing-soon', '--now', EVENING.toISOString()], {
    env: {
      ...process.env,
      ...envOf(),
      DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      DATA_DIR: folder,
      SESSION_KEYS: TEST_SESSION_KEY,
      OTP_PEPPER: 'pepper-of-the-tests-0123456789-abcdef',
      NODE_EXTRA_CA_CERTS: certificate,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
