/**
 * `processes`: two built web and two built worker processes on one database behave like one. Each claim of
 * docs/scaling.md is a figure here: actions that must not happen twice are counted, and shared state is read from the
 * other process. Then their connections to the database are counted, without and with PgBouncer. Then a whole
 * installation with a replica, an object store and a proxy, of which each process is killed under load.
 * `PARTS=sharing`, `PARTS=pooling` or `PARTS=killing` runs one part. About seven minutes on two cores.
 */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { readDelta } from '@nivida/contract/sync/sync-wire';
import type { DataSource } from 'typeorm';
import { JOBS } from '../src/app/features.ts';
import { PasswordsService } from '../src/auth/passwords/passwords.service.ts';
import { UserEntity } from '../src/auth/user.entity.ts';
import { createAccountRow } from '../test/support/accounts.ts';
import { hasPgBouncer, startPgBouncer } from '../test/support/database/pgbouncer.ts';
import { createSourceTender, importTenders } from '../test/support/source-tenders.ts';
import { checkKillsOfEveryProcess } from './measure/harness/every-process.ts';
import { type OutsideServices, startOutsideServices } from './measure/harness/outside-services.ts';
import { subscribeToClosingTender } from './measure/harness/push-devices.ts';
import {
  post,
  SELLS_NOTHING,
  ServerProcess,
  ServerProcesses,
  serverSettings,
} from './measure/harness/server-processes.ts';
import { BenchmarkMetrics, log, runParts, waitUntil } from './measure/metrics.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

const DEVICES = 200;
const DRAFTS = 50;
const VISITORS = 60;
const IMPORTED_TENDERS = 300;
const CONCURRENT_REQUESTS = 20;
const POOLED_TENDERS = 20_000;
const POOLED_CONNECTIONS = 20;
const POOLED_CLIENTS = 64;
const POOLED_SECONDS = 15;
const HOUR_MS = 3_600_000;
const PASSWORD = 'Footbridge-Over-Pabbar-7';

interface WebProcesses {
  database: BenchDatabase;
  first: ServerProcess;
  second: ServerProcess;
}

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('processes');
  const services = await startOutsideServices(workspace);
  await runParts({
    sharing: () => checkSharing(figures, workspace, services),
    pooling: () => countConnections(figures, workspace, services),
    killing: () => checkKillsOfEveryProcess(figures, workspace, services.env, services.mails.received),
  });
  figures.finish('worst');
  await services.close();
}

async function checkSharing(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  { mails, pushes, env: addresses }: OutsideServices,
): Promise<void> {
  const database = await workspace.createDatabase('shared');
  const env = serverSettings(database, { ...SELLS_NOTHING, ...addresses });
  const { dataSource } = database;

  log('storing due rows before the processes start');
  const published = await storeDrafts(dataSource);
  const browsers = await subscribeToClosingTender(dataSource, pushes, DEVICES);

  log('starting two web and two worker processes');
  const started = performance.now();
  const roles = ['web', 'web', 'worker', 'worker'] as const;
  const servers = new ServerProcesses(
    await Promise.all(roles.map((role) => ServerProcess.start(workspace, role, env))),
  );
  figures.record('seconds_until_all_are_ready', (performance.now() - started) / 1_000);
  const [first, second] = servers.webs as [ServerProcess, ServerProcess];
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

  await servers.end();
  await dataSource.destroy();
}

/** Connections to the database under load, without a pooler and with one that pools by transaction. */
async function countConnections(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  { env: addresses }: OutsideServices,
): Promise<void> {
  if (!hasPgBouncer()) return log('connections are not counted: there is no PgBouncer 1.21');
  const database = await workspace.copyTenders('pooled', POOLED_TENDERS);
  const env = serverSettings(database, { ...SELLS_NOTHING, ...addresses });
  const direct = await runSearches(workspace, database, env);
  const pooler = await startPgBouncer(database.address, POOLED_CONNECTIONS);
  const DATABASE_URL = pooler.urlOf(database.address.database);
  const pooled = await runSearches(workspace, database, {
    ...env,
    DATABASE_URL,
    DATABASE_URL_DIRECT: env.DATABASE_URL,
  });
  await pooler.close();
  figures.record('connections_of_four_processes', direct.connections);
  // Locks of sessions have connections of their own.
  figures.check('connections_of_four_processes_with_pgbouncer', pooled.connections, 'most', POOLED_CONNECTIONS + 4);
  figures.record('searches_per_second_with_pgbouncer_against_without', pooled.perSecond / direct.perSecond);
  figures.check('searches_failed_with_pgbouncer', pooled.failures, 'most', 0);
  await database.drop();
}

