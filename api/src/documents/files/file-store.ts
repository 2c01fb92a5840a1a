/** The file store: a folder that several machines may share. Files are stored under random keys. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Keys are generated here: no part of a path comes from a user, a portal or a file name. */
const KEY_PATTERN = /^[\da-f]{32}$/;
const UNFINISHED_PATTERN = /^[\da-f]{2}[\\/][\da-f]{32}\.part$/;
const KEY_BYTES = 16;

/** A stored file. */
export interface StoredFile {
  key: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** The stream was longer than allowed; nothing was stored. */
export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
}

/** Files by opaque keys. A file is complete or absent, and never changes. */
export class FileStore {
  constructor(private readonly folder: string) {}

  /** Stores the stream, at most `most` bytes. Throws FileTooLargeError and the errors of the source. */
  async put(source: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<StoredFile> {
    const key = randomBytes(KEY_BYTES).toString('hex');
    const path = this.pathOf(key);
    const aside = `${path}.part`;
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      await pipeline(
        source,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            if (bytes > maxBytes) throw new FileTooLargeError(`is larger than ${maxBytes} bytes`);
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(aside, { mode: 0o600 }),
      );
      await syncToDisk(aside);
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    return { key, bytes, sha256: hash.digest('hex') };
  }

  /** The bytes from `start` to `end`, both included; the whole file without them. */
  read(key: string, range?: { start: number; end: number }): Readable {
    return createReadStream(this.pathOf(key), range);
  }

  /** The file's path on this machine, for random access. */
  pathOf(key: string): string {
    if (!KEY_PATTERN.test(key)) throw new Error('That is no key of the file store');
    // Sub-folders of at most a few hundred files keep listings fast.
    return join(this.folder, key.slice(0, 2), key);
  }

  async has(key: string): Promise<boolean> {
    return stat(this.pathOf(key)).then(
      () => true,
      () => false,
    );
  }

  /** Removes unfinished files that were begun before an instant. Returns their number. */
  async removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.folder, { recursive: true });
    for (const name of names.filter((each) => UNFINISHED_PATTERN.test(each))) {
      const path = join(this.folder, name);
      const { mtime } = await stat(path).catch(() => ({ mtime: before }));
      if (mtime >= before) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  /** Removes a file; an absent file is no error. */
  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }
}

/** Flushes to disk, so that a file is not empty after a power cut. */
async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}
