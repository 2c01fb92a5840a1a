/**
 * `alerts`: reminders that are due in one minute, sent by one and two built workers to two push services over TLS. They answer
 * after 80 ms; a twentieth of the devices after 2 s, and a hundredth is gone (410). Alert mails wait in the mail queue
 * meanwhile, and a code and the mail about a payment come in the middle. Windows of 10 and 100 pushes run in turns. Then
 * PgBouncer, the replica that a web process reads, and one of two workers are killed while all reminders are sent.
 * `--scale N`: number of devices, 20,000 without it; a round of windows ends after 30 seconds. 1000000 is the full run: its
 * rounds with the window of 100 end when all are sent. `PARTS=speed` or `PARTS=kill` runs one part. About five minutes on two
 * cores; `PARTS=kill` at a million takes half an hour.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { readConfig } from '../src/base/config.ts';
import { JobSenderService } from '../src/jobs/job-sender.service.ts';
import { MailService } from '../src/mail/mail.service.ts';
import type { Mail } from '../src/mail/mail.ts';
import { createDataSource, migrate } from '../src/schema/data-source.ts';
import { createCertificate } from '../test/support/certificate.ts';
import { hasPgBouncer, startPgBouncer } from '../test/support/database/pgbouncer.ts';
import { type MailServer, startMailServer } from '../test/support/mail-server.ts';
import { toDatabaseUrl } from '../test/support/programs.ts';
import { createSourceTender, importTenders } from '../test/support/source-tenders.ts';
import { startReplicatedPostgres } from '../test/sync/replicated-postgres.ts';
import { databaseVictim } from './measure/harness/every-process.ts';
import { insertPushDevices } from './measure/harness/push-devices.ts';
import {
  BENCH_SESSION_KEY,
  BENCH_VAPID_KEYS,
  SELLS_NOTHING,
  ServerProcess,
  serverSettings,
} from './measure/harness/server-processes.ts';
import { BenchmarkMetrics, log, runParts } from './measure/metrics.ts';
import { type BenchDatabase, inWorkspace, nextMessage, type Workspace } from './measure/workspace.ts';

const MILLION = 1_000_000;
const ROUND_SECONDS = 30;
const ANSWER_MS = 80;
const SLOW_ANSWER_MS = 2_000;
const MAIL_MS = 300;
/** Alert mails for each push. */
const MAIL_SHARE = 0.1;
const MAX_ALERT_MAILS = 5_000;
const PROBES = 4;
const POOLED_CONNECTIONS = 40;
/** A killed worker repeats at most its window. The pushes in flight are recorded when PgBouncer is back. */
const MAX_REPEATED = { pooler: 0, replica: 0, worker: 100 };
const DEVICE_KEYS = Array.from({ length: 100 }, () => createECDH('prime256v1').generateKeys('base64url'));
const DAY_MS = 86_400_000;
/** Windows and connections to the mail server. The first line is what was fixed before they were settings. */
const SETTINGS = [
  { window: 10, mailConnections: 2 },
  { window: 100, mailConnections: 10 },
] as const;
type Settings = (typeof SETTINGS)[number];

/** What the push services have received. */
interface PushReport {
  received: number;
  devices: number;
  /** Pushes to a device that already had one, without the devices that are gone. */
  repeated: number;
  /** Devices that got pushes with several topics, which they show as several notifications. */
  shownTwice: number;
  seconds: number;
}

/** Mail server and push services. `trusted` is the file of their certificate. */
interface Outside {
  mails: MailServer;
  services: ReturnType<Workspace['start']>;
  hosts: string[];
  trusted: string;
}

interface Bench extends Outside {
  workspace: Workspace;
  dataSource: DataSource;
  queueMail(mail: Mail): Promise<void>;
  env: NodeJS.ProcessEnv;
}

async function run(workspace: Workspace): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { scale: { type: 'string', default: '20000' } },
  });
  const scale = Number(values.scale);
  assert.ok(Number.isInteger(scale) && scale > 0, '--scale must be a whole number');
  const figures = new BenchmarkMetrics('alerts');
  const services = workspace.start(import.meta.filename, ['services']);
  services.stdout?.resume();
  const { hosts, certificate } = await nextMessage<{ hosts: string[]; certificate: string }>(services);
  const trusted = join(workspace.folder, 'certificate.pem');
  await writeFile(trusted, certificate);
  const outside: Outside = { services, hosts, trusted, mails: await startMailServer(MAIL_MS) };
  await runParts({
    speed: () => compareWindows(figures, workspace, outside, scale),
    kill: () => killInTheMiddle(figures, workspace, outside, scale),
  });
  figures.record('load_of_the_last_five_minutes', loadavg()[1] ?? 0);
  figures.finish('worst');
  await outside.mails.close();
}

