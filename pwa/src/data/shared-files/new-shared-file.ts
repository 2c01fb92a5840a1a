import { FORMAT_BYTES, readableFormat } from '@nivida/contract/documents/readable-format';
import { MAX_READING_BYTES } from '@nivida/contract/limits';
import type { SharedFileRow } from '../device/schema.ts';

/**
 * The row of a file that has just arrived; `at` is in milliseconds since 1970. A file that is too large is not stored, and
 * its row says so. Throws when the file cannot be read.
 */
export async function newSharedFile(file: File, at: number, owner = ''): Promise<SharedFileRow> {
  const start = new Uint8Array(await file.slice(0, FORMAT_BYTES + 8).arrayBuffer());
  const kind = readableFormat(start) ? 'document' : file.type.startsWith('image/') ? 'picture' : 'other';
  return {
    ...{ id: crypto.randomUUID(), owner, name: file.name, bytes: file.size, kind, at },
    file: file.size > MAX_READING_BYTES || kind === 'other' ? null : file.slice(0, file.size, file.type),
    ...{ tenderId: null, refusal: null, reading: null, removedAt: null },
  };
}
