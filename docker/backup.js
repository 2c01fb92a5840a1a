/**
 * Backs up database and files into BACKUP_FOLDER (/backups) at the start and each day at BACKUP_AT (hour:minute, UTC), and
 * deletes what is older than BACKUP_DAYS. `backup.js check` ends with 1 when the newest one is older than 26 hours, for the
 * health check: a day's backup that failed must be seen by somebody.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { BACKUP_FOLDER: folder = '/backups', BACKUP_AT: at = '20:30', BACKUP_DAYS: days = '14' } = process.env;

/** Finished backups, the oldest first, with their age in milliseconds. */
const backups = () =>
  readdirSync(folder)
    .filter((name) => /^nivida-.*\.zip$/.test(name))
    .map((name) => ({ path: join(folder, name), ageMs: Date.now() - statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.ageMs - a.ageMs);

function backUp() {
  const path = join(folder, `nivida-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.zip`);
  const cli = join(import.meta.dirname, '../api/dist/cli.js');
  const { status } = spawnSync(process.execPath, [cli, 'backup', path], { stdio: 'inherit' });
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
  process.on('SIGTERM', () => process.exit());
  for (; ; await wait(msUntilNext())) backUp();
}
