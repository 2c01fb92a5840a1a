/**
 * `push-fanout`: the pushes per second from one worker to a push service that answers after 80 ms, each read from the
 * database, worded, encrypted, sent by TLS and recorded in the database. The reference is plain web-push with a ready payload
 * and as many pushes in flight, which records each push as it is done. About a minute on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import webpush from 'web-push';
import { readConfig } from '../src/base/config.ts';
import type { Metrics } from '../src/http/monitoring/metrics.ts';
import { PushSenderService } from '../src/push/sending/push-sender.service.ts';
import { createCertificate } from '../test/support/certificate.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { insertPushDevices } from './measure/harness/push-devices.ts';
import { BENCH_VAPID_KEYS } from './measure/harness/server-processes.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import { inWorkspace, nextMessage, type Workspace } from './measure/workspace.ts';

const DEVICES = 2_000;
const ROUNDS = 5;
/** As many as the worker has in flight to one service. */
const CONCURRENT_PUSHES = 80;
const ANSWER_MS = 80;
/** The process of the benchmark answers no scrape. */
const NO_METRICS = { reminderDelays: { observe() {} } } as unknown as Metrics;
const { publicKey, privateKey } = BENCH_VAPID_KEYS;
const SUBJECT = 'mailto:bench@nivida.example';

interface PushSink {
  host: string;
  certificate: string;
}

/** Sends in a child process that trusts the certificate of the push service. */
async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('push-fanout');
  const database = await workspace.createDatabase('pushes');
  await fillTenders(database.dataSource, 10_000);
  const sink = workspace.start(import.meta.filename, ['sink']);
  sink.stdout?.resume();
  const { host, certificate } = await nextMessage<PushSink>(sink);
  await subscribe(database.dataSource, host);
  const trusted = join(workspace.folder, 'certificate.pem');
  await writeFile(trusted, certificate);
  const worker = workspace.start(import.meta.filename, ['worker', JSON.stringify(database.address), host], {
    NODE_EXTRA_CA_CERTS: trusted,
  });
  worker.stdout?.resume();
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await createDueReminder(database.dataSource);
    const ours = await measure(worker, 'ours');
    await checkRecorded(database.dataSource);
    await createDueReminder(database.dataSource);
    const theirs = await measure(worker, 'theirs');
    await checkRecorded(database.dataSource);
    // The first round warms both up.
    if (round > 0) rounds.push({ ours, theirs });
    log(`round ${round}: ${Math.round(ours)} against ${Math.round(theirs)} pushes per second`);
  }
  figures.record('this_pushes_per_second', median(rounds.map(({ ours }) => ours)));
  figures.record('web_push_pushes_per_second', median(rounds.map(({ theirs }) => theirs)));
  // Both run in each round, so that other load affects both.
  // A quiet machine is limited by the answers, 1,000 a second for both; a busy one by its processor.
  figures.check('pushes_per_second_ratio', median(rounds.map(({ ours, theirs }) => ours / theirs)), 'least', 0.9);
  figures.finish();
  await database.dataSource.destroy();
}

async function checkRecorded(dataSource: DataSource): Promise<void> {
  const [{ sent }] = await dataSource.query(`SELECT count(*)::int AS sent FROM push_delivery WHERE state = 'sent'`);
  assert.equal(sent, DEVICES);
}

async function measure(worker: ReturnType<Workspace['start']>, what: 'ours' | 'theirs'): Promise<number> {
  worker.send(what);
  return DEVICES / (await nextMessage<number>(worker));
}

async function subscribe(dataSource: DataSource, host: string): Promise<void> {
  const devices = Array.from({ length: DEVICES }, () => ({
    endpoint: `https://${host}/wpush/v2/${randomBytes(60).toString('base64url')}`,
    keys: {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  }));
  await insertPushDevices(dataSource, devices, { host, publicKey });
  await dataSource.query(
    'INSERT INTO push_watch SELECT s.id, t.id, now() FROM push_subscription s, tender t WHERE t.id <= 1',
  );
}

/** One reminder for every device. */
async function createDueReminder(dataSource: DataSource): Promise<void> {
  await dataSource.query('TRUNCATE notice, push_delivery');
  await dataSource.query(
    `WITH new_notice AS (
       INSERT INTO notice (subscription_id, recipient, tender_id, kind, version, state, created_at, event_at)
       SELECT subscription_id, subscription_id, tender_id, 'closing_tomorrow', 1, 'due', now(), now() FROM push_watch RETURNING id, subscription_id, event_at)
     INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, event_at)
     SELECT new_notice.id, s.id, s.host, now(), new_notice.event_at FROM new_notice JOIN push_subscription s ON s.id = new_notice.subscription_id`,
  );
  await dataSource.query('VACUUM ANALYZE notice, push_delivery');
}

/** In a child process: accepts every push after 80 ms without reading it. */
async function serveSink(): Promise<void> {
  const { key, cert } = createCertificate();
  const server = createServer({ key, cert }, (request, response) => {
    request.resume();
    request.on('end', () => setTimeout(() => response.writeHead(201).end(), ANSWER_MS));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ host: `localhost:${(server.address() as AddressInfo).port}`, certificate: cert } satisfies PushSink);
}

/** In a child process: sends by the app's worker or by web-push alone and reports the seconds. */
async function serveWorker(address: string, host: string): Promise<void> {
  const { createDataSource } = await import('../src/schema/data-source.ts');
  const dataSource = await createDataSource(JSON.parse(address)).initialize();
  const config = {
    ...readConfig({ NODE_ENV: 'test', PUSH_ALLOWED_HOSTS: host }),
    vapidKeys: [{ publicKey, privateKey }],
    vapidSubject: SUBJECT,
  };
  const sender = new PushSenderService(dataSource, undefined as never, NO_METRICS, config, () => new Date(), wait);
  process.on('message', async (what) => {
    const started = performance.now();
    if (what === 'ours') assert.equal(await sender.sendDue(), DEVICES);
    else await sendWithWebPush(dataSource);
    process.send?.((performance.now() - started) / 1_000);
  });
}

/**
 * Like the README of web-push: one call per push, here eighty at a time. The due pushes are read, and each is recorded
 * when it is done. The payload has the size of ours and is ready beforehand.
 */
async function sendWithWebPush(dataSource: DataSource): Promise<void> {
  const payload = JSON.stringify({ web_push: 8030, notification: { title: 'x'.repeat(40), body: 'x'.repeat(700) } });
  const due: { id: string; endpoint: string; p256dh: string; auth: string }[] = await dataSource.query(
    `SELECT d.id, s.endpoint, s.p256dh, s.auth FROM push_delivery d JOIN push_subscription s ON s.id = d.subscription_id
     WHERE d.state = 'waiting' AND d.send_at <= now()`,
  );
  const work = async () => {
    for (let next = due.pop(); next; next = due.pop()) {
      const { id, endpoint, p256dh, auth } = next;
      await webpush.sendNotification({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: { subject: SUBJECT, publicKey, privateKey },
        TTL: 3_600,
        urgency: 'normal',
        topic: 'closing-one',
      });
      await dataSource.query(`UPDATE push_delivery SET state = 'sent', sent_at = now() WHERE id = $1`, [id]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_PUSHES }, work));
}

const [kind, address, host] = process.send ? process.argv.slice(2) : [];
if (kind === 'sink') await serveSink();
else if (kind === 'worker' && address && host) await serveWorker(address, host);
else await inWorkspace(run);
