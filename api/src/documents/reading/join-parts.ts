import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from '../../storage/file-store.ts';

/** Writes the parts of a file one after the other to `path`. Returns the SHA-256 of the whole, in hexadecimal digits. */
export async function joinParts(store: FileStore, keys: readonly string[], path: string): Promise<string> {
  const hash = createHash('sha256');
  async function* read() {
    for (const key of keys)
      for await (const chunk of await store.read(key)) {
        hash.update(chunk);
        yield chunk;
      }
  }
  await pipeline(read, createWriteStream(path));
  return hash.digest('hex');
}
