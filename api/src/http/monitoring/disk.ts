/** Free space of the folders that this process writes to. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Space of a folder's file system in bytes, as available to an ordinary user. */
export interface DiskSpace {
  freeBytes: number;
  sizeBytes: number;
}

/** The space where `folder` is, or will be created. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return readDiskSpace(parent);
  }
}
