/**
 * A whole installation as local processes: two web, two worker, a database with a replica, an object store, and nginx as
 * docker/nginx.conf sets it up. Each is killed under load, and no acknowledged action is lost or done twice.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { Email } from 'postal-mime';
import type { DataSource } from 'typeorm';
import { freePort } from '../../../../e2e/support/servers.ts';
import { readStorageUrl } from '../../../src/base/storage-location.ts';
import type { EmbeddedPostgresConnection } from '../../../src/database/embedded-postgres.ts';
import { createDataSource, migrate } from '../../../src/schema/data-source.ts';
import { openFileStore } from '../../../src/storage/file-store.ts';
import { S3_ENVIRONMENT } from '../../../test/storage/s3-server.ts';
import { toDatabaseUrl } from '../../../test/support/programs.ts';
import { startReplicatedPostgres } from '../../../test/sync/replicated-postgres.ts';
import { type BenchmarkMetrics, log } from '../metrics.ts';
import type { Workspace } from '../workspace.ts';
import { checkAcknowledgedActions } from './process-kills.ts';
import { ServerProcess, ServerProcesses, serverSettings } from './server-processes.ts';
import {
  ACTION_KINDS,
  type AcknowledgedActions,
  signInClients,
  storeTendersForSale,
  type Workload,
} from './workload.ts';

const BUCKET = 'packages';
const PHONES = 80;
const TENDERS = 40;
const MAX_WAIT_MS = 60_000;
/** Maximum time after a kill until an action of every kind is acknowledged. */
const MAX_PHASE_MS = 45_000;
const POLL_MS = 100;

/** A process that may be killed; it is started again. */
interface Victim {
  role: string;
  kill(): Promise<void>;
  /** Waits until it answers again. */
  isReady(): Promise<void>;
}

/** `env` has the addresses of mail server and push service. */
export async function checkKillsOfEveryProcess(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
  mails: readonly Email[],
): Promise<void> {
  log('starting a database with a replica, an object store, two web, two worker processes and a proxy');
  const folder = join(workspace.folder, 'whole');
  await mkdir(folder);
  const { primary, replica } = await startReplicatedPostgres(folder);
  const open = () => createDataSource(primary.connection).initialize();
  const dataSource = await open();
  await migrate(dataSource);
  const tenderIds = await storeTendersForSale(dataSource, TENDERS);
  const clients = await signInClients(dataSource, primary.connection, PHONES);
  await dataSource.destroy();
  const store = await startObjectStore(folder);
  const sandboxPort = await freePort();
  const filesUrl = `s3://${BUCKET}?endpoint=http://127.0.0.1:${store.port}`;
  const settings = serverSettings(
    { address: primary.connection },
    {
      ...env,
      ...S3_ENVIRONMENT,
      DATA_DIR: folder,
      DATABASE_URL_READ: toDatabaseUrl(replica.connection),
      FILES_URL: filesUrl,
      PAYMENT_SANDBOX_PORT: String(sandboxPort),
      TRUST_PROXY: '1',
    },
  );
  const servers = await ServerProcesses.start(workspace, settings);
  const proxy = await startProxy(
    folder,
    servers.webs.map(({ port }) => port),
  );
  const workload: Workload = {
    // Requests go through the proxy where there is one.
    servers: proxy ? new ServerProcesses(servers.members, [proxy]) : servers,
    sandboxPort,
    clients,
    tenderIds,
    mails,
  };
  const victims: Victim[] = [
    ...servers.members,
    store,
    ...(proxy ? [proxy] : []),
    databaseVictim('primary', join(folder, 'primary'), primary.connection),
    databaseVictim('replica', join(folder, 'replica'), replica.connection),
  ];
  try {
    const whileAway: Record<string, number> = {};
    await checkAcknowledgedActions(figures, workload, open, async (acknowledged) => {
      // In turn, so that each is killed while every other runs; the second time in the other direction.
      for (const victim of [...victims, ...victims.toReversed()]) {
        const before = acknowledged.actions.length;
        acknowledged.phase = victim.role;
        await victim.kill();
        await victim.isReady();
        whileAway[victim.role] = (whileAway[victim.role] ?? 0) + acknowledged.actions.length - before;
        log(`${victim.role} was killed and is back`);
        await untilEveryKind(acknowledged, before);
      }
    });
    for (const [role, count] of Object.entries(whileAway))
      figures.record(`${role}_killed.acknowledged_until_it_was_back`, count);
    figures.check('kinds_of_processes_killed', new Set(victims.map(({ role }) => role)).size, 'least', proxy ? 6 : 5);
    await checkPackages(figures, open, filesUrl, folder);
    figures.check('web_processes_that_read_the_replica_again', await countReplicaReaders(servers), 'least', 2);
  } finally {
    await Promise.all([servers.end(), store.end(), proxy?.end()]);
    await replica.stop();
    await primary.stop();
  }
}

