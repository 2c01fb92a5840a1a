import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftFolders } from './temporary-folders.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');

test('what a killed server left is removed after two hours; younger folders and those of others stay', async () => {
  const place = await mkdtemp(join(tmpdir(), 'nivida-left-test-'));
  const make = async (name: string, hours: number) => {
    await mkdir(join(place, name));
    await writeFile(join(place, name, 'file'), 'x');
    const at = new Date(NOW.getTime() - hours * 3_600_000);
    await utimes(join(place, name), at, at);
  };
  await make('nivida-reading-aB3dE6', 3);
  await make('nivida-read-aB3dE6', 3);
  await make('nivida-reading-aB3dE7', 1);
  await make('nivida-1000-0123456789', 3);
  expect(await removeLeftFolders(NOW, place)).toBe(2);
  expect((await readdir(place)).sort()).toEqual(['nivida-1000-0123456789', 'nivida-reading-aB3dE7']);
  await rm(place, { recursive: true });
});
