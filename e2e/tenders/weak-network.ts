import { test as base } from '../support/test.ts';
import { WeakProxy } from './weak-proxy.ts';

/** Maximum bytes that are sent again after a broken connection. */
export const MAX_BYTES_AGAIN = 8_192;

// Chromium logs a broken connection.
/** A journey over a network that can be broken. */
export const test = base.extend<{ network: WeakProxy }>({
  expectedErrors: /^Failed to load resource: net::ERR_/,
  network: async ({ baseURL }, use) => {
    const proxy = await WeakProxy.start(baseURL ?? '');
    await use(proxy);
    await proxy.close();
  },
});

/** True for a file of a state. */
export const isSegment = (path: string) => path.startsWith('/api/sync/segments/');

/** How many uncompressed bytes of unfinished files the page's database has. */
export const storedBytes = () =>
  new Promise<number>((resolve) => {
    const request = indexedDB.open('nivida');
    request.onsuccess = () => {
      const db = request.result;
      const all = db.transaction('downloads').objectStore('downloads').getAll();
      all.onsuccess = () => {
        db.close();
        resolve(all.result.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
      };
    };
  });

/** Lets each file of the state trickle and break in its middle, once; returns how many bytes were sent beyond the files' own. */
export async function breakSegments(proxy: WeakProxy, whenStored: () => Promise<void>): Promise<number> {
  let files = 0;
  for (let each = 0; each < 2; each++) {
    const file = await proxy.nextHeld();
    files += file.bytes;
    file.sendUpTo(Math.floor(file.bytes / 2));
    await file.trickle(200);
    await whenStored();
    file.cut();
    (await proxy.nextHeld()).release();
  }
  const sent = [...proxy.sentBytes].filter(([path]) => isSegment(path)).reduce((sum, [, bytes]) => sum + bytes, 0);
  return sent - files;
}