async function startObjectStore(folder: string): Promise<ServerProcess> {
  const directory = join(folder, 'bucket');
  await mkdir(directory);
  const port = await freePort();
  // Started from its source: it is no part of what a benchmark's build bundles.
  const program = join(import.meta.dirname, '../bench/measure/harness/s3-process.ts');
  return ServerProcess.supervise('object_store', port, () =>
    spawnWithParent(process.execPath, [program, directory, String(port), BUCKET]),
  );
}

/** nginx with docker/nginx.conf, without its certificates; undefined where there is no nginx. */
async function startProxy(folder: string, ports: number[]): Promise<ServerProcess | undefined> {
  if (spawnSync('nginx', ['-v']).error) {
    log('There is no nginx in the PATH: requests go to the web processes themselves');
    return undefined;
  }
  const [first, second] = ports;
  const port = await freePort();
  const text = await readFile(join(import.meta.dirname, '../../docker/nginx.conf'), 'utf8');
  const site = text
    .replaceAll('tenders.example.org', 'localhost')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replaceAll(/^\t(?:listen \[::\]|ssl_|error_log).*\n/gm, '')
    .replace('127.0.0.1:3000', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${second}`);
  const config = join(folder, 'nginx.conf');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx;`,
  );
  await writeFile(
    config,
    // One process, so that a kill ends all of it.
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {}
     http { access_log off; ${folders.join(' ')}\n${site} }`,
  );
  return ServerProcess.supervise('proxy', port, () =>
    spawnWithParent('sh', ['-c', 'echo ready; exec nginx -c "$0"', config]),
  );
}

/** A process that the kernel ends together with this one. */
function spawnWithParent(command: string, args: string[]): ChildProcess {
  return spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Waits until an action of every kind is acknowledged after the first `before` ones. */
async function untilEveryKind(acknowledged: AcknowledgedActions, before: number): Promise<void> {
  for (const deadline = Date.now() + MAX_PHASE_MS; Date.now() < deadline; await wait(POLL_MS))
    if (new Set(acknowledged.actions.slice(before).map(({ kind }) => kind)).size === ACTION_KINDS.length) return;
}

/** The first process of a database server. It is started again by this process, which opened it. */
export function databaseVictim(role: string, folder: string, connection: EmbeddedPostgresConnection): Victim {
  return {
    role,
    async kill() {
      const [pid] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      while (await answers(connection)) await wait(POLL_MS);
    },
    async isReady() {
      while (!(await answers(connection))) await wait(POLL_MS);
    },
  };
}

async function answers(connection: EmbeddedPostgresConnection): Promise<boolean> {
  const client = new Client(connection);
  // The server may end while it is asked.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Every package is in the object store. */
async function checkPackages(
  figures: BenchmarkMetrics,
  open: () => Promise<DataSource>,
  filesUrl: string,
  dataDir: string,
): Promise<void> {
  const dataSource = await open();
  const rows: { key: string }[] = await dataSource.query('SELECT file_key AS key FROM document_package');
  await dataSource.destroy();
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = S3_ENVIRONMENT;
  const files = openFileStore({ files: readStorageUrl(filesUrl, { accessKeyId, secretAccessKey }), dataDir });
  const stored = await Promise.all(rows.map(({ key }) => files.has(key)));
  figures.check('packages_built', rows.length, 'least', 1);
  figures.check('packages_lost', stored.filter((isStored) => !isStored).length, 'most', 0);
}

/** The number of web processes that read the replica; waits until it has caught up. */
async function countReplicaReaders({ webs }: ServerProcesses): Promise<number> {
  for (const deadline = Date.now() + MAX_WAIT_MS; ; await wait(500)) {
    const states = await Promise.all(
      webs.map(async (web) => {
        const answer = await web.request('/api/ready').catch(() => undefined);
        return ((await answer?.json()) as { replica?: string } | undefined)?.replica;
      }),
    );
    const count = states.filter((state) => state === 'ok').length;
    if (count === webs.length || Date.now() > deadline) return count;
  }
}
