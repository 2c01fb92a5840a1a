import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

const CHECK_INTERVAL_MS = 250;
/** Idle connections are closed after this many checks in a row without a request. */
const MAX_IDLE_CHECKS = 4;

/** Whether this process accepts requests; proxies poll it. */
@Injectable()
export class Readiness {
  private current: 'starting' | 'ready' | 'ending' = 'starting';

  get phase(): 'starting' | 'ready' | 'ending' {
    return this.current;
  }

  markReady(): void {
    this.current = 'ready';
  }

  /** Tells proxies to send no new requests. Requests that still arrive are answered. */
  markEnding(): void {
    this.current = 'ending';
  }
}

/**
 * Shuts the server down without losing a request. While it stops, every answer closes its connection. The shutdown waits
 * for all running handlers, even if their client has disconnected, because they still use the database. Call it before the
 * routes are registered.
 */
export function registerGracefulClose(server: FastifyInstance, readiness: Readiness): void {
  const working = new Set<Promise<unknown>>();
  let open = 0;
  let looking: NodeJS.Timeout | undefined;

  server.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (...args) {
      const work: unknown = handler.apply(this, args);
      if (work instanceof Promise) {
        working.add(work);
        const done = () => working.delete(work);
        work.then(done, done);
      }
      return work;
    };
  });
  server.addHook('onRequest', async (_request, reply) => {
    open += 1;
    // 'close' is also emitted when the client disconnects.
    reply.raw.once('close', () => {
      open -= 1;
    });
    if (readiness.phase === 'ending') reply.header('Connection', 'close');
  });
  server.addHook('preClose', async () => {
    // Browsers open connections in advance. These must not delay the shutdown.
    let quiet = 0;
    looking = setInterval(() => {
      quiet = open === 0 ? quiet + 1 : 0;
      if (quiet >= MAX_IDLE_CHECKS) server.server.closeAllConnections();
    }, CHECK_INTERVAL_MS);
  });
  // Runs after the connections are closed.
  server.addHook('onClose', async () => {
    clearInterval(looking);
    while (working.size > 0) await Promise.allSettled(working);
  });
}
