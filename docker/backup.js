/**
 * Backs up database and files into BACKUP_FOLDER (/backups) at the start and each day at BACKUP_AT (hour:minute, UTC), and
 * deletes what is older than BACKUP_DAYS. `backup.js check` ends with 1 when the newest one is older than 26 hours, for the
 * health check: a day's backup that failed must be seen by somebody.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { BACKUP_FOLDER: folder = '/backups', BACKUP_AT: at = '20:30', BACKUP_DAYS: days = '14' } = process.env;

/** The backup that is being written, which is told when this process is to end. */
let running;
let ending = false;

/** What backups of this process that were broken off have left; one at a time is written. */
function removeUnfinished() {
  for (const name of readdirSync(folder))
    if (/^nivida-\d{4}-\d\d-\d\dT\d{6}Z\.zip\.part$/.test(name)) rmSync(join(folder, name));
}

/** Finished backups, the oldest first, with their age in milliseconds. */
const backups = () =>
  readdirSync(folder)
    .filter((name) => /^nivida-.*\.zip$/.test(name))
    .map((name) => ({ path: join(folder, name), ageMs: Date.now() - statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.ageMs - a.ageMs);

async function backUp() {
  removeUnfinished();
  const path = join(folder, `nivida-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.zip`);
  const cli = join(import.meta.dirname, '../api/dist/cli.js');
  running = spawn(process.execPath, [cli, 'backup', path], { stdio: 'inherit' });
  const [status] = await once(running, 'close');
  running = undefined;
  if (ending) {
    removeUnfinished();
    process.exit();
  }
  // Old ones are only deleted after a new one has come.
  if (status !== 0) return process.stderr.write('The backup failed\n');
  for (const old of backups()) if (old.ageMs > Number(days) * DAY_MS) rmSync(old.path);
}

function msUntilNext() {
  const [hours, minutes] = at.split(':').map(Number);
  const next = new Date().setUTCHours(hours, minutes, 0, 0);
  return next > Date.now() ? next - Date.now() : next + DAY_MS - Date.now();
}

if (process.argv[2] === 'check') {
  const newest = backups().at(-1);
  process.exitCode = newest && newest.ageMs < 26 * HOUR_MS ? 0 : 1;
} else {
  process.on('SIGTERM', () => {
    ending = true;
    if (!running?.kill('SIGTERM')) process.exit();
  });
  for (; ; await wait(msUntilNext())) await backUp();
}
