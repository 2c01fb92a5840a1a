/**
 * `processes`: two built web and two built worker processes on one database behave like one. Each claim of
 * docker/SCALING.md is a figure here: actions that must not happen twice are counted, and shared state is read from the
 * other process. Then a whole installation with a replica, an object store and a proxy, of which each process is killed
 * under load.
 * `PARTS=sharing` or `PARTS=killing` runs one part. About six minutes on two cores.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readDelta } from '@nivida/contract/sync/sync-wire';
import type { DataSource } from 'typeorm';
import { JOBS } from '../src/app/schedule.ts';
import { PasswordsService } from '../src/auth/passwords/passwords.service.ts';
import { UserEntity } from '../src/auth/user.entity.ts';
import { createAccountRow } from '../test/support/accounts.ts';
import { startMailServer } from '../test/support/mail-server.ts';
import { startPushService } from '../test/support/push-service.ts';
import { createSourceTender, importTenders } from '../test/support/source-tenders.ts';
import { checkKillsOfEveryProcess } from './measure/faults/every-process.ts';
import { insertPushDevices } from './measure/faults/push-devices.ts';
import { BenchmarkMetrics, log } from './measure/metrics.ts';
import { BENCH_VAPID, type BenchDatabase, inWorkspace, productSettings, type Workspace } from './measure/workspace.ts';

const DEVICES = 200;
const DRAFTS = 50;
const VISITORS = 60;
const IMPORTED_TENDERS = 300;
const CONCURRENT_REQUESTS = 20;
const MAX_WAIT_MS = 180_000;
const HOUR_MS = 3_600_000;
const PASSWORD = 'Footbridge-Over-Pabbar-7';

/** One of the web processes, or each of them in turn. */
type WebRequest = (path: string, options?: RequestInit) => Promise<Response>;

interface WebProcesses {
  database: BenchDatabase;
  first: WebRequest;
  second: WebRequest;
}

type MailServer = Awaited<ReturnType<typeof startMailServer>>;
type PushService = Awaited<ReturnType<typeof startPushService>>;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('processes');
  const mails = await startMailServer();
  const pushes = await startPushService();
  const trusted = join(workspace.folder, 'certificate.pem');
  await writeFile(trusted, pushes.certificate);
  const env = { MAIL_URL: mails.url, PUSH_ALLOWED_HOSTS: pushes.host, NODE_EXTRA_CA_CERTS: trusted };
  const parts: Record<string, () => Promise<void>> = {
    sharing: () => checkSharing(figures, workspace, env, { mails, pushes }),
    killing: () => checkKillsOfEveryProcess(figures, workspace, env, mails.received),
  };
  const names = process.env.PARTS?.split(',') ?? Object.keys(parts);
  for (const [name, part] of Object.entries(parts)) if (names.includes(name)) await part();
  figures.finish('worst');
  await pushes.close();
  await mails.close();
}

async function checkSharing(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  addresses: NodeJS.ProcessEnv,
  { mails, pushes }: { mails: MailServer; pushes: PushService },
): Promise<void> {
  const database = await workspace.createDatabase('shared');
  const env = serverSettings(database, addresses);
  const { dataSource } = database;

  log('storing due rows before the processes start');
  const published = await storeDue(dataSource);
  const browsers = Array.from({ length: DEVICES }, () => pushes.subscribe(BENCH_VAPID.publicKey));
  await subscribe(
    dataSource,
    browsers.map(({ subscription }) => subscription),
    pushes.host,
  );

  log('starting two web and two worker processes');
  const started = performance.now();
  const [one, two, ...workers] = await Promise.all([
    startWeb(workspace, env),
    startWeb(workspace, env),
    startProcess(workspace, { ...env, ROLE: 'worker' }),
    startProcess(workspace, { ...env, ROLE: 'worker' }),
  ]);
  figures.record('seconds_until_all_are_ready', (performance.now() - started) / 1_000);
  const [first, second] = [one.request, two.request];
  const processes = { database, first, second };

  await checkSessions(figures, processes);
  await checkLimits(figures, processes);
  await checkImport(figures, processes);

  log(`sending ${VISITORS} messages, and waiting for mails, pushes and the minute's jobs`);
  const sent = await Promise.all(Array.from({ length: VISITORS }, (_, n) => sendMessage(n % 2 ? first : second, n)));
  assert.deepEqual(new Set(sent), new Set([200]));
  await waitUntil(async () => {
    const isPublished = (await published()) >= DRAFTS;
    const isSent = browsers.every(({ received }) => received.length > 0);
    return (
      isPublished &&
      isSent &&
      mailSubjects(mails.received).size >= VISITORS &&
      (await jobRunsPerMinute(dataSource)).length > 0
    );
  });
  // A second delivery would happen at the next run.
  await wait(15_000);
  const subjects = mails.received.filter(({ subject }) => subject?.includes('Message number'));
  figures.check('mails_sent_never_or_twice', Math.abs(subjects.length - VISITORS), 'most', 0);
  const repeated = browsers.filter(({ received }) => received.length !== 1).length;
  figures.check('devices_notified_never_or_twice', repeated, 'most', 0);
  figures.check('drafts_published_twice', (await published()) - DRAFTS, 'most', 0);
  const minutes = await jobRunsPerMinute(dataSource);
  figures.record(
    'recurring_jobs_run',
    minutes.reduce((sum, { runs }) => sum + runs, 0),
  );
  figures.check('recurring_jobs_run_twice_in_their_minute', minutes.filter(({ runs }) => runs > 1).length, 'most', 0);

  for (const child of [one.child, two.child, ...workers]) await end(child);
  await dataSource.destroy();
}

