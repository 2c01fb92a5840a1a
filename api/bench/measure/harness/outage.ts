/** Mail server and push service are down for an hour. Afterwards every message arrives once. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { MailServer } from '../../../test/support/mail-server.ts';
import type { PushService } from '../../../test/support/push-service.ts';
import { type BenchmarkMetrics, log, waitUntil } from '../metrics.ts';
import { advanceDatabaseTime } from './process-kills.ts';
import { subscribeToClosingTender } from './push-devices.ts';
import { post, type ServerProcesses } from './server-processes.ts';

const DEVICES = 60;
const MESSAGES = 60;
const STEP_MINUTES = 5;
const STEPS = 12;
/** Real time of a step. The recurring jobs run every minute and every ten seconds. */
const STEP_MS = 11_000;
const MAX_WAIT_MS = 180_000;

interface ExternalServices {
  mails: MailServer;
  pushes: PushService;
  open: () => Promise<DataSource>;
}

/** Stops both before anything is sent. The hour passes in the database, five minutes at a time. */
export async function checkOutage(
  figures: BenchmarkMetrics,
  servers: ServerProcesses,
  { mails, pushes, open }: ExternalServices,
): Promise<void> {
  log('mail server and push service go away for an hour');
  const dataSource = await open();
  await Promise.all([mails.pause(), pushes.pause()]);
  const browsers = await subscribeToClosingTender(dataSource, pushes, DEVICES);
  const subjects = Array.from({ length: MESSAGES }, () => `Outage ${randomUUID()}`);
  for (const subject of subjects) await sendMessage(servers, subject);
  await waitUntil(async () => (await count(dataSource, 'push_delivery')) === DEVICES);
  for (let step = 0; step < STEPS; step++) {
    await wait(STEP_MS);
    await advanceDatabaseTime(dataSource, STEP_MINUTES);
  }
  const tries: { most: number }[] = await dataSource.query('SELECT max(tries) AS most FROM push_delivery');
  figures.record('push_attempts_in_the_hour', tries[0]?.most ?? 0);
  figures.check('mails_sent_in_the_outage', mails.received.length, 'most', 0);

  log('both are back');
  await Promise.all([mails.resume(), pushes.resume()]);
  const arrived = () => new Set(mails.received.map(({ subject }) => subject)).size;
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await wait(STEP_MS)) {
    if (arrived() >= MESSAGES && browsers.every(({ received }) => received.length > 0)) break;
    await advanceDatabaseTime(dataSource, STEP_MINUTES);
  }
  // A second delivery would happen at the next run.
  await wait(STEP_MS);
  const counts = subjects.map((text) => mails.received.filter(({ subject }) => subject?.includes(text)).length);
  figures.check('mails_lost_in_the_outage', counts.filter((times) => times === 0).length, 'most', 0);
  figures.check('mails_duplicated_by_the_outage', counts.filter((times) => times > 1).length, 'most', 0);
  const lost = browsers.filter(({ received }) => received.length === 0).length;
  figures.check('pushes_lost_in_the_outage', lost, 'most', 0);
  figures.check(
    'pushes_doubled_by_the_outage',
    browsers.filter(({ received }) => received.length > 1).length,
    'most',
    0,
  );
  await dataSource.destroy();
}

async function sendMessage(servers: ServerProcesses, subject: string): Promise<void> {
  const email = `${subject.slice(-12)}@builders.example`;
  const body = { name: 'Visitor', email, subject, message: 'When does the next list come?', agreeToTerms: true };
  const answer = await servers.request('/api/contact', post(body));
  if (answer.status !== 200) throw new Error(`a message was answered ${answer.status}`);
}

const count = async (dataSource: DataSource, table: string): Promise<number> =>
  (await dataSource.query(`SELECT count(*)::int AS n FROM ${table}`))[0].n;
