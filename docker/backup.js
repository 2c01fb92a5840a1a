/**
 * Backs up database and files into BACKUP_FOLDER (/backups) at the start and each day at BACKUP_AT (hour:minute, UTC), and
 * deletes backups older than BACKUP_DAYS. With BACKUP_RECIPIENTS backups are encrypted, with BACKUP_URL they are copied
 * there; once a week the new backup is restored into a database of its own, which is dropped (`--nightly`). A failed backup is retried after 5, 15 and 60 minutes. SUPPORT_EMAIL gets a mail
 * by MAIL_URL after the first failure and after the last retry. `backup.js check` exits with 1 when the newest backup is
 * older than 26 hours, for the health check.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const EX_CONFIG = 78;
/** The exit code of the command on a database without tables. */
const EX_TEMPFAIL = 75;
const FIRST_START = Symbol('first start');
const { BACKUP_FOLDER: folder = '/backups', BACKUP_AT: at = '20:30', BACKUP_DAYS: days = '14' } = process.env;
const {
  MAIL_URL,
  MAIL_FROM,
  SUPPORT_EMAIL,
  PUBLIC_ORIGIN = hostname(),
  BACKUP_RETRY_MINUTES = '5,15,60',
} = process.env;
/** As the command names an encrypted file. */
const SUFFIX = process.env.BACKUP_RECIPIENTS ? '.zip.age' : '.zip';
const RETRY_MINUTES = BACKUP_RETRY_MINUTES.split(',').map(Number);
const HELP = `Usage: backup.js [check]

Backs up database and files at the start and each day, and deletes old backups.
check: ends with 1 when the newest backup is older than 26 hours.
Variables: BACKUP_FOLDER (/backups), BACKUP_AT (20:30, UTC), BACKUP_DAYS (14), BACKUP_RETRY_MINUTES (5,15,60),
BACKUP_RECIPIENTS, BACKUP_URL, BACKUP_MONTHS (docs/configuration.md);
for mails about failures MAIL_URL, MAIL_FROM, SUPPORT_EMAIL
`;

/** The process of the current backup; it is stopped with this process. */
let running;
let ending = false;

const say = (line) => process.stderr.write(`${line}\n`);

/** Partial and not yet encrypted files, and the folder of a trial restore. */
const UNFINISHED_PATTERN =
  /^nivida-(?:\d{4}-\d\d-\d\dT\d{6}Z\.zip(?:\.part|\.age\.plain|\.age\.plain\.part)|check-\w{6})$/;

/** Deletes the files of interrupted backups. Only one backup is written at a time. */
function removeUnfinished() {
  for (const name of readdirSync(folder))
    if (UNFINISHED_PATTERN.test(name)) rmSync(join(folder, name), { recursive: true });
}

/** Finished backups, oldest first, with their age in milliseconds. */
const backups = () =>
  readdirSync(folder)
    .filter((name) => /^nivida-.*\.zip(?:\.age)?$/.test(name))
    .map((name) => ({ path: join(folder, name), ageMs: Date.now() - statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.ageMs - a.ageMs);

/** Writes one backup; returns undefined after success, FIRST_START while there are no tables, else the last error line. */
async function backUp() {
  removeUnfinished();
  const path = join(folder, `nivida-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z${SUFFIX}`);
  const cli = join(import.meta.dirname, '../api/dist/cli.js');
  running = spawn(process.execPath, [cli, 'backup', path, '--nightly'], { stdio: ['inherit', 'inherit', 'pipe'] });
  let lastLine = 'it gave no reason';
  running.stderr.on('data', (text) => {
    process.stderr.write(text);
    const lines = String(text)
      .split('\n')
      .filter((line) => /^\S/.test(line));
    lastLine = lines.at(-1) ?? lastLine;
  });
  const [status] = await once(running, 'close');
  running = undefined;
  if (ending) {
    removeUnfinished();
    process.exit();
  }
  if (status === EX_TEMPFAIL) return FIRST_START;
  if (status !== 0) return lastLine;
  // Old backups are deleted only after a new one is there.
  for (const old of backups()) if (old.ageMs > Number(days) * DAY_MS) rmSync(old.path);
  return undefined;
}

/** Retries a failed backup and mails the operator. */
async function backUpWithRetries() {
  let failure = await backUp();
  // Web and worker processes, which start at the same time, create the tables.
  for (; failure === FIRST_START; failure = await backUp()) await wait(Math.min(1, RETRY_MINUTES[0]) * MINUTE_MS);
  if (failure === undefined) return;
  const minutes = RETRY_MINUTES.join(', ').replace(/, (?=\d+$)/, ' and ');
  await mail('The backup failed', [failure, `It is tried again after ${minutes} minutes.`]);
  for (const pause of RETRY_MINUTES) {
    say(`The backup failed; it is tried again in ${pause} minutes`);
    await wait(pause * MINUTE_MS);
    failure = await backUp();
    if (failure === undefined) return mail('The backup succeeded', ['A later try has written it.']);
  }
  say(`The backup failed; it is tried again at ${at} UTC`);
  const newest = backups().at(-1);
  await mail('There is no backup of today', [
    failure,
    newest ? `The newest backup is ${newest.path}.` : 'There is no backup at all.',
    `It is tried again at ${at} UTC.`,
  ]);
}

/** Sends a mail without the queue of the app, because the database may have failed. */
async function mail(subject, lines) {
  if (!MAIL_URL || !SUPPORT_EMAIL) return;
  try {
    const { createTransport } = await import('nodemailer');
    const text = [...lines, '', `Nivida, ${PUBLIC_ORIGIN}`].join('\n');
    const { username, hostname: host } = new URL(MAIL_URL);
    // As in api/src/mail/smtp-transport.ts: a password is sent without TLS to this machine only.
    const requireTLS = username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(host);
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };
    await createTransport({ url: MAIL_URL, requireTLS, ...timeouts }).sendMail({
      from: MAIL_FROM || 'Nivida <no-reply@localhost>',
      to: { name: '', address: SUPPORT_EMAIL },
      subject: `${subject}: Nivida`,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch ({ code, responseCode }) {
    // The error message may contain the address.
    say(`The mail about the backup was not sent (${responseCode ?? code ?? 'failure'})`);
  }
}

function msUntilNext() {
  const [hours, minutes] = at.split(':').map(Number);
  const next = new Date().setUTCHours(hours, minutes, 0, 0);
  return next > Date.now() ? next - Date.now() : next + DAY_MS - Date.now();
}

if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
} else if (!existsSync(folder)) {
  say(`There is no folder ${folder}: mount it, or set BACKUP_FOLDER`);
  process.exitCode = EX_CONFIG;
} else if (process.argv[2] === 'check') {
  const newest = backups().at(-1);
  process.exitCode = newest && newest.ageMs < 26 * HOUR_MS ? 0 : 1;
} else {
  process.on('SIGTERM', () => {
    ending = true;
    if (!running?.kill('SIGTERM')) process.exit();
  });
  for (; ; await wait(msUntilNext())) await backUpWithRetries();
}
