import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

const CHECK_INTERVAL_MS = 250;
/** Looks in a row without a request after which a connection is taken for one that will never bring one. */
const MAX_IDLE_CHECKS = 4;

/** Whether this process wants requests: what a proxy in front asks before it sends one. */
@Injectable()
export class Readiness {
  private current: 'starting' | 'ready' | 'ending' = 'starting';

  get phase(): 'starting' | 'ready' | 'ending' {
    return this.current;
  }

  /** Everything is there. */
  markReady(): void {
    this.current = 'ready';
  }

  /** From now on no new ones, please; those that come all the same are answered. */
  markEnding(): void {
    this.current = 'ending';
  }
}

/**
 * Lets the server end without losing a request: while it ends every answer closes its connection, and closing waits for
 * what is under way, also for the work of those who have hung up, since it needs the database. Call it before the routes
 * are made.
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
    // Also comes when the sender hangs up.
    reply.raw.once('close', () => {
      open -= 1;
    });
    if (readiness.phase === 'ending') reply.header('Connection', 'close');
  });
  server.addHook('preClose', async () => {
    // Browsers open connections in advance, which would keep the server from closing.
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
