/** The program of docker/compose.yml that backs up each night, with a backup that takes as long as it likes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Writes its part, says its number, and does not end by itself. */
const ENDLESS = `
  require('node:fs').writeFileSync(process.argv[3] + '.part', 'half');
  console.log(process.pid);
  setInterval(() => {}, 1000);`;

let folder: string;
let backups: string;
let program: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-nightly-'));
  backups = join(folder, 'backups');
  for (const place of ['docker', 'api/dist', 'backups']) await mkdir(join(folder, place), { recursive: true });
  await copyFile(join(import.meta.dirname, '../../docker/backup.js'), join(folder, 'docker/backup.js'));
  await writeFile(join(folder, 'docker/package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'api/dist/cli.js'), ENDLESS);
});
afterAll(async () => {
  program?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

test('told to end while it writes, it ends the backup and leaves nothing half; what a kill has left goes first', async () => {
  await writeFile(join(backups, 'nivida-2026-11-09T203000Z.zip.part'), 'of a machine that lost its power');
  await writeFile(join(backups, 'nivida-2026-11-08T203000Z.zip'), 'whole');
  await writeFile(join(backups, 'nivida-by-hand.zip.part'), 'somebody else writes this one');
  const env = { ...process.env, BACKUP_FOLDER: backups, BACKUP_AT: '20:30', BACKUP_DAYS: '14' };
  program = spawn(process.execPath, [join(folder, 'docker/backup.js')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(program.stdout as NodeJS.ReadableStream, 'data');
  const parts = (await readdir(backups)).filter((name) => name.endsWith('.part'));
  expect(parts).toHaveLength(2);
  expect(parts).not.toContain('nivida-2026-11-09T203000Z.zip.part');
  program.kill('SIGTERM');
  expect(await once(program, 'close')).toEqual([0, null]);
  expect(() => process.kill(Number(said), 0)).toThrow('ESRCH');
  expect((await readdir(backups)).sort()).toEqual(['nivida-2026-11-08T203000Z.zip', 'nivida-by-hand.zip.part']);
});
