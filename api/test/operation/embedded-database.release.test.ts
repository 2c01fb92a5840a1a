/**
 * Servers and commands on an embedded database that is killed, moved or of a newer version.
 * @module-tag release
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { gepnicFile } from '../support/gepnic-files.ts';
import { findFreePort, type RunningProgram, startProgram } from '../support/programs.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-embedded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const start = (program: string, args: string[], env: NodeJS.ProcessEnv = {}): RunningProgram =>
  startProgram(program, args, { DATA_DIR: join(folder, 'data'), DEMO: 'off', ...env });

test('two servers and a command share one data folder, also after the server that started it is killed', async () => {
  const [one, two] = await Promise.all([findFreePort(), findFreePort()]);
  const first = start('main.js', [], { PORT: one });
  const second = start('main.js', [], { PORT: two });
  try {
    await Promise.all([
      first.waitForOutput(`Nivida is ready at http://localhost:${one}`),
      second.waitForOutput(`Nivida is ready at http://localhost:${two}`),
    ]);
    const path = join(folder, 'shared.csv');
    const row = {
      'Tender ID': '2026_PWD_1_1',
      Title: 'Repair of path',
      'Organisation Chain': 'PWD',
      'Publish Date': '02-Nov-2026 09:00 AM',
      'Bid Submission End Date': closingIn30Days(),
    };
    await writeFile(path, gepnicFile([row]));
    const args = ['import', path, '--portal', 'hptenders', '--state', 'Himachal Pradesh'];
    expect((await start('cli.js', args).ended).code).toBe(0);

    first.child.kill('SIGKILL');
    await first.ended;
    const answer = await reach(`http://127.0.0.1:${two}/api/tenders?limit=1`);
    expect(await answer.json()).toMatchObject({ total: expect.any(Number), tenders: [expect.any(Object)] });
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  } finally {
    first.child.kill('SIGKILL');
    second.child.kill('SIGKILL');
  }
});

describe('a server with its own embedded database', () => {
  const own = () => join(folder, 'own');
  let joined: EmbeddedPostgres | undefined;
  afterAll(() => joined?.stop());
  const startOwn = (program: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const run = start(program, args, { DATA_DIR: own(), PORT: '0', PAYMENT_SANDBOX_PORT: '0', ...env });
    onTestFinished(() => void run.child.kill('SIGKILL'));
    return run;
  };
  const killDatabase = async () => {
    const [pid] = (await readFile(join(own(), 'postgres/postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
  };

  test('restarts it when it ends, returns 503 for lists in the meantime, and ends with 70 without its folder', async () => {
    const port = await findFreePort();
    const server = startOwn('main.js', [], { PORT: port });
    const list = `http://127.0.0.1:${port}/api/tenders?limit=1`;
    await server.waitForOutput('Nivida is ready');
    expect((await reach(list)).status).toBe(200);
    const { version } = await (await fetch(`http://127.0.0.1:${port}/api/health`)).json();
    expect(version).toBe('1.0.0');

    const settings = join(own(), 'postgres/postgresql.auto.conf');
    const before = await readFile(settings, 'utf8');
    await writeFile(settings, 'max_connections = many\n');
    await killDatabase();
    const away = await until(list, (answer) => answer.status !== 200);
    expect([away.status, away.headers.get('retry-after'), await away.json()]).toEqual([
      503,
      '5',
      {
        code: 'INTERNAL',
        message: 'The service is not available right now. Please try again in a few seconds.',
        requestId: expect.any(String),
      },
    ]);
    await writeFile(settings, before);
    expect((await reach(list)).status).toBe(200);
    await server.waitForOutput('The embedded database stopped and was restarted');

    await rename(join(own(), 'postgres'), join(own(), 'moved'));
    const [pid] = (await readFile(join(own(), 'moved/postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    const { code, stderr } = await server.ended;
    expect(code).toBe(70);
    expect(stderr).toContain(
      `fatal The embedded database is gone: there is no ${join(own(), 'postgres')}. This process ends\n`,
    );
    await rename(join(own(), 'moved'), join(own(), 'postgres'));
  });

  test('does not start without the secrets of its database until new ones are created', async () => {
    const path = join(own(), 'secrets.json');
    await rm(path);
    expect(await startOwn('main.js').ended).toMatchObject({
      code: 78,
      stdout: '',
      stderr: `${path} is missing, and the database was used with it. Put the file back (backup --with-secrets has a copy), or make new secrets with "npm run migrate -- --new-secrets": all sessions and push subscriptions end\n`,
    });
    expect(existsSync(path)).toBe(false);
    expect(await startOwn('cli.js', ['migrate', '--new-secrets']).ended).toMatchObject({
      code: 0,
      stderr: `${path} holds new secrets: earlier sessions and push subscriptions end\n`,
    });
    // From here on the programs join a running database: none has to start it.
    joined = await openEmbeddedPostgres(own());
    expect(await startOwn('cli.js', ['orders', 'list']).ended).toMatchObject({ code: 0, stdout: '0 orders\n' });
    expect(await startOwn('cli.js', ['migrate', '--new-secrets']).ended).toMatchObject({
      code: 1,
      stderr: `Nothing was created: secrets are set, or stored in ${path}\n`,
    });
  });
});

/** Repeats the request until 200: the other server restarts the database. */
/** The day as a portal writes it; programs have the machine's clock. */
function closingIn30Days(): string {
  const [, day, month, year] = new Date(Date.now() + 30 * 86_400_000).toUTCString().split(' ');
  return `${day}-${month}-${year} 11:00 AM`;
}

const reach = (url: string): Promise<Response> => until(url, ({ ok }) => ok);

async function until(url: string, isWanted: (answer: Response) => boolean): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer && isWanted(answer)) return answer;
    await wait(50);
  }
}