/** Runs `work` with a database that has one tender. `more` are further settings of its processes. */
async function withBench(
  workspace: Workspace,
  outside: Outside,
  { address, dataSource }: Pick<BenchDatabase, 'address' | 'dataSource'>,
  more: NodeJS.ProcessEnv,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  const jobs = new JobSenderService(dataSource);
  await jobs.onApplicationBootstrap();
  const mail = new MailService(
    jobs,
    () => new Date(),
    readConfig({ NODE_ENV: 'test', SESSION_KEYS: BENCH_SESSION_KEY }),
  );
  await storeTender(dataSource);
  await work({
    ...{ ...outside, workspace, dataSource },
    queueMail: (letter) => dataSource.transaction((manager) => mail.queue(manager, letter)),
    env: serverSettings(
      { address },
      {
        ...SELLS_NOTHING,
        MAIL_URL: outside.mails.url,
        PUSH_ALLOWED_HOSTS: outside.hosts.join(','),
        NODE_EXTRA_CA_CERTS: outside.trusted,
        ...more,
      },
    ),
  });
  await jobs.onApplicationShutdown();
  await dataSource.destroy();
}

/** It closes in five days, so that the workers create no reminders of their own. */
async function storeTender(dataSource: DataSource): Promise<void> {
  const now = new Date();
  const times = { publishedAt: new Date(now.getTime() - DAY_MS), closesAt: new Date(now.getTime() + 5 * DAY_MS) };
  await importTenders(dataSource, [createSourceTender(times)], { now });
}

async function compareWindows(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  outside: Outside,
  scale: number,
): Promise<void> {
  const database = await workspace.createDatabase('alerts');
  await withBench(workspace, outside, database, {}, (bench) => runWindows(figures, bench, scale));
}

async function runWindows(figures: BenchmarkMetrics, bench: Bench, scale: number): Promise<void> {
  const rates = new Map<string, number>();
  for (const workers of [1, 2])
    for (const settings of SETTINGS) {
      const name = `${workers === 1 ? 'one_worker' : 'two_workers'}_window_${settings.window}`;
      const isToTheEnd = scale >= MILLION && settings.window === 100;
      const { report, delays, mailRate } = await runRound(bench, scale, workers, settings, isToTheEnd);
      const rate = report.received / report.seconds;
      rates.set(name, rate);
      log(`${name}: ${report.received} pushes in ${report.seconds.toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}`);
      figures.record(`${name}.pushes_per_second_of_a_worker`, rate / workers);
      figures.record(`${name}.mails_per_second_of_a_worker`, mailRate / workers);
      figures.record(
        isToTheEnd ? `${name}.minutes` : `${name}.minutes_for_a_million_computed`,
        isToTheEnd ? report.seconds / 60 : MILLION / rate / 60,
      );
      figures.record(`${name}.longest_seconds_to_a_code`, Math.max(...delays.codes));
      figures.record(`${name}.longest_seconds_to_a_mail_about_a_payment`, Math.max(...delays.payments));
      if (settings.window !== 100) continue;
      figures.check(`${name}.code_within_seconds`, Math.max(...delays.codes), 'most', 10);
      figures.check(`${name}.payment_within_seconds`, Math.max(...delays.payments), 'most', 10);
    }
  const ratio = (workers: string) =>
    (rates.get(`${workers}_window_100`) ?? 0) / (rates.get(`${workers}_window_10`) ?? 0);
  figures.check('one_worker_pushes_window_100_against_10', ratio('one_worker'), 'least', 2);
  figures.record('two_workers_pushes_window_100_against_10', ratio('two_workers'));
}

async function runRound(
  bench: Bench,
  scale: number,
  workers: number,
  settings: Settings,
  isToTheEnd: boolean,
): Promise<{ report: PushReport; delays: { codes: number[]; payments: number[] }; mailRate: number }> {
  await storeDueReminders(bench, scale);
  const servers = await startWorkers(bench, workers, settings);
  await untilReceived(bench, 1);
  const started = performance.now();
  const mailsBefore = bench.mails.received.length;
  const delays = { codes: [] as number[], payments: [] as number[] };
  for (let probe = 0; probe < PROBES; probe += 1) {
    await wait((ROUND_SECONDS * 1_000) / (PROBES + 1));
    const [code, payment] = await Promise.all([secondsTo(bench, codeMail), secondsTo(bench, paymentMail)]);
    delays.codes.push(code);
    delays.payments.push(payment);
  }
  if (isToTheEnd) await untilAllSent(bench);
  else await wait(Math.max(0, ROUND_SECONDS * 1_000 - (performance.now() - started)));
  const mailRate = (bench.mails.received.length - mailsBefore) / ((performance.now() - started) / 1_000);
  const report = await reportOf(bench);
  await Promise.all(servers.map((server) => server.end()));
  return { report, delays, mailRate };
}

