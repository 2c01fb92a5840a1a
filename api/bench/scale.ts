/**
 * `scale`: what must not grow with the archive or with the number of readers. Builds of packs beside requests, a changed
 * hundredth of a pack (`PARTS=packs`); the bell of a user and the removal of old notices (`PARTS=notices`). `SIZES=1000000` with
 * `BENCH_DATA=FOLDER` has the largest archive, `NOTICES=100000000` the most notices.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { STATES } from '@nivida/contract/regions/states';
import { INDIA_SCOPE, type ManifestResponse } from '@nivida/contract/sync/sync';
import { PasswordsService } from '../src/auth/passwords/passwords.service.ts';
import { UserEntity } from '../src/auth/user.entity.ts';
import { buildPack } from '../src/sync/build-pack.ts';
import { createAccountRow } from '../test/support/accounts.ts';
import { measureNotices } from './growth/notices.ts';
import { post, SELLS_NOTHING, ServerProcess, serverSettings } from './measure/harness/server-processes.ts';
import { BenchmarkMetrics, log, percentile, runParts } from './measure/metrics.ts';
import { type BenchDatabase, inWorkspace, nextMessage, type Workspace } from './measure/workspace.ts';

const FULL_SIZE = 1_000_000;
const TENDERS = Number(process.env.SIZES ?? 40_000);
/** Nearly all of the pack of all India. */
const OPEN = Math.min(TENDERS, 100_000);
const DEVICES = 50;
const FIRST_STATES = STATES.slice(0, 11).map(({ slug }) => slug);
const PASSWORD = 'Footbridge-Over-Pabbar-7';
const SIGN_IN_EVERY_MS = 100;
const MAX_SECONDS = 240;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('scale');
  await runParts({
    packs: () => measurePacks(figures, workspace),
    notices: () => measureNotices(figures, workspace),
  });
  figures.finish('worst');
}

async function measurePacks(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  if (TENDERS < FULL_SIZE)
    log(`${TENDERS} tenders; skipped: ${FULL_SIZE} (SIZES=${FULL_SIZE}). Searches of an archive are in search-api`);
  const database = await workspace.copyTenders('scale', TENDERS, OPEN);
  await measureBuilds(figures, database);
  await measureFirstRequests(figures, database, workspace);
  await database.dataSource.destroy();
}

/** A full build of all India, then one after a hundredth has changed: the newest tenders, as in most imports. */
async function measureBuilds(figures: BenchmarkMetrics, { dataSource }: BenchDatabase): Promise<void> {
  const build = async (newerThan: number) => {
    const started = performance.now();
    assert.equal(await buildPack(INDIA_SCOPE, newerThan, { dataSource, now: new Date() }), true);
    return (performance.now() - started) / 1_000;
  };
  log('building the pack of all India');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const full = await build(-1);
  delay.disable();
  figures.record('full_build_seconds', full);
  figures.record('event_loop_p99_ms_of_a_build', delay.percentile(99) / 1e6);
  figures.check('event_loop_max_ms_of_a_build', delay.max / 1e6, 'most', 500);
  await dataSource.query(
    `UPDATE tender SET price = coalesce(price, 0) + 1, change_no = nextval('tender_change_no')
     WHERE id IN (SELECT id FROM tender WHERE NOT archived ORDER BY id DESC LIMIT $1)`,
    [Math.ceil(OPEN / 100)],
  );
  const [{ cursor }] = await dataSource.query('SELECT cursor::float8 FROM sync_manifest WHERE scope = $1', [
    INDIA_SCOPE,
  ]);
  const again = await build(cursor);
  figures.record('build_seconds_after_a_hundredth_changed', again);
  // Whole segments are written: below 50,000 rows one segment is more than a tenth.
  figures.check('share_of_a_full_build', again / full, 'most', Math.max(0.1, 6_000 / OPEN));
}

