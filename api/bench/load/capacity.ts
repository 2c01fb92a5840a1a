/**
 * `capacity`: what one web process carries, and the machines that follow from it. Phones open the app within a minute, as
 * at 11:00: each asks for the delta of its state, from a cursor of the last week; a quarter is signed in; some open a list
 * or a tender. An import comes in the middle. The database is 30 ms away. The rate grows in steps until 99 of 100 reads take
 * longer than 300 ms; the last wave is a whole minute at the highest rate that held. Then `alerts` measures a worker.
 * `BEFORE=FILE` takes the same steps with the main.js of another build, in turns. `SECONDS`, `ROUNDS` and `STEPS=2000,5000`
 * (phones a minute) shorten it; `PARTS=wave` or `PARTS=workers` runs one part. About 15 minutes on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { STATES } from '@nivida/contract/regions/states';
import { freePort } from '../../../e2e/support/servers.ts';
import { buildPack } from '../../src/sync/build-pack.ts';
import { checkedStamp, formatCursor } from '../../src/sync/cursor.ts';
import { readEpochState } from '../../src/sync/epoch.ts';
import { readCheckedTimes } from '../../src/sync/scope-rows.sql.ts';
import { createSourceTender, importTenders } from '../../test/support/source-tenders.ts';
import { type DatabaseLink, serveDatabaseLink, startDatabaseLink } from '../measure/capacity/database-link.ts';
import { type CapacityFigures, machinesFor } from '../measure/capacity/machines.ts';
import { OPENING_CALLS, servePhones, type WavePlan, type WaveReport } from '../measure/capacity/opening-phones.ts';
import { cpuSeconds, cpuSecondsWithChildren, parentOf } from '../measure/capacity/processor-time.ts';
import { fillTenders, MEASURED_PLACES } from '../measure/fill-tenders.ts';
import { SELLS_NOTHING, ServerProcess, serverSettings } from '../measure/harness/server-processes.ts';
import { signInClients } from '../measure/harness/workload.ts';
import { BenchmarkMetrics, log, percentile, runParts } from '../measure/metrics.ts';
import { type BenchDatabase, inWorkspace, nextMessage, type Workspace } from '../measure/workspace.ts';

/** Phones a minute. */
const STEPS = (process.env.STEPS ?? '2000,5000,10000,20000,40000').split(',').map(Number);
/** Of the first wave after the start of a process, which has no limits. */
const COLD_RATE = 5_000;
const SECONDS = Number(process.env.SECONDS ?? 15);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** Phones a minute that a build carries at least; `before` is not judged. */
const MIN_RATE = { heads_in_memory: 5_000, before: 0 };
const MINUTE_SECONDS = 60;
const TENDERS = 20_000;
const ACCOUNTS = 1_000;
const ONE_WAY_MS = 15;
const MAX_READ_P99_MS = 300;
/** A change waits for ten statements, one after the other. */
const MAX_CHANGE_P99_MS = 1_000;
const MAX_LAG_MS = 50;
/** Former heads. Their ages are from five minutes to seven days, evenly by orders of magnitude, so each is as likely. */
const HEADS = 40;
const IMPORTED_STATES = 3;
const IMPORTED_TENDERS = 8;
const DAY_MS = 86_400_000;
const USERS = [10_000, 100_000, 1_000_000, 10_000_000];

interface Build {
  name: 'heads_in_memory' | 'before';
  web: ServerProcess;
  link: DatabaseLink;
}

interface Bench {
  database: BenchDatabase;
  phones: ReturnType<Workspace['start']>;
  postmaster: number;
  /** Everything of a wave but server, phones and seconds. */
  plan: Pick<WavePlan, 'places' | 'cursors' | 'authorizations' | 'tenderIds'>;
  imports: number;
}

/** One wave with the counters of its time. */
interface Wave extends WaveReport {
  calls: number;
  seconds: number;
  webSeconds: number;
  databaseSeconds: number;
  statements: number;
}