/**
 * `kill -9` of PgBouncer, the replica and one of two workers, each in the middle. Each is started again, as by a supervisor. A
 * web process reads lists from the replica meanwhile.
 */
async function killInTheMiddle(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  outside: Outside,
  scale: number,
): Promise<void> {
  const { primary, replica } = await startReplicatedPostgres(workspace.folder);
  const pooler = hasPgBouncer() ? await startPgBouncer(primary.connection, POOLED_CONNECTIONS) : undefined;
  if (!pooler) log('PgBouncer is not killed: there is none of version 1.21');
  const more = {
    DATABASE_URL_READ: toDatabaseUrl(replica.connection),
    ...(pooler && {
      DATABASE_URL: pooler.urlOf(primary.connection.database),
      DATABASE_URL_DIRECT: toDatabaseUrl(primary.connection),
    }),
  };
  const dataSource = await createDataSource(primary.connection).initialize();
  await migrate(dataSource);
  const database = { address: primary.connection, dataSource };
  await withBench(workspace, outside, database, more, async (bench) => {
    await storeDueReminders(bench, scale);
    const web = await ServerProcess.start(workspace, 'web', bench.env);
    const reading = readLists(web);
    const workers = await startWorkers(bench, 2, SETTINGS[1]);
    const kills: Record<keyof typeof MAX_REPEATED, () => Promise<void> | undefined> = {
      pooler: async () => {
        await pooler?.kill();
        await pooler?.start();
      },
      replica: () => databaseVictim('replica', join(workspace.folder, 'replica'), replica.connection).kill(),
      worker: () => workers[0]?.kill(),
    };
    let repeated = 0;
    for (const [nth, victim] of (['pooler', 'replica', 'worker'] as const).entries()) {
      await untilReceived(bench, (scale * (nth + 1)) / 4);
      await kills[victim]();
      log(`${victim} was killed after ${(await reportOf(bench)).received} of ${scale} pushes`);
      if (victim === 'worker') await untilAllSent(bench);
      else await untilReceived(bench, (scale * (nth + 1.9)) / 4);
      const report = await reportOf(bench);
      figures.check(`killed.${victim}.pushes_repeated`, report.repeated - repeated, 'most', MAX_REPEATED[victim]);
      repeated = report.repeated;
    }
    const report = await reportOf(bench);
    const lists = await reading.end();
    await Promise.all([web, ...workers].map((server) => server.end()));
    figures.record('killed.minutes', report.seconds / 60);
    figures.check('killed.devices_without_a_push', scale - report.devices, 'most', 0);
    figures.check('killed.devices_that_show_it_twice', report.shownTwice, 'most', 0);
    figures.check('killed.lists_read', lists.read, 'least', 1);
    figures.check('killed.lists_failed', lists.failed, 'most', 0);
  });
  await pooler?.close();
  await replica.stop();
  await primary.stop();
}

/** Reads a list ten times a second until `end`. */
function readLists(web: ServerProcess): { end(): Promise<{ read: number; failed: number }> } {
  const counts = { read: 0, failed: 0 };
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const isRead = await web.request('/api/tenders?limit=20').then(
        async (answer) => (await answer.text()) !== '' && answer.status === 200,
        () => false,
      );
      counts[isRead ? 'read' : 'failed'] += 1;
      await wait(100);
    }
  })();
  return {
    async end() {
      isOver = true;
      await reading;
      return counts;
    },
  };
}

/** Subscribes the devices anew, because those that are gone were deleted, with a reminder of each; and queues alert mails. */
async function storeDueReminders({ dataSource, hosts, queueMail, services }: Bench, count: number): Promise<void> {
  log(`storing ${count.toLocaleString('en-IN')} due reminders`);
  await dataSource.query('TRUNCATE push_subscription, push_host, notice CASCADE');
  await dataSource.query("DELETE FROM pgboss.job WHERE name = 'mail'");
  services.send('reset');
  for (const [nth, host] of hosts.entries())
    for (let from = nth; from < count; from += 10_000 * hosts.length) {
      const devices = [];
      for (let no = from; no < Math.min(count, from + 10_000 * hosts.length); no += hosts.length)
        devices.push({
          endpoint: `https://${host}/wpush/${Math.floor(no / hosts.length)}-${randomBytes(60).toString('base64url')}`,
          keys: { p256dh: DEVICE_KEYS[no % DEVICE_KEYS.length] ?? '', auth: randomBytes(16).toString('base64url') },
        });
      await insertPushDevices(dataSource, devices, { host, publicKey: BENCH_VAPID_KEYS.publicKey });
    }
  await dataSource.query('INSERT INTO push_watch SELECT s.id, t.id, now() FROM push_subscription s, tender t');
  await dataSource.query(
    `WITH new_notice AS (
       INSERT INTO notice (subscription_id, recipient, tender_id, kind, version, state, created_at, event_at)
       SELECT subscription_id, subscription_id, tender_id, 'closing_tomorrow', 1, 'due', now(), now() FROM push_watch
       RETURNING id, subscription_id, event_at)
     INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, event_at)
     SELECT n.id, s.id, s.host, now(), n.event_at FROM new_notice n JOIN push_subscription s ON s.id = n.subscription_id`,
  );
  await dataSource.query('VACUUM ANALYZE notice, push_delivery, push_subscription, push_watch');
  const alertMails = Math.min(MAX_ALERT_MAILS, count * MAIL_SHARE);
  for (let reader = 0; reader < alertMails; reader += 1)
    await queueMail({
      kind: 'closing-reminder',
      language: 'en',
      to: `reader${reader}@firm.example`,
      title: 'Closes tomorrow',
      lines: [],
      link: 'https://nivida.example/notices',
      stopLink: 'https://nivida.example/stop',
    });
}