/** Searches at two web processes beside two workers; the most connections at one time. */
async function runSearches(
  workspace: Workspace,
  { dataSource }: BenchDatabase,
  env: NodeJS.ProcessEnv,
): Promise<{ connections: number; perSecond: number; failures: number }> {
  const count = async (): Promise<number> =>
    (await dataSource.query('SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()'))[0].n;
  const own = await count();
  const servers = await ServerProcesses.start(workspace, env);
  let connections = 0;
  let done = 0;
  let failures = 0;
  const end = performance.now() + POOLED_SECONDS * 1_000;
  const search = async (_: unknown, nth: number) => {
    for (let no = nth; performance.now() < end; no += 1) {
      const answer = await servers.request(`/api/tenders?q=${['road', 'wall', 'canal'][no % 3]}&limit=20`);
      await answer.arrayBuffer();
      if (answer.status === 200) done += 1;
      else failures += 1;
    }
  };
  const sample = async () => {
    while (performance.now() < end) {
      connections = Math.max(connections, (await count()) - own);
      await wait(100);
    }
  };
  await Promise.all([sample(), ...Array.from({ length: POOLED_CLIENTS }, search)]);
  await servers.end();
  return { connections, perSecond: done / POOLED_SECONDS, failures };
}

async function checkSessions(figures: BenchmarkMetrics, { database, first, second }: WebProcesses): Promise<void> {
  const user = createAccountRow({ passwordHash: await new PasswordsService().hash(PASSWORD) });
  await database.dataSource.getRepository(UserEntity).save(user);
  const signIn = async (web: ServerProcess) => {
    const answer = await web.request('/api/auth/login', post({ mobileNo: user.mobileNo.slice(3), password: PASSWORD }));
    assert.equal(answer.status, 200, await answer.clone().text());
    return { authorization: `Bearer ${(await answer.json()).token}` };
  };
  const statuses = async (headers: Record<string, string>) =>
    Promise.all([first, second].map(async (web) => (await web.request('/api/tenders/bookmarked', { headers })).status));
  const headers = await signIn(first);
  const valid = await statuses(headers);
  assert.equal((await second.request('/api/auth/logout', post({}, headers))).status, 200);
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
  const askAll = (one: (web: ServerProcess) => Promise<number>) =>
    Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, (_, n) => one(n % 2 ? first : second)));
  const guesses = await askAll(async (web) => {
    return (await web.request('/api/auth/login', post({ mobileNo: '9123456780', password: 'Not-The-Password-1' })))
      .status;
  });
  const messages = await askAll((web) => sendMessage(web, 0, 'one@builders.example'));
  const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;
  assert.equal(count(guesses, 401) + count(guesses, 429), CONCURRENT_REQUESTS);
  assert.equal(count(messages, 200) + count(messages, 429), CONCURRENT_REQUESTS);
  figures.check('passwords_checked_of_20_guesses', count(guesses, 401), 'most', 5);
  figures.check('messages_accepted_of_20_from_one_address', count(messages, 200), 'most', 5);
}

async function sendMessage(web: ServerProcess, n: number, email = `visitor${n}@builders.example`): Promise<number> {
  const subject = email.startsWith('visitor') ? `Message number ${n}` : 'One of many';
  const message = 'When does the next list come?';
  return (await web.request('/api/contact', post({ name: 'Visitor', email, subject, message, agreeToTerms: true })))
    .status;
}

const mailSubjects = (mails: { subject?: string }[]) =>
  new Set(mails.map(({ subject }) => subject).filter((subject) => subject?.includes('Message number')));

/** This process imports; both web processes return the same changes for a cursor of one of them. */
async function checkImport(figures: BenchmarkMetrics, { database, first, second }: WebProcesses): Promise<void> {
  // A worker builds the pack after the first request for it.
  await waitUntil(async () => (await first.request('/api/sync/kerala')).status === 200);
  const { cursor } = await (await first.request('/api/sync/kerala')).json();
  const now = new Date();
  const times = { publishedAt: new Date(now.getTime() - HOUR_MS), closesAt: new Date(now.getTime() + 240 * HOUR_MS) };
  const notices = Array.from({ length: IMPORTED_TENDERS }, (_, n) =>
    createSourceTender({ state: 'Kerala', sourceId: `2026_PWD_3_${n}`, ...times }),
  );
  await importTenders(database.dataSource, notices, { now });
  const imported = performance.now();
  const seconds = await Promise.all(
    [first, second].map(async (web) => {
      // Each process caches a scope for one second.
      await waitUntil(async () => (await tendersInDelta(web, cursor)) === IMPORTED_TENDERS);
      return (performance.now() - imported) / 1_000;
    }),
  );
  figures.check('seconds_until_both_deltas_hold_an_import', Math.max(...seconds), 'most', 3);
}

async function tendersInDelta(web: ServerProcess, cursor: string): Promise<number> {
  const answer = await web.request(`/api/sync/kerala/delta?cursor=${cursor}`);
  if (answer.status === 204) return 0;
  assert.equal(answer.status, 200);
  // A device without any pack.
  return readDelta(await answer.json(), () => undefined).list.id.length;
}

/** Drafts that are due; returns the number of published drafts. */
async function storeDrafts(dataSource: DataSource): Promise<() => Promise<number>> {
  const now = new Date();
  const earlier = new Date(now.getTime() - HOUR_MS);
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

/** The number of runs of each recurring job in each of its minutes. */
function jobRunsPerMinute(dataSource: DataSource): Promise<{ name: string; runs: number }[]> {
  const names = JOBS.filter(({ cron }) => cron !== undefined).map(({ name }) => name);
  return dataSource.query(
    `SELECT name, count(*)::int AS runs FROM pgboss.job
     WHERE name = ANY($1) AND state = 'completed' GROUP BY name, date_trunc('minute', created_on)`,
    [names],
  );
}

await inWorkspace(run);