/** Fifty devices open eleven states at once on a database without packs, as after a restore; sign-in goes on. */
async function measureFirstRequests(
  figures: BenchmarkMetrics,
  database: BenchDatabase,
  workspace: Workspace,
): Promise<void> {
  const { dataSource } = database;
  await dataSource.query('DELETE FROM sync_manifest');
  await dataSource.query('DELETE FROM sync_segment');
  const user = createAccountRow({ passwordHash: await new PasswordsService().hash(PASSWORD) });
  await dataSource.getRepository(UserEntity).save(user);
  // One process with web and worker, as `npm start` has it.
  const settings = serverSettings(database, { ...SELLS_NOTHING, ROLE: 'all' });
  const { origin } = await ServerProcess.start(workspace, 'web', settings);
  const signIn = async () => {
    const body = { mobileNo: user.mobileNo.slice(3), password: PASSWORD };
    return statusOf(await fetch(`${origin}/api/auth/login`, post(body)));
  };
  const list = async () => statusOf(await fetch(`${origin}/api/tenders?state=${FIRST_STATES[0]}&limit=20`));
  const times = { signIn: [] as number[], list: [] as number[] };
  const timed = async (into: number[], work: () => Promise<number>) => {
    const started = performance.now();
    assert.equal(await work(), 200);
    into.push(performance.now() - started);
  };
  log(`${DEVICES} devices ask for ${FIRST_STATES.length} states each`);
  const started = performance.now();
  let isDone = false;
  const devices = startDevices(workspace, origin).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await timed(times.signIn, signIn);
    await timed(times.list, list);
    await wait(SIGN_IN_EVERY_MS);
  }
  const { first, segment } = await devices;
  figures.record('seconds_until_all_devices_have_eleven_packs', (performance.now() - started) / 1_000);
  figures.record('sign_ins_meanwhile', times.signIn.length);
  figures.record('segment_p99_ms', percentile(segment, 0.99));
  figures.check('first_request_p99_ms', percentile(first, 0.99), 'most', 2_000);
  figures.check('sign_in_p99_ms_while_packs_are_built', percentile(times.signIn, 0.99), 'most', 1_000);
  figures.record('sign_in_max_ms_while_packs_are_built', Math.max(...times.signIn));
  figures.check('list_p99_ms_while_packs_are_built', percentile(times.list, 0.99), 'most', 1_000);
}

async function statusOf(answer: Response): Promise<number> {
  await answer.arrayBuffer();
  return answer.status;
}

/** Milliseconds of the first request of each device for each state, and of each file. */
interface DeviceTimes {
  first: number[];
  segment: number[];
}

/** Runs the devices in a process of their own: their work must not delay what is measured here. */
function startDevices(workspace: Workspace, origin: string): Promise<DeviceTimes> {
  return nextMessage(workspace.start(import.meta.filename, ['devices', origin]));
}

async function runDevices(origin: string): Promise<DeviceTimes> {
  const times: DeviceTimes = { first: [], segment: [] };
  await Promise.all(Array.from({ length: DEVICES }, () => runDevice(origin, times)));
  return times;
}

/** All states at once over six connections, as a browser has them; each is asked for until its pack is there, then loaded. */
async function runDevice(origin: string, times: DeviceTimes): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const ask = async (path: string, into?: number[]) => {
    const started = performance.now();
    const answer = await getAnswer(`${origin}${path}`, agent);
    into?.push(performance.now() - started);
    return answer;
  };
  const until = performance.now() + MAX_SECONDS * 1_000;
  const load = async (scope: string) => {
    let answer = await ask(`/api/sync/${scope}`, times.first);
    while (answer.status === 503 && performance.now() < until) {
      await wait(Number(answer.retryAfter) * 1_000);
      answer = await ask(`/api/sync/${scope}`);
    }
    assert.equal(answer.status, 200, scope);
    const { segments } = JSON.parse(answer.body.toString()) as ManifestResponse;
    for (const { list, detail } of segments)
      for (const { url } of [list, detail]) assert.equal((await ask(url, times.segment)).status, 200);
  };
  await Promise.all(FIRST_STATES.map(load));
  agent.destroy();
}

interface Answer {
  status: number | undefined;
  retryAfter: string | undefined;
  body: Buffer;
}

/** The answer as it is sent; compressed bodies stay compressed. */
function getAnswer(url: string, agent: Agent): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = { 'accept-encoding': url.includes('/segments/') ? 'br' : 'identity' };
    get(url, { agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () => {
        const { statusCode: status, headers } = answer;
        done({ status, retryAfter: headers['retry-after'], body: Buffer.concat(chunks) });
      });
    }).on('error', fail);
  });
}

const [kind, origin = ''] = process.send ? process.argv.slice(2) : [];
if (kind === 'devices') process.send?.(await runDevices(origin), () => process.exit());
else await inWorkspace(run);
