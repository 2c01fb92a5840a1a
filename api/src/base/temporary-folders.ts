/** Removes the temporary folders that processes left when they were killed. */
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@nivida/contract/time';

/** No file is read for so long. */
const MAX_AGE_MS = 2 * HOUR_MS;
/** The prefixes with which services make folders. The socket of the embedded database is in another one. */
const OWN = /^nivida-(?:attach|columns|import|preview|read|reading|sent)-\w{6}$/;

/** Removes folders of `place` in which nothing was made for two hours. Returns their number. */
export async function removeLeftFolders(now: Date, place = tmpdir()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(place)) {
    if (!OWN.test(name)) continue;
    const path = join(place, name);
    // Another process may have removed it, or another user may own it.
    const madeAt = await stat(path).catch(() => undefined);
    if (!madeAt || madeAt.mtimeMs > now.getTime() - MAX_AGE_MS) continue;
    const isRemoved = await rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (isRemoved) removed += 1;
  }
  return removed;
}
