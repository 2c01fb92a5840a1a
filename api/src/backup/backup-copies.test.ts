import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { FolderStorage } from '../storage/folder-storage.ts';
import { copyBackup, expiredBackups } from './backup-copies.ts';

const NOW = new Date('2026-11-23T21:00:00Z');
const nightly = (date: string, suffix = 'zip') => `nivida-${date}T203000Z.${suffix}`;
const RULE = { days: 14, months: 12 };

test('backups of the last days and the first of each month are retained', () => {
  const names = [
    '2025-10-01',
    '2025-12-01',
    '2025-12-02',
    '2026-10-30',
    '2026-10-31',
    '2026-11-09',
    '2026-11-10',
    '2026-11-23',
  ];
  expect(
    expiredBackups(
      names.map((date) => nightly(date)),
      RULE,
      NOW,
    ),
  ).toEqual([nightly('2025-10-01'), nightly('2025-12-02'), nightly('2026-10-31')]);
});

test('without months only the days count, and encrypted backups follow the same rule', () => {
  const names = [nightly('2026-11-01', 'zip.age'), nightly('2026-11-23', 'zip.age')];
  expect(expiredBackups(names, { days: 14, months: 0 }, NOW)).toEqual([nightly('2026-11-01', 'zip.age')]);
});

test('the newest backup stays however old it is, and files with other names are left alone', () => {
  const names = [nightly('2020-01-01'), nightly('2020-01-02'), 'notes.txt', 'nivida-before-update.zip'];
  expect(expiredBackups(names, RULE, NOW)).toEqual([nightly('2020-01-01')]);
});

test('a backup is retained for its last day, and the first of a month for its last month, to the second', () => {
  const expiredAt = (at: string, names: string[], rule: typeof RULE) => expiredBackups(names, rule, new Date(at));
  const daily = [nightly('2026-11-01'), nightly('2026-11-09'), nightly('2026-11-23')];
  expect(expiredAt('2026-11-23T20:30:00Z', daily, RULE)).toEqual([]);
  expect(expiredAt('2026-11-23T20:30:01Z', daily, RULE)).toEqual([nightly('2026-11-09')]);
  const oneMonth = { days: 14, months: 1 };
  expect(expiredAt('2026-12-02T20:30:00Z', daily, oneMonth)).toEqual([nightly('2026-11-09')]);
  expect(expiredAt('2026-12-02T20:30:01Z', daily, oneMonth)).toEqual([nightly('2026-11-01'), nightly('2026-11-09')]);
});

test('of two backups of a day the earlier is the first, in any order of the names', () => {
  const [morning, evening] = ['nivida-2026-10-01T063000Z.zip', 'nivida-2026-10-01T203000Z.zip.age'];
  expect(expiredBackups([nightly('2026-11-23'), evening, morning], RULE, NOW)).toEqual([evening]);
  const minutes = ['nivida-2026-10-01T203001Z.zip', 'nivida-2026-10-01T203000Z.zip'];
  expect(expiredBackups([...minutes, nightly('2026-11-23')], RULE, NOW)).toEqual(['nivida-2026-10-01T203001Z.zip']);
});

test('a backup is copied whole under its name, and copies that are too old are removed, but not other files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-copies-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const name = nightly('2026-11-23');
  await writeFile(join(folder, name), 'the backup');
  const copies = join(folder, 'copies');
  const storage = new FolderStorage(copies);
  for (const old of [nightly('2026-10-01'), nightly('2026-10-02'), nightly('2026-10-03'), 'notes.txt'])
    await storage.write(old, Readable.from(['old']));
  expect(await copyBackup(join(folder, name), storage, RULE, NOW)).toBe(2);
  expect((await readdir(copies)).sort()).toEqual([nightly('2026-10-01'), name, 'notes.txt'].sort());
  expect(await readFile(join(copies, name), 'utf8')).toBe('the backup');
  expect(await readFile(join(folder, name), 'utf8')).toBe('the backup');
});

test.each([
  ['has a part of it', 3, 'The copy of the backup has 3 of 10 bytes'],
  ['has nothing', undefined, 'The copy of the backup has no of 10 bytes'],
])('a place that %s is an error, and no older copy is removed', async (_what, bytes, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-copies-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const name = nightly('2026-11-23');
  await writeFile(join(folder, name), 'the backup');
  const storage = new FolderStorage(join(folder, 'copies'));
  await storage.write(nightly('2026-10-02'), Readable.from(['old']));
  await storage.write(nightly('2026-10-01'), Readable.from(['old']));
  /** A place that loses bytes without an error. */
  class LossyStorage extends FolderStorage {
    override async write(copy: string): Promise<void> {
      if (bytes !== undefined) await super.write(copy, Readable.from([Buffer.alloc(bytes)]));
    }
  }
  const lossy = new LossyStorage(join(folder, 'copies'));
  await expect(copyBackup(join(folder, name), lossy, RULE, NOW)).rejects.toThrow(message);
  expect(await readdir(join(folder, 'copies'))).toContain(nightly('2026-10-02'));
});