type WaveFigures = Omit<CapacityFigures, 'pushesPerWorker' | 'mailsPerWorker'>;
type WorkerFigures = Pick<CapacityFigures, 'pushesPerWorker' | 'mailsPerWorker'>;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('capacity');
  let hasLimits = false;
  let waves: WaveFigures | undefined;
  let workers: WorkerFigures | undefined;
  await runParts({
    wave: async () => {
      hasLimits = true;
      waves = await measureWaves(figures, workspace);
    },
    workers: async () => {
      workers = await measureWorkers(figures, workspace);
    },
  });
  if (waves && workers) reportMachines(figures, { ...waves, ...workers });
  figures.record('load_of_the_last_five_minutes', loadavg()[1] ?? 0);
  if (hasLimits) figures.finish();
}

async function measureWaves(figures: BenchmarkMetrics, workspace: Workspace): Promise<WaveFigures | undefined> {
  const bench = await prepare(workspace);
  const builds = [await startBuild(workspace, bench, 'heads_in_memory', join(import.meta.dirname, 'main.js'))];
  if (process.env.BEFORE) builds.push(await startBuild(workspace, bench, 'before', process.env.BEFORE));
  await importHeads(bench, builds);
  for (const build of builds)
    record(figures, `${build.name}.without_cached_deltas`, await runWave(bench, build, COLD_RATE, SECONDS));
  const held = new Map<Build['name'], { rate: number; wave: Wave }>();
  const running = new Set(builds);
  for (const rate of STEPS) {
    const waves = new Map<Build, Wave[]>([...running].map((build) => [build, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [build, own] of waves) own.push(await runWave(bench, build, rate, SECONDS));
    for (const [build, own] of waves) {
      const best = quietest(own);
      record(figures, `${build.name}.${rate}_a_minute`, best);
      if (holds(best)) held.set(build.name, { rate, wave: best });
      else running.delete(build);
    }
    if (running.size === 0) break;
  }
  for (const { name } of builds) {
    const step = held.get(name);
    figures.check(`${name}.phones_a_minute_of_one_web_process`, step?.rate ?? 0, 'least', MIN_RATE[name]);
    if (step) figures.record(`${name}.requests_a_second_of_one_web_process`, requestRate(step.wave));
  }
  const [current] = builds as [Build];
  const rate = held.get(current.name)?.rate;
  const minute = rate === undefined ? undefined : await runWave(bench, current, rate, MINUTE_SECONDS);
  for (const { web } of builds) await web.end();
  await bench.database.dataSource.destroy();
  if (!minute || rate === undefined) return undefined;
  record(figures, `minute.${rate}_a_minute`, minute);
  figures.check('minute.reads_p99_ms', readP99(minute), 'most', MAX_READ_P99_MS);
  figures.check('minute.failed_calls', failedCalls(minute), 'most', 0);
  return {
    requestsPerWeb: requestRate(minute),
    requestsPerPhone: minute.calls / rate,
    bytesPerPhone: minute.bytes / rate,
    statementsPerRequest: minute.statements / minute.calls,
    databaseSecondsPerStatement: minute.databaseSeconds / minute.statements,
  };
}

async function prepare(workspace: Workspace): Promise<Bench> {
  const database = await workspace.createDatabase('capacity');
  const { dataSource, address } = database;
  log(`filling ${TENDERS.toLocaleString('en-IN')} tenders, with the packs of ${MEASURED_PLACES.length} states`);
  await fillTenders(dataSource, TENDERS);
  const scopes = MEASURED_PLACES.map(({ state }) => STATES.find(({ name }) => name === state)?.slug ?? '');
  for (const scope of scopes) await buildPack(scope, -1, { dataSource, now: new Date() });
  const clients = await signInClients(dataSource, address, ACCOUNTS);
  const ids: { id: number }[] = await dataSource.query('SELECT id FROM tender ORDER BY id LIMIT $1', [TENDERS]);
  const [{ pid }] = await dataSource.query('SELECT pg_backend_pid() AS pid');
  const phones = workspace.start(import.meta.filename, ['phones']);
  phones.stdout?.resume();
  await nextMessage(phones);
  const bench: Bench = {
    ...{ database, phones, postmaster: await parentOf(pid), imports: 0 },
    plan: {
      places: MEASURED_PLACES,
      cursors: Object.fromEntries(scopes.map((scope) => [scope, []])),
      authorizations: clients.map(({ headers }) => headers.authorization),
      tenderIds: ids.map(({ id }) => id),
    },
  };
  return bench;
}

/** Imports that the web processes have seen, as in a week of service. */
async function importHeads(bench: Bench, builds: Build[]): Promise<void> {
  log(`importing ${HEADS} times`);
  const [scope = ''] = Object.keys(bench.plan.cursors);
  for (let head = 0; head < HEADS; head++) {
    await importOnce(bench);
    await storeHeads(bench);
    // A cursor that is newer than the known head makes the process read the head.
    const path = `/api/sync/${scope}/delta?cursor=${bench.plan.cursors[scope]?.at(-1)}`;
    for (const { web } of builds) assert.equal((await web.request(path)).status, 204);
  }
}

/** Imports tenders of three states; the next import has the next ones. */
async function importOnce(bench: Bench): Promise<void> {
  const now = new Date();
  const times = { publishedAt: new Date(now.getTime() - DAY_MS), closesAt: new Date(now.getTime() + 9 * DAY_MS) };
  const nth = bench.imports++;
  const tenders = Array.from({ length: IMPORTED_STATES * IMPORTED_TENDERS }, (_, n) => {
    const { state } = MEASURED_PLACES[(nth * IMPORTED_STATES + (n % IMPORTED_STATES)) % MEASURED_PLACES.length] ?? {};
    return createSourceTender({ ...times, state: state ?? '', sourceId: `WAVE_${nth}_${n}` });
  });
  await importTenders(bench.database.dataSource, tenders, { now });
}

/** The cursors of phones that sync now take the place of the oldest. */
async function storeHeads({ database: { dataSource }, plan }: Bench): Promise<void> {
  const query = (text: string, values?: unknown[]) => dataSource.query(text, values);
  const { epoch, head } = await readEpochState(query);
  for (const [scope, cursors] of Object.entries(plan.cursors)) {
    const state = STATES.find(({ slug }) => slug === scope)?.name ?? null;
    const stamp = checkedStamp(await readCheckedTimes(query, state, new Date()));
    cursors.push(formatCursor({ epoch, changeNo: head, stamp }));
    if (cursors.length > HEADS) cursors.shift();
  }
}

async function startBuild(
  workspace: Workspace,
  { database }: Bench,
  name: Build['name'],
  main: string,
): Promise<Build> {
  const { host, port, user, database: databaseName } = database.address;
  const link = await startDatabaseLink(workspace, import.meta.filename, `${host}/.s.PGSQL.${port}`, ONE_WAY_MS);
  const webPort = await freePort();
  const settings = {
    ...serverSettings(database, { TRUST_PROXY: '1', ...SELLS_NOTHING }),
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${link.port}/${databaseName}`,
    ...{ DATA_DIR: workspace.folder, ROLE: 'web', PORT: String(webPort) },
  };
  const web = await ServerProcess.supervise('web', webPort, () => workspace.start(main, [], settings));
  return { name, web, link };
}

/** A wave with an import in its middle. `rate` is in phones a minute. */
async function runWave(bench: Bench, { name, web, link }: Build, rate: number, seconds: number): Promise<Wave> {
  const phones = Math.round((rate * seconds) / MINUTE_SECONDS);
  const counters = () =>
    Promise.all([cpuSeconds(web.pid), cpuSecondsWithChildren(bench.postmaster), link.statements()]);
  const [webBefore, databaseBefore, statementsBefore] = await counters();
  const started = performance.now();
  const message = nextMessage<WaveReport>(bench.phones);
  bench.phones.send({ ...bench.plan, origin: web.origin, phones, seconds } satisfies WavePlan);
  const importing = wait((seconds * 1_000) / 2).then(() => importOnce(bench));
  const [report] = await Promise.all([message, importing]);
  const elapsed = (performance.now() - started) / 1_000;
  const [webAfter, databaseAfter, statementsAfter] = await counters();
  await storeHeads(bench);
  const wave: Wave = {
    ...report,
    calls: OPENING_CALLS.reduce((sum, kind) => sum + report.times[kind].length, 0),
    seconds: elapsed,
    webSeconds: webAfter - webBefore,
    databaseSeconds: databaseAfter - databaseBefore,
    statements: statementsAfter - statementsBefore,
  };
  const lag = report.lagP99Ms > MAX_LAG_MS ? `, THE PHONES WERE LATE by ${report.lagP99Ms.toFixed(0)} ms` : '';
  log(`${name}, ${rate} a minute: p99 ${readP99(wave).toFixed(0)} ms, load ${loadavg()[0]?.toFixed(1)}${lag}`);
  for (const [error, count] of Object.entries(report.errors)) log(`${count} times ${error}`);
  return wave;
}

const failedCalls = ({ errors }: WaveReport) => Object.values(errors).reduce((sum, count) => sum + count, 0);

/** In milliseconds, of all calls but the changes. */
const readP99 = ({ times }: WaveReport) =>
  percentile(
    OPENING_CALLS.filter((kind) => kind !== 'changes').flatMap((kind) => times[kind]),
    0.99,
  );

/** Of the rounds the one that other work on the machine has changed least. */
const quietest = (waves: Wave[]): Wave => waves.reduce((best, wave) => (readP99(wave) < readP99(best) ? wave : best));

/** Lists and tenders follow the opening of the app, so the calls take some seconds longer than the arrivals. */
const requestRate = ({ calls, seconds }: Wave) => calls / seconds;

const holds = (wave: Wave) =>
  readP99(wave) <= MAX_READ_P99_MS &&
  percentile(wave.times.changes, 0.99) <= MAX_CHANGE_P99_MS &&
  failedCalls(wave) === 0;

function record(figures: BenchmarkMetrics, name: string, wave: Wave): void {
  const { calls, seconds, webSeconds, databaseSeconds, statements, unchanged, times } = wave;
  const values: Record<string, number> = {
    requests_a_second: requestRate(wave),
    requests_a_cpu_second: calls / webSeconds,
    web_cores: webSeconds / seconds,
    database_cores: databaseSeconds / seconds,
    statements_a_request: statements / calls,
    unchanged_share_of_deltas: unchanged / times.delta.length,
    reads_p99_ms: readP99(wave),
    failed_calls: failedCalls(wave),
    phones_lag_p99_ms: wave.lagP99Ms,
  };
  for (const kind of OPENING_CALLS) {
    values[`${kind}_p50_ms`] = percentile(times[kind], 0.5);
    values[`${kind}_p99_ms`] = percentile(times[kind], 0.99);
  }
  for (const [metric, value] of Object.entries(values)) figures.record(`${name}.${metric}`, value);
}

/** The rounds of `alerts` with one worker and the default window. */
async function measureWorkers(figures: BenchmarkMetrics, workspace: Workspace): Promise<WorkerFigures> {
  const alerts = workspace.start(join(import.meta.dirname, 'bench-alerts.js'), ['alerts'], { PARTS: 'speed' });
  assert.ok(alerts.stdout);
  const ended = once(alerts, 'exit');
  const values = new Map<string, number>();
  for await (const line of createInterface(alerts.stdout)) {
    const [, metric = '', value] = /^alerts\.(\S+) (\S+)/.exec(line) ?? [];
    values.set(metric, Number(value));
  }
  await ended;
  const read = (metric: string) => {
    const value = values.get(`one_worker_window_100.${metric}`) ?? Number.NaN;
    figures.record(`worker.${metric}`, value);
    return value;
  };
  return {
    pushesPerWorker: read('pushes_per_second_of_a_worker'),
    mailsPerWorker: read('mails_per_second_of_a_worker'),
  };
}

function reportMachines(figures: BenchmarkMetrics, measured: CapacityFigures): void {
  for (const [name, value] of Object.entries(measured)) figures.record(`input.${name}`, value);
  for (const users of USERS)
    for (const [name, value] of Object.entries(machinesFor(users, measured)))
      figures.record(`users_${users}.${name}`, Number(value));
}

const [kind, ...values] = process.send ? process.argv.slice(2) : [];
if (kind === 'phones') servePhones();
else if (kind === 'link') await serveDatabaseLink(values[0] ?? '', Number(values[1]));
else await inWorkspace(run);
