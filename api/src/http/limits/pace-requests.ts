import type { FastifyInstance } from 'fastify';

/** Manifests and deltas. Devices request them in bursts, and no user waits for them. */
const PACED_URL = /^\/api\/sync\/(?!segments\/)/;
/** Number of paced requests per turn of the event loop. */
const REQUESTS_PER_TURN = 2;

/** Lets callers continue in order, a few in each turn of the event loop. */
export class Pacer {
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly perTurn: number) {}

  wait(): Promise<void> {
    return new Promise((go) => {
      if (this.waiting.push(go) === 1) setImmediate(this.release);
    });
  }

  private readonly release = (): void => {
    for (const go of this.waiting.splice(0, this.perTurn)) go();
    // Runs in the next turn, after the events that have arrived.
    if (this.waiting.length > 0) setImmediate(this.release);
  };
}

/**
 * Spreads bursts of requests for offline packs over several turns of the event loop. A sign-in takes a dozen turns, one
 * for each answer of the database. Without the pacer each of them would wait for a whole burst. Call it before other hooks.
 */
export function paceSyncRequests(server: FastifyInstance): void {
  const pacer = new Pacer(REQUESTS_PER_TURN);
  server.addHook('onRequest', async (request) => {
    if (PACED_URL.test(request.url)) await pacer.wait();
  });
}
