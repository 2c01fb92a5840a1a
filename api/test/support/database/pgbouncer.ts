/** A real PgBouncer that pools by transaction, in front of the database server of the tests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { EmbeddedPostgresConnection } from '../../../src/database/embedded-postgres.ts';
import { findFreePort } from '../programs.ts';

/** Prepared statements of clients work from this version on. */
const MIN_VERSION = [1, 21] as const;
/** The settings that operators get. A built benchmark is in another folder of `api`. */
const [ROOT = ''] = import.meta.dirname.split(`${sep}api${sep}`);
const SETTINGS = join(ROOT, 'docker/pooler/pgbouncer.ini');
const PASSWORD = 'password-of-the-tests';
const START_TIMEOUT_MS = 10_000;

/** Whether `pgbouncer` is there, in a version that knows prepared statements. */
export function hasPgBouncer(): boolean {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) >= MIN_VERSION[1]);
}

export interface PgBouncer {
  /** The address of a database of the server, for DATABASE_URL. */
  urlOf(database: string): string;
  /** `kill -9`; `start` starts it again on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts PgBouncer with at most `poolSize` connections to each database. */
export async function startPgBouncer(
  { host, port, user }: EmbeddedPostgresConnection,
  poolSize: number,
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-pooler-'));
  const listenPort = await findFreePort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${user}" "${PASSWORD}"\n`);
  const shipped = await readFile(SETTINGS, 'utf8');
  const replacements = {
    'nivida = host=database port=5432': `* = host=${host} port=${port}`,
    'listen_addr = *': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${listenPort}`,
    'auth_file = /tmp/users.txt': `auth_file = ${users}`,
    'default_pool_size = 40': `default_pool_size = ${poolSize}`,
  };
  await writeFile(
    settings,
    Object.entries(replacements).reduce((text, [from, to]) => text.replace(from, to), shipped),
  );
  let child: ChildProcess | undefined;
  // PgBouncer refuses to run as root.
  const command = ['pgbouncer', '-q', settings];
  const [program = '', ...args] =
    process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1', '--map-group=1', ...command] : command;
  async function start(): Promise<void> {
    const started = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    started.stderr?.on('data', (text) => {
      errors += text;
    });
    child = started;
    for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await wait(20)) {
      if (started.exitCode !== null) break;
      if (await answers(Number(listenPort))) return;
    }
    throw new Error(`PgBouncer did not start: ${errors}`);
  }
  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await start();
  return {
    urlOf: (database) => `postgresql://${user}:${PASSWORD}@127.0.0.1:${listenPort}/${database}`,
    kill,
    start,
    async close() {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
