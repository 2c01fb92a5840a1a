import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileStorage, LocalFile, StoredObject, StoredRange } from './file-storage.ts';

const UNFINISHED_SUFFIX = '.part';

/** Removes a file that was last changed before an instant. */
export async function removeIfOlder(path: string, before: Date): Promise<boolean> {
  const { mtime } = await stat(path).catch(() => ({ mtime: before }));
  if (mtime >= before) return false;
  await rm(path, { force: true });
  return true;
}

/** A folder that several machines may share. */
export class FolderStorage implements FileStorage {
  constructor(private readonly folder: string) {}

  async write(name: string, source: Readable): Promise<void> {
    const path = this.pathOf(name);
    const aside = `${path}${UNFINISHED_SUFFIX}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await pipeline(source, createWriteStream(aside, { mode: 0o600 }));
      await syncToDisk(aside);
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  async read(name: string, range?: StoredRange): Promise<Readable> {
    return createReadStream(this.pathOf(name), range);
  }

  async has(name: string): Promise<boolean> {
    return stat(this.pathOf(name)).then(
      () => true,
      () => false,
    );
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  async *list(): AsyncIterable<StoredObject> {
    for (const name of await this.names()) {
      if (name.endsWith(UNFINISHED_SUFFIX)) continue;
      const found = await stat(this.pathOf(name)).catch(() => undefined);
      if (found?.isFile()) yield { name: toSlashes(name), bytes: found.size, storedAt: found.mtime };
    }
  }

  async removeUnfinished(before: Date, names: RegExp): Promise<number> {
    let removed = 0;
    for (const name of await this.names()) {
      if (!name.endsWith(UNFINISHED_SUFFIX)) continue;
      if (!names.test(toSlashes(name.slice(0, -UNFINISHED_SUFFIX.length)))) continue;
      if (await removeIfOlder(this.pathOf(name), before)) removed += 1;
    }
    return removed;
  }

  async openLocal(name: string): Promise<LocalFile> {
    return { path: this.pathOf(name), release: async () => {} };
  }

  async downloadUrl(): Promise<undefined> {
    return undefined;
  }

  async check(): Promise<void> {
    await readdir(this.folder);
  }

  private async names(): Promise<string[]> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return readdir(this.folder, { recursive: true });
  }

  private pathOf(name: string): string {
    return join(this.folder, name);
  }
}

const toSlashes = (name: string): string => name.split(sep).join('/');

/** Flushes to disk, so that a file is not empty after a power cut. */
async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}
