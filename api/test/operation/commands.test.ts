/** The built commands as an operator runs them, on their own embedded database. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deriveVapidKeys } from '../../src/base/vapid-keys.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { GEPNIC_COLUMNS, gepnicFile } from '../support/gepnic-files.ts';
import { findFreePort, type RunningProgram, startProgram } from '../support/programs.ts';

const pair = deriveVapidKeys('a trial');

let folder: string;
let dataDir: string;
/** Runs all the time, so that not every command has to start it. */
let database: EmbeddedPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-commands-'));
  dataDir = join(folder, 'data');
  database = await openEmbeddedPostgres(dataDir);
});
afterAll(async () => {
  await database.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const start = (program: string, args: string[], env: NodeJS.ProcessEnv = {}): RunningProgram =>
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

/** A failed start in production: the one line of its log. */
function fatalLine({ stderr, ...rest }: { code: number | null; stdout: string; stderr: string }) {
  const { level, msg } = JSON.parse(stderr);
  expect(level).toBe('fatal');
  return { ...rest, msg };
}

const PLACE = ['--portal', 'hptenders', '--state', 'Himachal Pradesh'];

test('import prints its counts last, as text or as one JSON object, and 1 when every row is rejected', async () => {
  const path = await writeTenders('three.csv', 3);
  const first = await cli('import', path, ...PLACE);
  expect(first).toMatchObject({ code: 0, stdout: 'read 3, new 3, changed 0, unchanged 0, rejected 0\n' });
  const again = await cli('import', path, ...PLACE, '--json');
  expect(JSON.parse(again.stdout)).toEqual({ read: 3, new: 0, changed: 0, unchanged: 3, rejected: 0 });
  const odd = join(folder, 'odd.csv');
  const tender = '2026_PWD_1_1,Repair of path 1,PWD,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM';
  await writeFile(odd, `${HEADER},EMD Amount in ₹\n${tender},Refer NIT\n`);
  expect(await cli('import', odd, ...PLACE)).toMatchObject({
    code: 0,
    stdout: 'warnings 1 (cells that were not used)\nread 1, new 0, changed 0, unchanged 1, rejected 0\n',
    stderr: expect.stringContaining('1 cell was not usable and stays empty: "EMD Amount in ₹" 1 (like "Refer NIT")'),
  });
  expect(JSON.parse((await cli('import', odd, ...PLACE, '--json')).stdout)).toMatchObject({ read: 1, warnings: 1 });
  const bad = join(folder, 'bad.csv');
  await writeFile(bad, `${HEADER}\n-,y,z,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM\n`);
  expect(await cli('import', bad, ...PLACE)).toMatchObject({ code: 1, stdout: expect.stringContaining('rejected 1') });
  expect(await readFile(join(dataDir, 'rejects', 'bad.csv.csv'), 'utf8')).toContain(
    '2,Tender ID,,the tender has no id',
  );
});

test('import of several files adds up their counts, and attaches official files unless it is a trial', {
  tags: 'release',
}, async () => {
  const path = await writeTenders('three.csv', 3);
  const more = await writeTenders('five.csv', 5);
  const bad = join(folder, 'one-bad.csv');
  await writeFile(bad, `${HEADER}\n-,y,z,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM\n`);
  const documents = join(folder, 'documents');
  await mkdir(join(documents, '2026_PWD_1_1'), { recursive: true });
  await writeFile(join(documents, '2026_PWD_1_1/Tendernotice_1.pdf'), '%PDF-1.4 the notice');
  const args = ['import', path, more, bad, ...PLACE, '--documents', documents];
  const trial = await cli(...args, '--dry-run');
  expect(trial).toMatchObject({ code: 0, stdout: 'read 9, new 2, changed 0, unchanged 6, rejected 1\n' });
  expect(trial.stderr).not.toContain('Tendernotice_1.pdf');
  const stored = await cli(...args);
  // Three of the five are those of the first file.
  expect(stored).toMatchObject({ code: 0, stdout: 'read 9, new 2, changed 0, unchanged 6, rejected 1\n' });
  expect(stored.stderr).toContain('ready\t2026_PWD_1_1\tTendernotice_1.pdf\tNIT\n1 files\n');
  expect(
    await queryStored("SELECT detail->>'reason' AS reason FROM audit WHERE action = 'documents.attached'"),
  ).toEqual([{ reason: `import of ${path}, ${more}, ${bad}` }]);
});

test('import stores award files without the names of winners unless AWARD_NAMES=on', { tags: 'release' }, async () => {
  const path = join(folder, 'awards.csv');
  const bids = '[{"bidder":"Asha Builders Pvt Ltd","status":"Accepted-AOC","updated":"2026-03-02","awarded":true}]';
  const row = `2026_PWD_700_1,Retaining wall,PWD,2026-01-01,2026-01-15,2026-03-02,950000,"${bids.replaceAll('"', '""')}"`;
  await writeFile(
    path,
    `tender_id,title,org_chain,publish_date,closing_date,contract_date,awarded_value,bids\n${row}\n`,
  );
  const args = ['import', path, '--format', 'awards', ...PLACE];
  const winners = () =>
    queryStored<{ winner: string | null; hash: string | null }>(
      "SELECT winner, winner_hash AS hash FROM award WHERE source_id = '2026_PWD_700_1'",
    );
  expect(await cli(...args)).toMatchObject({ code: 0, stdout: 'read 1, new 1, changed 0, unchanged 0, rejected 0\n' });
  expect(await winners()).toEqual([{ winner: null, hash: null }]);
  const named = await start('cli.js', args, { AWARD_NAMES: 'on' }).ended;
  expect(named).toMatchObject({ code: 0, stdout: 'read 1, new 0, changed 1, unchanged 0, rejected 0\n' });
  expect(await winners()).toEqual([{ winner: 'Asha Builders Pvt Ltd', hash: expect.any(String) }]);
});

test('a file that would change most tenders, or lacks a column, ends with 2 and one line, and is imported when accepted', async () => {
  // The tests below import the same numbers with other dates.
  const OTHER_PLACE = ['--portal', 'assamtenders', '--state', 'Assam'];
  const path = await writeTenders('stored.csv', 20);
  await cli('import', path, ...OTHER_PLACE);
  const moved = join(folder, 'moved.csv');
  await writeFile(moved, (await readFile(path, 'utf8')).replaceAll('02-Nov', '03-Nov').replaceAll('28-Nov', '29-Nov'));
  const heldBack = await cli('import', moved, ...OTHER_PLACE);
  expect(heldBack).toMatchObject({ code: 2, stdout: '' });
  expect(heldBack.stderr).toBe(
    `${moved} would move all dates of 20 of 20 tenders by 1 day ahead. Nothing was stored; if the file is right, import it with --accept-mass-change\n`,
  );
  expect(await cli('import', moved, ...OTHER_PLACE, '--accept-mass-change')).toMatchObject({
    code: 0,
    stdout: 'read 20, new 0, changed 20, unchanged 0, rejected 0\n',
  });
  const renamed = join(folder, 'renamed.csv');
  const columns = GEPNIC_COLUMNS.map((column) => (column === 'EMD Amount in ₹' ? 'EMD in Lakh' : column));
  const row = { 'Tender ID': '2026_PWD_9_1', Title: 'Path', 'Organisation Chain': 'PWD', 'EMD in Lakh': '1' };
  const dates = { 'Publish Date': '02-Nov-2026 09:00 AM', 'Bid Submission End Date': '28-Nov-2026 11:00 AM' };
  await writeFile(renamed, gepnicFile([{ ...row, ...dates }], columns));
  const { code, stderr } = await cli('import', renamed, ...OTHER_PLACE);
  expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
  expect(stderr).toContain('has no column "EMD Amount in ₹"');
  expect(await cli('import', renamed, ...OTHER_PLACE, '--allow-missing', 'EMD Amount in ₹')).toMatchObject({ code: 0 });
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

test('production without its secrets and mail server ends with 78 and one line that names them, before anything is created', async () => {
  const DATA_DIR = join(folder, 'production');
  const ended = await start('main.js', [], { DATA_DIR, NODE_ENV: 'production' }).ended;
  expect(fatalLine(ended)).toEqual({
    code: 78,
    stdout: '',
    msg: 'MAIL_URL, MAIL_FROM, OTP_PEPPER, PAYMENT_PROVIDER, PUBLIC_ORIGIN, SESSION_KEYS, VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY, VAPID_SUBJECT must be set in production',
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});

test('production with the payment sandbox ends with 78 and one line that says so, before anything is created', async () => {
  const DATA_DIR = join(folder, 'production-sandbox');
  const env = { ...PRODUCTION, DATA_DIR, PAYMENT_PROVIDER: 'sandbox' };
  expect(fatalLine(await start('main.js', [], env).ended)).toEqual({
    code: 78,
    stdout: '',
    msg: 'PAYMENT_PROVIDER must not be sandbox in production',
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});

test('production with a GSTIN but without the seller of its tax invoices ends with 78 and one line that says what to set', async () => {
  const DATA_DIR = join(folder, 'production-seller');
  const env = { ...PRODUCTION, DATA_DIR, GSTIN: '02ABCDE1234F1ZC', LEGAL_NAME: 'Pahari Data LLP' };
  expect(fatalLine(await start('main.js', [], env).ended)).toEqual({
    code: 78,
    stdout: '',
    msg: 'LEGAL_ADDRESS must be set with GSTIN: tax invoices name the seller and the address',
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});

test.each<[string[], number, string, string]>([
  [['orders', 'list'], 0, '0 orders\n', ''],
  [['messages', 'list', '--json'], 0, '[]\n', ''],
  [['orders', 'show', 'x'], 1, '', 'There is no order "x"; npm run orders -- list shows the newest\n'],
  [['orders', 'refund', 'x'], 2, '', 'refund needs a --reason: it stays in the audit log\nUsage:\n'],
  [['messages', 'list', '--loud'], 2, '', "Unknown option '--loud'"],
  [[], 2, '', 'name a command\nUsage:\n  npm run import'],
  [['fly'], 2, '', 'there is no command "fly"\nUsage:\n  npm run import'],
  [['job', 'fly'], 2, '', 'there is no job "fly"\nUsage:\n  npm run job -- NAME'],
  [['job', 'plan-ends', '--now', 'soon'], 2, '', '--now must be an instant like 2026-01-31T12:30:00Z\nUsage:\n'],
  [['awards', 'hide-name', 'x'], 1, '', 'awards: name the firm as the portal writes it\n'],
  [['documents', 'list', '--tender', 'x'], 2, '', 'there is no tender'],
  [['import', 'x.csv', '--documents', '/nowhere'], 2, '', 'there is no folder "/nowhere"\nUsage:\n'],
  [['import'], 2, '', 'name the file to import\nUsage:\n'],
  [
    ['import', 'x.csv', '--format', 'pdf'],
    2,
    '',
    '--format must be one of auto, gepnic, gepnic-list, ocds, pincodes, awards\n',
  ],
])('%j ends with %i', async (args, code, stdout, stderr) => {
  const result = await cli(...args);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout });
  expect(result.stderr.startsWith(stderr), result.stderr).toBe(true);
});

test('a job that is run by hand is recorded, and migrate makes secrets that are lost once', async () => {
  const path = join(dataDir, 'secrets.json');
  await rm(path, { force: true });
  const made = await cli('migrate', '--new-secrets');
  expect(made).toEqual({
    code: 0,
    stdout: 'The database is up to date\n',
    stderr: `${path} holds new secrets: earlier sessions and push subscriptions end\n`,
  });
  const secrets = await readFile(path, 'utf8');
  const [again, plain, job] = await Promise.all([
    cli('migrate', '--new-secrets'),
    cli('migrate'),
    cli('job', 'documents-cleanup', '--now', '2024-11-10T06:00:00Z'),
  ]);
  expect(again).toEqual({
    code: 1,
    stdout: '',
    stderr: `Nothing was created: secrets are set, or stored in ${path}\n`,
  });
  expect(plain).toEqual({ code: 0, stdout: 'The database is up to date\n', stderr: '' });
  expect(job).toMatchObject({ code: 0, stdout: 'documents-cleanup: 0\n' });
  expect(await readFile(path, 'utf8')).toBe(secrets);
  expect(
    await queryStored(
      "SELECT job, items::int, error, succeeded_at > now() - interval '1 day' AS today FROM job_run WHERE job = 'documents-cleanup'",
    ),
  ).toEqual([{ job: 'documents-cleanup', items: 0, error: null, today: true }]);
});

test('a job that is run by hand prints what went wrong, without secrets, and ends with 1', async () => {
  const feed = 'watched=http://127.0.0.1:1/list.csv?key=abcdef;state=himachal-pradesh';
  const partly = await start('cli.js', ['job', 'import-feeds'], { FEEDS: feed }).ended;
  expect(partly).toMatchObject({ code: 1, stdout: 'import-feeds: 0\n' });
  expect(partly.stderr).toMatch(/^Feeds: watched: http:\/\/127\.0\.0\.1:1 .+\n$/);
  const stopped = await cli('job', 'erase-accounts', '--now=-010000-01-01T00:00:00Z');
  expect(stopped).toMatchObject({ code: 1, stdout: '' });
  expect(stopped.stderr).toMatch(/timestamp|time zone/);
});

/** Reads the embedded database while a program runs on it. Its socket is named in postmaster.pid. */
async function queryStored<Row extends QueryResultRow>(text: string): Promise<Row[]> {
  const lock = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  const client = new Client({ host: lock[4] ?? '', port: Number(lock[3]), user: 'postgres', database: 'nivida' });
  await client.connect();
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const countStored = async (): Promise<number> =>
  (await queryStored<{ count: number }>('SELECT count(*)::int AS count FROM tender'))[0]?.count ?? 0;

test('a killed import leaves complete batches, and the next run completes it', async () => {
  const path = await writeTenders('many.csv', 10_000);
  const killed = start('cli.js', ['import', path, ...PLACE]);
  // The database may not listen yet.
  while ((await countStored().catch(() => 0)) < 1_000) await wait(20);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const rerun = await cli('import', path, ...PLACE, '--json');
  const counts = JSON.parse(rerun.stdout);
  expect(counts).toMatchObject({ read: 10_000, changed: 0, rejected: 0 });
  expect(counts.unchanged).toBeGreaterThanOrEqual(1_000);
  expect(counts.new).toBeGreaterThan(0);
  expect(counts.new + counts.unchanged).toBe(10_000);
});

/** The settings of production without a database. */
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://nivida.example',
  PAYMENT_PROVIDER: 'phonepe',
  PHONEPE_CLIENT_ID: 'M1',
  PHONEPE_CLIENT_SECRET: 's3cret',
  PHONEPE_WEBHOOK_SECRET: 'nivida:passw0rd',
  MAIL_URL: 'smtp://mail.nivida.example',
  MAIL_FROM: 'Nivida <post@nivida.example>',
  OTP_PEPPER: 'pepper-of-the-tests-0123456789-abcdef',
  SESSION_KEYS: 'key-of-the-tests-0123456789-abcdef',
  VAPID_PUBLIC_KEY: pair.publicKey,
  VAPID_PRIVATE_KEY: pair.privateKey,
  VAPID_SUBJECT: 'mailto:push@nivida.in',
};

test('every line that a production server writes is JSON, from its start to its end', async () => {
  const port = await findFreePort();
  const env = { ...PRODUCTION, PORT: port, DRAIN_SECONDS: '0', NODE_OPTIONS: '--pending-deprecation' };
  const server = start('main.js', [], env);
  await server.waitForOutput('Nivida is ready at https://nivida.example');
  for (const path of ['/', '/api/tenders', '/api/none', '//', '/%zz']) await fetch(`http://127.0.0.1:${port}${path}`);
  server.child.kill('SIGTERM');
  const { code, stdout, stderr } = await server.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  const messages = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toContain('Nivida is ready at https://nivida.example');
  expect(messages).toContain('answered');
});

describe('one line explains to the operator', () => {
  test('a database that is away, as a line of the JSON log in production', { tags: 'release' }, async () => {
    const DATABASE_URL = 'postgresql://nivida:secret@127.0.0.1:9/nivida';
    const line = 'The database does not answer at 127.0.0.1:9/nivida (ECONNREFUSED)';
    const [text, command, json] = await Promise.all([
      start('main.js', [], { DATABASE_URL }).ended,
      start('cli.js', ['migrate'], { DATABASE_URL }).ended,
      start('main.js', [], { ...PRODUCTION, DATABASE_URL }).ended,
    ]);
    expect(text).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(command).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect({ ...json, stderr: JSON.parse(json.stderr) }).toEqual({
      code: 1,
      stdout: '',
      stderr: { level: 'fatal', time: expect.any(String), role: 'all', msg: line },
    });
  });

  test('production without a database of its own, as one warning at the start', async () => {
    const env = { ...PRODUCTION, DATA_DIR: join(await writeTenders('no-folder.csv', 1), 'data'), PORT: '0' };
    const { stderr } = await start('main.js', [], env).ended;
    expect(JSON.parse(stderr.split('\n', 1)[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'DATABASE_URL is not set: the embedded PostgreSQL is for trying and for small operators: one machine, no replica, and its OpenSSL 1.1.1 gets no more security updates. Set DATABASE_URL; docs/operations.md says how to move',
    });
  });

  test('a data folder that cannot be created', { tags: 'release' }, async () => {
    const DATA_DIR = join(await writeTenders('no-folder.csv', 1), 'data');
    const refused = {
      code: 78,
      stdout: '',
      stderr: `${DATA_DIR} cannot be read or written (ENOTDIR). Check that it is a folder of this user\n`,
    };
    expect(await start('main.js', [], { DATA_DIR }).ended).toEqual(refused);
    expect(await start('cli.js', ['messages', 'list'], { DATA_DIR }).ended).toEqual(refused);
  });

  test('a missing folder of a backup, a missing file of a restore', async () => {
    expect(await cli('backup', join(folder, 'missing/nivida.zip'))).toEqual({
      code: 2,
      stdout: '',
      stderr: `There is no folder "${join(folder, 'missing')}"\n`,
    });
    expect(await cli('restore', join(folder, 'missing.zip'))).toEqual({
      code: 2,
      stdout: '',
      stderr: `There is no file "${join(folder, 'missing.zip')}"\n`,
    });
  });

  test('a port that is in use, a host that is not of this machine', { tags: 'release' }, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const used = await start('main.js', [], { PORT: String(port), PAYMENT_SANDBOX_PORT: '0' }).ended;
    const foreign = await start('main.js', [], { PORT: '0', PAYMENT_SANDBOX_PORT: '0', HOST: '192.0.2.1' }).ended;
    other.close();
    expect(used).toEqual({
      code: 78,
      stdout: '',
      stderr: `PORT ${port} is in use; stop what listens there or set another\n`,
    });
    expect(foreign).toEqual({ code: 78, stdout: '', stderr: 'HOST 192.0.2.1 is not an address of this machine\n' });
  });
});

test('every program prints its usage with --help and ends with 0', { tags: 'release' }, async () => {
  const root = join(import.meta.dirname, '../../..');
  const run = (file: string, ...args: string[]) =>
    new Promise<unknown[]>((done) => {
      const program = [...(file.endsWith('.sh') ? ['sh'] : [process.execPath]), join(root, file), ...args, '--help'];
      const [command, ...rest] = program as [string, ...string[]];
      execFile(command, rest, { env: { ...process.env, DATA_DIR: join(folder, 'help') } }, (error, stdout, stderr) =>
        done([file, args, error?.code ?? 0, stdout.slice(0, 'Usage:'.length), stderr]),
      );
    });
  const commands = ['import', 'migrate', 'documents', 'orders', 'messages', 'backup', 'restore', 'job'];
  const programs: [string, ...string[]][] = [
    ['api/dist/main.js'],
    ['api/dist/cli.js'],
    ...commands.map((command): [string, string] => ['api/dist/cli.js', command]),
    ['api/dist/cli.js', 'orders', 'show', 'x'],
    ['api/dist/sandbox.js'],
    ['api/bench.js'],
    ['api/dev.js'],
    ['api/test/support/leaks.ts'],
    ['e2e/screenshots.ts'],
    ['docker/backup.js'],
    ['docker/healthcheck.js'],
    ['docker/remove-unused-files.js'],
    ['docker/try.js'],
    ['docker/try-images.js'],
    ['docker/new-secrets.sh'],
  ];
  expect(await Promise.all(programs.map((program) => run(...program)))).toEqual(
    programs.map(([file, ...args]) => [file, args, 0, 'Usage:', '']),
  );
  expect((await cli('backup', '--help')).stdout).toBe(
    'Usage:\n  npm run backup -- FILE [--with-secrets] [--nightly]\n',
  );
  expect(existsSync(join(folder, 'help'))).toBe(false);
});

test('a second process joins the embedded database and does not stop it, and a socket that others can reach is refused', async () => {
  const second = await openEmbeddedPostgres(dataDir);
  expect(second.connection).toEqual(database.connection);
  await second.stop();
  expect(await queryStored('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const { host } = database.connection;
  await chmod(host, 0o755);
  try {
    await expect(openEmbeddedPostgres(dataDir)).rejects.toThrow(
      `${host} belongs to another user or is open to others; remove it`,
    );
  } finally {
    await chmod(host, 0o700);
  }
});

test('an embedded database that ends is started again with its rows, and is reported when its folder is gone', async () => {
  const place = join(folder, 'own');
  const restarted = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<Error>();
  const own = await openEmbeddedPostgres(place, { onRestart: restarted.resolve, onLost: lost.resolve });
  const read = async (text: string) => {
    const client = new Client(own.connection);
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  const kill = async () => {
    const [pid] = (await readFile(join(place, 'postgres/postmaster.pid'), 'utf8')).split('\n');
    return () => process.kill(Number(pid), 'SIGKILL');
  };
  try {
    await read('CREATE TABLE kept AS SELECT 7 AS n');
    (await kill())();
    await restarted.promise;
    expect((await read('SELECT n FROM kept')).rows).toEqual([{ n: 7 }]);
    const again = await kill();
    await rename(join(place, 'postgres'), join(place, 'moved'));
    again();
    expect((await lost.promise).message).toBe(`The embedded database is gone: there is no ${join(place, 'postgres')}`);
  } finally {
    await own.stop();
  }
});

test('a database of a newer version is refused by the server and by every command', { tags: 'release' }, async () => {
  await queryStored("INSERT INTO migration (timestamp, name) VALUES (1999000000000, 'Rainfall1999000000000')");
  const refused = {
    code: 78,
    stdout: '',
    stderr:
      'The database belongs to a newer version of Nivida (it has Rainfall1999000000000). Start that version, or restore a backup of this one into an empty database\n',
  };
  const programs = [
    start('main.js', [], { PORT: '0', PAYMENT_SANDBOX_PORT: '0' }),
    start('cli.js', ['migrate']),
    start('cli.js', ['backup', join(folder, 'newer.zip')]),
  ];
  expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([refused, refused, refused]);
  expect(existsSync(join(folder, 'newer.zip'))).toBe(false);
});
