/** A benchmark's temporary folder with an embedded database server, and its child processes. Everything is removed afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '../../src/database/data-source.ts';
import { type EmbeddedPostgresConnection, openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { deriveVapidKeys } from '../../src/push/sending/vapid-keys.ts';

// A child ends when its channel to this process closes, even after kill -9. The channel alone does not hold the child open.
const EXIT_WITH_PARENT = 'data:text/javascript,process.once("disconnect",()=>process.exit(1));process.channel.unref()';

/** The push keys of a benchmark's servers. */
export const BENCH_VAPID = deriveVapidKeys('the key of the benchmark');

/** The settings of a built server or worker on a benchmark's database. Production mode would not push to this machine. */
export function productSettings({ address }: Pick<BenchDatabase, 'address'>): NodeJS.ProcessEnv {
  const { host, port, user, database } = address;
  return {
    NODE_ENV: 'test',
    DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    SESSION_KEYS: randomBytes(32).toString('hex'),
    OTP_PEPPER: randomBytes(32).toString('hex'),
    VAPID_PUBLIC_KEY: BENCH_VAPID.publicKey,
    VAPID_PRIVATE_KEY: BENCH_VAPID.privateKey,
    PUBLIC_ORIGIN: 'http://localhost:3000',
  };
}

/** An empty, migrated database; `drop` closes and removes it. */
export interface BenchDatabase {
  address: EmbeddedPostgresConnection;
  dataSource: DataSource;
  drop(): Promise<void>;
}

/** The resources of a benchmark. */
export interface Workspace {
  folder: string;
  createDatabase(name: string): Promise<BenchDatabase>;
  /**
   * Starts a built file with Node in production mode. Its stdout is piped, its stderr goes to ours. `before` is a command
   * that runs the command in its arguments.
   */
  start(file: string, args: string[], env?: NodeJS.ProcessEnv, before?: string[]): ChildProcess;
  /** Stops the database server by a signal and restarts it; returns the downtime in milliseconds. */
  restartDatabase(signal: NodeJS.Signals): Promise<number>;
}

/** Runs `work` in a new workspace and removes it afterwards, also after a failure or an interrupt. */
export async function inWorkspace(work: (workspace: Workspace) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-bench-'));
  const children = new Set<ChildProcess>();
  let starting = openEmbeddedPostgres(folder);
  let cleaning: Promise<void> | undefined;
  const cleanUp = () => {
    cleaning ??= removeAll(folder, children, starting);
    return cleaning;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => cleanUp().finally(() => process.exit(130)));
  try {
    const { connection } = await starting;
    await work({
      folder,
      createDatabase: (name) => createDatabase(connection, name),
      async restartDatabase(signal) {
        const started = performance.now();
        await endServer(folder, signal);
        // The stopped server was not started by embedded-postgres this time.
        await (await starting).stop();
        starting = openEmbeddedPostgres(folder);
        await starting;
        return performance.now() - started;
      },
      start: (file, args, env = {}, before = []) => {
        const [command = '', ...rest] = [...before, process.execPath, '--import', EXIT_WITH_PARENT, file, ...args];
        const child = spawn(command, rest, {
          env: { ...process.env, NODE_ENV: 'production', ...env },
          stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        });
        children.add(child);
        child.once('exit', () => children.delete(child));
        return child;
      },
    });
  } catch (error) {
    // After an interrupt other errors are only consequences; the signal's handler ends the process.
    if (cleaning) await new Promise(() => {});
    throw error;
  } finally {
    await cleanUp();
  }
}

async function removeAll(
  folder: string,
  children: Set<ChildProcess>,
  starting: ReturnType<typeof openEmbeddedPostgres>,
): Promise<void> {
  await Promise.all([...children].map(end));
  const server = await starting.catch(() => undefined);
  await server?.stop();
  if (server) await rm(server.connection.host, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

async function endServer(folder: string, signal: NodeJS.Signals): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), signal);
  // Its own lock file goes last; by SIGQUIT it stays, and the next one looks whether the process lives.
  while (isAlive(Number(pid))) await wait(20);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function end(child: ChildProcess): Promise<unknown> {
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  return gone;
}

async function createDatabase(connection: EmbeddedPostgresConnection, name: string): Promise<BenchDatabase> {
  await runAsAdmin(connection, `CREATE DATABASE ${name}`);
  const address = { ...connection, database: name };
  const dataSource = createDataSource(address);
  await dataSource.initialize();
  await migrate(dataSource);
  return {
    address,
    dataSource,
    async drop() {
      await dataSource.destroy();
      await runAsAdmin(connection, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function runAsAdmin(connection: EmbeddedPostgresConnection, sql: string): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
