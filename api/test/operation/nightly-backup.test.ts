/** The program of docker/compose.yml that backs up each night, with stand-ins for the backup command. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../support/mail-server.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Writes a partial file, prints its process id, and does not end by itself. */
const ENDLESS = `
  require('node:fs').writeFileSync(process.argv[3] + '.part', 'half');
  console.log(process.pid);
  setInterval(() => {}, 1000);`;

/** Fails a number of times, then writes the backup. */
const failing = (times: number) => `
  const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
  appendFileSync('tries', 'x');
  if (readFileSync('tries', 'utf8').length > ${times}) writeFileSync(process.argv[3], 'whole');
  else {
    console.error('The database does not answer at database:5432/nivida (ECONNREFUSED)');
    process.exitCode = 1;
  }`;

let folder: string;
let backups: string;
let program: ChildProcess;
let output: string;
let mails: MailServer;

beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails.close());
beforeEach(async () => {
  mails.received.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'nivida-nightly-'));
  backups = join(folder, 'backups');
  for (const place of ['docker', 'api/dist', 'backups']) await mkdir(join(folder, place), { recursive: true });
  await copyFile(join(ROOT, 'docker/backup.js'), join(folder, 'docker/backup.js'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'docker/package.json'), '{"type":"module"}');
});
afterEach(async () => {
  if (program.exitCode === null && program.signalCode === null) {
    program.kill('SIGKILL');
    await once(program, 'close');
  }
  await rm(folder, { recursive: true });
});