/** The settings of all processes; they share only the database and the folder. */
function serverSettings(database: BenchDatabase, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...productSettings(database),
    MAIL_FROM: 'no-reply@nivida.example',
    SUPPORT_EMAIL: 'support@nivida.example',
    // This benchmark buys nothing, so it needs no sandbox process.
    PAYMENT_PROVIDER: 'phonepe',
    PHONEPE_CLIENT_ID: 'none',
    PHONEPE_CLIENT_SECRET: 'none',
    PHONEPE_WEBHOOK_SECRET: 'user:password',
    ...more,
  };
}

let nextPort = 0;

async function startWeb(
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; request: WebRequest }> {
  nextPort ||= 20_000 + Math.floor(Math.random() * 20_000);
  const port = nextPort++;
  const child = await startProcess(workspace, { ...env, ROLE: 'web', PORT: String(port) });
  return { child, request: (path, options) => fetch(`http://127.0.0.1:${port}${path}`, options) };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function startProcess(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = workspace.start(join(import.meta.dirname, 'main.js'), [], { DATA_DIR: workspace.folder, ...env });
  await new Promise<void>((done, fail) => {
    child.stdout?.on('data', (text) => String(text).includes('ready') && done());
    child.once('exit', (code) => fail(new Error(`the ${env.ROLE} ended with code ${code}`)));
  });
  return child;
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function checkSessions(figures: BenchmarkMetrics, { database, first, second }: WebProcesses): Promise<void> {
  const user = createAccountRow({ passwordHash: await new PasswordsService().hash(PASSWORD) });
  await database.dataSource.getRepository(UserEntity).save(user);
  const signIn = async (ask: WebRequest) => {
    const answer = await ask('/api/auth/login', post({ mobileNo: user.mobileNo.slice(3), password: PASSWORD }));
    assert.equal(answer.status, 200, await answer.clone().text());
    return { authorization: `Bearer ${(await answer.json()).token}` };
  };
  const statuses = async (headers: Record<string, string>) =>
    Promise.all([first, second].map(async (ask) => (await ask('/api/tenders/bookmarked', { headers })).status));
  const headers = await signIn(first);
  const valid = await statuses(headers);
  assert.equal((await second('/api/auth/logout', post({}, headers))).status, 200);
  const revoked = await statuses(headers);
  figures.check(
    'processes_that_know_a_session_of_the_other',
    valid.filter((status) => status === 200).length,
    'least',
    2,
  );
  figures.check(
    'processes_that_refuse_it_once_signed_out',
    revoked.filter((status) => status === 401).length,
    'least',
    2,
  );
}

/** A limit of five holds for both processes together. */
async function checkLimits(figures: BenchmarkMetrics, { first, second }: WebProcesses): Promise<void> {
  const askAll = (one: (ask: WebRequest) => Promise<number>) =>
    Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, (_, n) => one(n % 2 ? first : second)));
  const guesses = await askAll(async (ask) => {
    return (await ask('/api/auth/login', post({ mobileNo: '9123456780', password: 'Not-The-Password-1' }))).status;
  });
  const messages = await askAll((ask) => sendMessage(ask, 0, 'one@builders.example'));
  const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;
  assert.equal(count(guesses, 401) + count(guesses, 429), CONCURRENT_REQUESTS);
  assert.equal(count(messages, 200) + count(messages, 429), CONCURRENT_REQUESTS);
  figures.check('passwords_checked_of_20_guesses', count(guesses, 401), 'most', 5);
  figures.check('messages_accepted_of_20_from_one_address', count(messages, 200), 'most', 5);
}

