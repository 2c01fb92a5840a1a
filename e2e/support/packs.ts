import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a worker has built these packs; before that the server answers 503. */
export async function waitForPacks(origin: string, scopes: readonly string[]): Promise<void> {
  for (const scope of scopes) while ((await fetch(`${origin}/api/sync/${scope}`)).status === 503) await wait(200);
}