async function start(cli: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  await writeFile(join(folder, 'api/dist/cli.js'), cli);
  output = '';
  program = spawn(process.execPath, [join(folder, 'docker/backup.js')], {
    cwd: folder,
    env: {
      ...process.env,
      BACKUP_FOLDER: backups,
      BACKUP_AT: '20:30',
      BACKUP_DAYS: '14',
      MAIL_URL: mails.url,
      MAIL_FROM: 'Nivida <post@nivida.example>',
      SUPPORT_EMAIL: 'help@nivida.example',
      PUBLIC_ORIGIN: 'https://nivida.example',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  program.stderr?.on('data', (text) => {
    output += text;
  });
}

const subjects = () => mails.received.map(({ subject }) => subject);

test('a failed backup is retried until it succeeds, and support gets a mail about both', async () => {
  await start(failing(2), { BACKUP_RETRY_MINUTES: '0,0,0' });
  await expect
    .poll(subjects, {
      timeout: 30_000,
    })
    .toEqual(['The backup failed: Nivida', 'The backup succeeded: Nivida']);
  expect(await readdir(backups)).toEqual([expect.stringMatching(/^nivida-\d{4}-\d\d-\d\dT\d{6}Z\.zip$/)]);
  const [failed] = mails.received;
  expect(failed?.to).toEqual([{ name: '', address: 'help@nivida.example' }]);
  expect(failed?.from).toEqual({ name: 'Nivida', address: 'post@nivida.example' });
  expect(failed?.text?.trim().split('\n')).toEqual([
    'The database does not answer at database:5432/nivida (ECONNREFUSED)',
    'It is tried again after 0, 0 and 0 minutes.',
    '',
    'Nivida, https://nivida.example',
  ]);
});

test('on a new database the first backup waits without a mail until the server has created the tables', async () => {
  const failure = failing(2).replace(
    'The database does not answer at database:5432/nivida (ECONNREFUSED)',
    'No tables',
  );
  await start(failure.replace('process.exitCode = 1', 'process.exitCode = 75'), { BACKUP_RETRY_MINUTES: '0,0,0' });
  await expect.poll(() => readdir(backups), { timeout: 30_000 }).toEqual([expect.stringMatching(/\.zip$/)]);
  expect(mails.received).toEqual([]);
});

test('when the last attempt fails too, the mail names the newest backup', async () => {
  await writeFile(join(backups, 'nivida-2026-11-08T203000Z.zip'), 'whole');
  await start(failing(4), { BACKUP_RETRY_MINUTES: '0,0,0' });
  await expect
    .poll(subjects, { timeout: 30_000 })
    .toEqual(['The backup failed: Nivida', 'There is no backup of today: Nivida']);
  expect(mails.received[1]?.text).toContain(
    `The newest backup is ${join(backups, 'nivida-2026-11-08T203000Z.zip')}.\nIt is tried again at 20:30 UTC.`,
  );
  await expect.poll(() => output).toContain('The backup failed; it is tried again at 20:30 UTC');
  expect(await readdir(backups)).toEqual(['nivida-2026-11-08T203000Z.zip']);
});

test('the attempts are 5, 15 and 60 minutes apart, also without a mail server', async () => {
  await start(failing(1), { MAIL_URL: 'smtp://127.0.0.1:9' });
  await expect
    .poll(() => output, {
      timeout: 30_000,
    })
    .toContain('The backup failed; it is tried again in 5 minutes');
  expect(output).toContain('The mail about the backup was not sent (ESOCKET)');
  program.kill('SIGTERM');
  expect(await once(program, 'close')).toEqual([0, null]);
  await start(failing(2));
  await expect.poll(subjects, { timeout: 30_000 }).toEqual(['The backup failed: Nivida']);
  expect(mails.received[0]?.text).toContain('It is tried again after 5, 15 and 60 minutes.');
});

test('an encrypted backup has its own ending, and what an interrupted one left behind is removed first', async () => {
  await writeFile(join(backups, 'nivida-2026-11-08T203000Z.zip.age'), 'whole');
  await writeFile(join(backups, 'nivida-2026-11-09T203000Z.zip.age.plain'), 'not encrypted');
  await mkdir(join(backups, 'nivida-check-a1B2c3/files'), { recursive: true });
  await start(failing(0), { BACKUP_RECIPIENTS: 'age1abc' });
  await expect
    .poll(async () => (await readdir(backups)).sort(), { timeout: 30_000 })
    .toEqual(['nivida-2026-11-08T203000Z.zip.age', expect.stringMatching(/^nivida-\d{4}-\d\d-\d\dT\d{6}Z\.zip\.age$/)]);
});

test('without its folder it ends with 78 and one line, and --help prints its usage', () => {
  const run = (args: string[], env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [join(ROOT, 'docker/backup.js'), ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
  expect(run(['check'], { BACKUP_FOLDER: '/nowhere/backups' })).toMatchObject({
    status: 78,
    stderr: 'There is no folder /nowhere/backups: mount it, or set BACKUP_FOLDER\n',
  });
  const help = run(['--help'], { BACKUP_FOLDER: '/nowhere/backups' });
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(help.stdout).toMatch(/^Usage: backup\.js \[check\]\n/);
});

test('a stop during the backup leaves no partial file; the next backup removes that of a killed one', async () => {
  await writeFile(join(backups, 'nivida-2026-11-09T203000Z.zip.part'), 'of a machine that lost its power');
  await writeFile(join(backups, 'nivida-2026-11-08T203000Z.zip'), 'whole');
  await writeFile(join(backups, 'nivida-by-hand.zip.part'), 'another process writes this one');
  await start(ENDLESS);
  const [printed] = await once(program.stdout as NodeJS.ReadableStream, 'data');
  const parts = (await readdir(backups)).filter((name) => name.endsWith('.part'));
  expect(parts).toHaveLength(2);
  expect(parts).not.toContain('nivida-2026-11-09T203000Z.zip.part');
  program.kill('SIGTERM');
  expect(await once(program, 'close')).toEqual([0, null]);
  expect(() => process.kill(Number(printed), 0)).toThrow('ESRCH');
  expect((await readdir(backups)).sort()).toEqual(['nivida-2026-11-08T203000Z.zip', 'nivida-by-hand.zip.part']);
});
