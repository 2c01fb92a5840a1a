/**
 * A benchmark's temporary folder with an embedded database server, and its child processes. Everything is removed afterwards,
 * except the database server in the folder `BENCH_DATA`: it keeps filled databases for the next benchmarks of the day.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { type EmbeddedPostgresConnection, openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { createDataSource, migrate } from '../../src/schema/data-source.ts';
import { fillTenders } from './fill-tenders.ts';
import { log } from './metrics.ts';

// A child ends when its channel to this process closes, even after kill -9. The channel alone does not hold the child open.
const EXIT_WITH_PARENT = 'data:text/javascript,process.once("disconnect",()=>process.exit(1));process.channel.unref()';

const KEPT_FOLDER = process.env.BENCH_DATA || undefined;

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
   * A database with generated tenders, of which `open` are open, that is only read. In `BENCH_DATA` it is filled once a day,
   * because closings are relative to the day, and `drop` only closes it.
   */
  openTenders(rows: number, open?: number): Promise<BenchDatabase>;
  /** A copy of such a database, for writing. */
  copyTenders(name: string, rows: number, open?: number): Promise<BenchDatabase>;
  /**
   * Starts a built file with Node in production mode. Its stdout is piped, its stderr goes to ours. `before` is a command
   * that runs the command in its arguments.
   */
  start(file: string, args: string[], env?: NodeJS.ProcessEnv, before?: string[]): ChildProcess;
  /** Stops the database server by a signal and restarts it; returns the downtime in milliseconds. */
  restartDatabase(signal: NodeJS.Signals): Promise<number>;
}

/** The next message of a child process. Throws when it ends before. */
export function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((done, fail) => {
    const gone = (code: number | null) => fail(new Error(`${child.spawnargs.at(-1)} ended with code ${code}`));
    child.once('exit', gone);
    child.once('message', (message) => {
      child.off('exit', gone);
      done(message as Message);
    });
  });
}

/** Runs `work` in a new workspace and removes it afterwards, also after a failure or an interrupt. */
export async function inWorkspace(work: (workspace: Workspace) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-bench-'));
  const children = new Set<ChildProcess>();
  let starting = openEmbeddedPostgres(KEPT_FOLDER ?? folder);
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
      openTenders: (rows, open = rows) => openTenders(connection, rows, open),
      copyTenders: (name, rows, open = rows) => copyTenders(connection, name, rows, open),
      async restartDatabase(signal) {
        const started = performance.now();
        await endServer(KEPT_FOLDER ?? folder, signal);
        // The stopped server was not started by embedded-postgres this time.
        await (await starting).stop();
        starting = openEmbeddedPostgres(KEPT_FOLDER ?? folder);
        await starting;
        return performance.now() - started;
      },
      start: (file, args, env = {}, before = []) => {
        // Servers that were ended with the workspace are not restarted.
        if (cleaning) throw new Error('the benchmark has ended');
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
  // One that an interrupted benchmark has left in `BENCH_DATA`.
  await dropDatabase(connection, name);
  await runAsAdmin(connection, `CREATE DATABASE ${name}`);
  return openDatabase(connection, name);
}

async function openDatabase(connection: EmbeddedPostgresConnection, name: string): Promise<BenchDatabase> {
  const address = { ...connection, database: name };
  const dataSource = createDataSource(address);
  await dataSource.initialize();
  await migrate(dataSource);
  return {
    address,
    dataSource,
    async drop() {
      await dataSource.destroy();
      await dropDatabase(connection, name);
    },
  };
}

async function openTenders(connection: EmbeddedPostgresConnection, rows: number, open: number): Promise<BenchDatabase> {
  const database = await openDatabase(connection, await fillOnce(connection, rows, open));
  return KEPT_FOLDER === undefined ? database : { ...database, drop: () => database.dataSource.destroy() };
}

async function copyTenders(
  connection: EmbeddedPostgresConnection,
  name: string,
  rows: number,
  open: number,
): Promise<BenchDatabase> {
  const filled = await fillOnce(connection, rows, open);
  await dropDatabase(connection, name);
  // Files are copied without writing each page to the log.
  await runAsAdmin(connection, `CREATE DATABASE ${name} TEMPLATE ${filled} STRATEGY file_copy`);
  return openDatabase(connection, name);
}

/** The name of a database that is filled today. */
async function fillOnce(connection: EmbeddedPostgresConnection, rows: number, open: number): Promise<string> {
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const name = `tenders_${today}_${rows}_${open}`;
  const kept = await runAsAdmin(connection, "SELECT datname FROM pg_database WHERE datname LIKE 'tenders\\_%'");
  for (const { datname } of kept)
    if (!datname.startsWith(`tenders_${today}`)) await runAsAdmin(connection, `DROP DATABASE ${datname} WITH (FORCE)`);
  if (kept.some(({ datname }) => datname === name)) return name;
  log(`filling ${rows.toLocaleString('en-IN')} tenders, ${open.toLocaleString('en-IN')} open`);
  // Under another name until it is complete.
  const { dataSource } = await createDatabase(connection, 'filling');
  await fillTenders(dataSource, rows, open);
  await dataSource.destroy();
  await runAsAdmin(connection, `ALTER DATABASE filling RENAME TO ${name}`);
  return name;
}

const dropDatabase = (connection: EmbeddedPostgresConnection, name: string) =>
  runAsAdmin(connection, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

async function runAsAdmin(connection: EmbeddedPostgresConnection, sql: string): Promise<{ datname: string }[]> {
  const client = new Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    return (await client.query<{ datname: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}
