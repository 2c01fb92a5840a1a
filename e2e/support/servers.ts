import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A free TCP port of this machine. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Waits until a worker has built these packs. Before that the server answers 503. */
export async function waitForPacks(origin: string, scopes: readonly string[]): Promise<void> {
  for (const scope of scopes) while ((await fetch(`${origin}/api/sync/${scope}`)).status === 503) await wait(200);
}
