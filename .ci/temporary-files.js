import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY_FOLDER = '/dev/shm';
/** A whole run takes less than half of it. */
const MIN_FREE_BYTES = 8e9;

/**
 * Lets tests keep their temporary files in memory, where it has room: a disk takes up to a second to make the files of one
 * of their databases. A TMPDIR that is set stays.
 */
export function keepTemporaryFilesInMemory() {
  if (!existsSync(MEMORY_FOLDER)) return;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES) process.env.TMPDIR ??= MEMORY_FOLDER;
}