async function sendMessage(ask: WebRequest, n: number, email = `visitor${n}@builders.example`): Promise<number> {
  const subject = email.startsWith('visitor') ? `Message number ${n}` : 'One of many';
  const message = 'When does the next list come?';
  return (await ask('/api/contact', post({ name: 'Visitor', email, subject, message, agreeToTerms: true }))).status;
}

const mailSubjects = (mails: { subject?: string }[]) =>
  new Set(mails.map(({ subject }) => subject).filter((subject) => subject?.includes('Message number')));

/** This process imports; both web processes return the same changes for a cursor of one of them. */
async function checkImport(figures: BenchmarkMetrics, { database, first, second }: WebProcesses): Promise<void> {
  // A worker builds the pack after the first request for it.
  await waitUntil(async () => (await first('/api/sync/kerala')).status === 200);
  const { cursor } = await (await first('/api/sync/kerala')).json();
  const now = new Date();
  const times = { publishedAt: new Date(now.getTime() - HOUR_MS), closesAt: new Date(now.getTime() + 240 * HOUR_MS) };
  const notices = Array.from({ length: IMPORTED_TENDERS }, (_, n) =>
    createSourceTender({ state: 'Kerala', sourceId: `2026_PWD_3_${n}`, ...times }),
  );
  await importTenders(database.dataSource, notices, { now });
  const imported = performance.now();
  const seconds = await Promise.all(
    [first, second].map(async (ask) => {
      // Each process caches a scope for one second.
      await waitUntil(async () => (await tendersInDelta(ask, cursor)) === IMPORTED_TENDERS);
      return (performance.now() - imported) / 1_000;
    }),
  );
  figures.check('seconds_until_both_deltas_hold_an_import', Math.max(...seconds), 'most', 3);
}

async function tendersInDelta(ask: WebRequest, cursor: string): Promise<number> {
  const answer = await ask(`/api/sync/kerala/delta?cursor=${cursor}`);
  if (answer.status === 204) return 0;
  assert.equal(answer.status, 200);
  // A device without any pack.
  return readDelta(await answer.json(), () => undefined).list.id.length;
}

/** A tender that closes in two and a half hours, and drafts that are due; returns the number of published drafts. */
async function storeDue(dataSource: DataSource): Promise<() => Promise<number>> {
  const now = new Date();
  const earlier = new Date(now.getTime() - HOUR_MS);
  const closing = { sourceId: '2026_PWD_1_1', publishedAt: earlier, closesAt: new Date(now.getTime() + 2.5 * HOUR_MS) };
  await importTenders(dataSource, [createSourceTender(closing)], { now: earlier });
  const drafts = Array.from({ length: DRAFTS }, (_, n) =>
    createSourceTender({
      state: 'Assam',
      sourceId: `2026_PWD_2_${n}`,
      publishedAt: new Date(now.getTime() - 1_000),
      closesAt: new Date(now.getTime() + 240 * HOUR_MS),
    }),
  );
  await importTenders(dataSource, drafts, { now: earlier });
  return async () => {
    const [{ rows }] = await dataSource.query(
      `SELECT count(*)::int AS rows FROM tender_history h JOIN tender t ON t.id = h.tender_id WHERE t.state = 'Assam'`,
    );
    return rows;
  };
}

/** Devices of visitors that follow the tender which closes soon, with no quiet hours. */
async function subscribe(
  dataSource: DataSource,
  subscriptions: { endpoint: string; keys: { p256dh: string; auth: string } }[],
  host: string,
): Promise<void> {
  await insertPushDevices(dataSource, subscriptions, { host, publicKey: BENCH_VAPID.publicKey }, { quiet: null });
  await dataSource.query(
    `INSERT INTO push_watch SELECT s.id, t.id, now() FROM push_subscription s, tender t WHERE t.source_id = '2026_PWD_1_1'`,
  );
}

/** The number of runs of each recurring job in each of its minutes. */
function jobRunsPerMinute(dataSource: DataSource): Promise<{ name: string; runs: number }[]> {
  const names = Object.keys(JOBS).filter((name) => JOBS[name]?.cron !== undefined);
  return dataSource.query(
    `SELECT name, count(*)::int AS runs FROM pgboss.job
     WHERE name = ANY($1) AND state = 'completed' GROUP BY name, date_trunc('minute', created_on)`,
    [names],
  );
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await wait(250)) if (await isSo()) return;
  throw new Error('not everything arrived in time');
}

await inWorkspace(run);