const startWorkers = ({ workspace, env }: Bench, count: number, { window, mailConnections }: Settings) =>
  Promise.all(
    Array.from({ length: count }, () =>
      ServerProcess.start(workspace, 'worker', {
        ...env,
        PUSH_WINDOW: String(window),
        MAIL_CONNECTIONS: String(mailConnections),
      }),
    ),
  );

const codeMail = (to: string): Mail => ({ kind: 'email-code', language: 'en', to, code: '402917' });
const paymentMail = (to: string): Mail => ({
  kind: 'order-paid',
  language: 'en',
  to,
  orderId: 'NV-1',
  title: 'Culvert at Theog',
  amountPaise: 29_900,
  receiptNumber: 'R-1',
  link: 'https://nivida.example/orders/NV-1',
  isTest: false,
});

/** Seconds from the queue to the mail server, which takes 300 ms of them. */
async function secondsTo({ queueMail, mails }: Bench, mailTo: (to: string) => Mail): Promise<number> {
  const to = `${randomBytes(8).toString('hex')}@firm.example`;
  const started = performance.now();
  await queueMail(mailTo(to));
  while (!mails.received.some((mail) => mail.to?.[0]?.address === to)) {
    assert.ok(performance.now() - started < 180_000, 'a mail did not come within three minutes');
    await wait(20);
  }
  return (performance.now() - started) / 1_000;
}

async function reportOf({ services }: Bench): Promise<PushReport> {
  services.send('report');
  return nextMessage<PushReport>(services);
}

async function untilReceived(bench: Bench, count: number): Promise<void> {
  while ((await reportOf(bench)).received < count) await wait(100);
}

async function untilAllSent({ dataSource }: Bench): Promise<void> {
  const isWaiting = async () =>
    (await dataSource.query(`SELECT EXISTS (SELECT FROM push_delivery WHERE state = 'waiting') AS waits`))[0].waits;
  while (await isWaiting()) await wait(500);
}

/** In a child process: two push services that do not read the pushes, only their topics. */
async function serveServices(): Promise<void> {
  const { key, cert } = createCertificate();
  const topics = new Map<string, string>();
  const shownTwice = new Set<string>();
  let received = 0;
  let repeated = 0;
  let first = 0;
  let last = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const device = Number(/^\/wpush\/(\d+)-/.exec(path)?.[1]);
    const isGone = device % 100 === 1;
    const answerMs = device % 20 === 0 ? SLOW_ANSWER_MS : ANSWER_MS;
    request.resume();
    request.on('end', () => {
      last = performance.now();
      first ||= last;
      received += 1;
      const name = `${request.headers.host}${path}`;
      const topic = String(request.headers.topic);
      const earlier = topics.get(name);
      if (earlier !== undefined && !isGone) repeated += 1;
      if (earlier !== undefined && earlier !== topic) shownTwice.add(name);
      topics.set(name, topic);
      setTimeout(() => response.writeHead(isGone ? 410 : 201).end(), answerMs);
    });
  };
  const hosts: string[] = [];
  for (let nth = 0; nth < 2; nth += 1) {
    const server = createServer({ key, cert }, answer);
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    hosts.push(`localhost:${(server.address() as AddressInfo).port}`);
  }
  process.on('message', (what) => {
    if (what === 'reset') {
      topics.clear();
      shownTwice.clear();
      received = repeated = first = 0;
      return;
    }
    process.send?.({
      ...{ received, repeated, devices: topics.size, shownTwice: shownTwice.size },
      seconds: (last - first) / 1_000,
    } satisfies PushReport);
  });
  process.send?.({ hosts, certificate: cert });
}

const [kind] = process.send ? process.argv.slice(2) : [];
if (kind === 'services') await serveServices();
else await inWorkspace(run);
