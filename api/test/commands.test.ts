/** The built commands as an operator runs them, on an embedded database of their own. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivePair } from '../src/push/vapid-keys.ts';
import { freePort, type Run, startProgram } from './programs.ts';

let folder: string;
let dataDir: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-commands-'));
  dataDir = join(folder, 'data');
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const start = (program: string, args: string[], env: NodeJS.ProcessEnv = {}): Run =>
  startProgram(program, args, { DATA_DIR: dataDir, DEMO: 'off', ...env });

const cli = (...args: string[]) => start('cli.js', args).ended;

const HEADER = 'Tender ID,Title,Organisation Chain,Publish Date,Bid Submission End Date';

async function writeTenders(name: string, count: number): Promise<string> {
  const path = join(folder, name);
  const rows = Array.from(
    { length: count },
    (_, n) => `2026_PWD_${n + 1}_1,Repair of path ${n + 1},PWD,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM`,
  );
  await writeFile(path, `${[HEADER, ...rows].join('\n')}\n`);
  return path;
}

const PLACE = ['--portal', 'hptenders', '--state', 'Himachal Pradesh'];

test('import prints its counts last, as text or as one JSON object, and 1 when every row is rejected', async () => {
  const path = await writeTenders('three.csv', 3);
  const first = await cli('import', path, ...PLACE);
  expect(first).toMatchObject({ code: 0, stdout: 'read 3, new 3, changed 0, unchanged 0, rejected 0\n' });
  const again = await cli('import', path, ...PLACE, '--json');
  expect(JSON.parse(again.stdout)).toEqual({ read: 3, new: 0, changed: 0, unchanged: 3, rejected: 0 });
  const bad = join(folder, 'bad.csv');
  await writeFile(bad, `${HEADER}\nx,y,z,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM\n`);
  expect(await cli('import', bad, ...PLACE)).toMatchObject({ code: 1, stdout: expect.stringContaining('rejected 1') });
  expect(await readFile(join(dataDir, 'rejects', 'bad.csv.csv'), 'utf8')).toContain('2,Tender ID,x,');
});

test('an unreadable file ends with 2 and one clear line', async () => {
  const result = await cli('import', join(folder, 'missing.csv'), ...PLACE);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr.trim().split('\n')).toHaveLength(1);
  expect(result.stderr).toContain('missing.csv there is no such file');
});

test('a malformed setting ends with 78 and one line that names it', async () => {
  const { code, stderr } = await start('main.js', [], { PORT: 'eighty' }).ended;
  expect(code).toBe(78);
  expect(stderr).toBe('PORT must be a whole number from 0 to 65535\n');
});

test('production without its secrets and mail server ends with 78 and one line that names them, before anything is made', async () => {
  const DATA_DIR = join(folder, 'production');
  const { code, stdout, stderr } = await start('main.js', [], { DATA_DIR, NODE_ENV: 'production' }).ended;
  expect({ code, stdout, stderr }).toEqual({
    code: 78,
    stdout: '',
    stderr:
      'MAIL_URL, MAIL_FROM, OTP_PEPPER, PAYMENT_PROVIDER, SESSION_KEYS, VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY, VAPID_SUBJECT must be set in production\n',
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});

test('production with the payment sandbox ends with 78 and one line that says so, before anything is made', async () => {
  const DATA_DIR = join(folder, 'production-sandbox');
  const { publicKey, privateKey } = derivePair('a trial');
  const env = {
    DATA_DIR,
    NODE_ENV: 'production',
    PAYMENT_PROVIDER: 'sandbox',
    MAIL_URL: 'smtp://mail.nivida.example',
    MAIL_FROM: 'Nivida <post@nivida.example>',
    OTP_PEPPER: 'pepper-of-the-tests-0123456789-abcdef',
    SESSION_KEYS: 'key-of-the-tests-0123456789-abcdef',
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: 'mailto:push@nivida.example',
  };
  const { code, stdout, stderr } = await start('main.js', [], env).ended;
  expect({ code, stdout, stderr }).toEqual({
    code: 78,
    stdout: '',
    stderr: 'PAYMENT_PROVIDER must not be sandbox in production\n',
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});

test.each<[string[], number, string, string]>([
  [['orders', 'list'], 0, '0 orders\n', ''],
  [['messages', 'list', '--json'], 0, '[]\n', ''],
  [['orders', 'show', 'x'], 1, '', 'There is no order "x"; npm run orders -- list shows the newest\n'],
  [['orders', 'recheck', 'x'], 1, '', 'There is no order "x"; npm run orders -- list shows the newest\n'],
  [['orders', 'refund', 'x'], 2, '', 'refund needs a --reason: it stays in the audit log\nUsage:\n'],
  [['orders', 'list', '--loud'], 2, '', "Unknown option '--loud'"],
])('%j ends with %i', async (args, code, stdout, stderr) => {
  const result = await cli(...args);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout });
  expect(result.stderr.startsWith(stderr), result.stderr).toBe(true);
});

/** The tenders that the embedded database holds while a program runs on it; where it listens stands in PostgreSQL's own file. */
async function countStored(): Promise<number> {
  const lock = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  const client = new Client({ host: lock[4] ?? '', port: Number(lock[3]), user: 'postgres', database: 'nivida' });
  await client.connect();
  return client
    .query<{ count: number }>('SELECT count(*)::int AS count FROM tender')
    .then(({ rows }) => rows[0]?.count ?? 0)
    .finally(() => client.end());
}

test('an import killed in the middle leaves whole batches, and a rerun completes it', async () => {
  const path = await writeTenders('many.csv', 20_000);
  const killed = start('cli.js', ['import', path, ...PLACE]);
  // until the database listens there is nothing to ask
  while ((await countStored().catch(() => 0)) < 1_000) await wait(20);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const rerun = await cli('import', path, ...PLACE, '--json');
  const counts = JSON.parse(rerun.stdout);
  expect(counts).toMatchObject({ read: 20_000, changed: 0, rejected: 0 });
  expect(counts.unchanged).toBeGreaterThanOrEqual(1_000);
  expect(counts.new).toBeGreaterThan(0);
  expect(counts.new + counts.unchanged).toBe(20_000);
}, 120_000);

test('two servers and a command share one data folder; it survives the kill of the one that started it', async () => {
  const [one, two] = await Promise.all([freePort(), freePort()]);
  const first = start('main.js', [], { PORT: one });
  const second = start('main.js', [], { PORT: two });
  try {
    await Promise.all([
      first.said(`Nivida is ready at http://localhost:${one}`),
      second.said(`Nivida is ready at http://localhost:${two}`),
    ]);
    const path = await writeTenders('shared.csv', 5);
    expect((await cli('import', path, ...PLACE)).code).toBe(0);

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
}, 60_000);

/** Asks until there is an answer of 200: the other server takes the database over within moments. */
async function reach(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return answer;
    await wait(50);
  }
}
