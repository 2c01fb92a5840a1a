/** The sandbox's listener: the merchant's calls, the buyer's pages, the page of deliveries. */
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { assertLocal, isLocalName, type SandboxConfig } from './config.ts';
import type { SandboxContext } from './context.ts';
import { openTables } from './database.ts';
import { startDueWork } from './due-work.ts';
import { HangingResponses } from './hanging-responses.ts';
import { registerMerchantApi } from './merchant-api.ts';
import { registerBuyerPages } from './pages/buyer-pages.ts';
import css from './pages/pay.css?raw';
import script from './pages/pay.js?raw';
import { SandboxError } from './protocol.ts';

const HOST = '127.0.0.1';
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="14" fill="#0b6b53"/><path d="M14 25l7 7 14-16" fill="none" stroke="#fff" stroke-width="5"/></svg>';

/** A running sandbox. */
export interface Sandbox {
  port: number;
  /** Runs due work; for tests that drive the clock. */
  runDue(): Promise<void>;
  close(): Promise<void>;
}

/** Settings with the dependencies of tests. */
export interface SandboxOptions extends SandboxConfig {
  now: () => Date;
  /** Delayed work runs only in `runDue`. */
  isDriven?: boolean;
}

/** Creates missing tables and listens on the loopback address. Throws SandboxConfigError where it must not run. */
export async function startSandbox({ now, isDriven = false, ...config }: SandboxOptions): Promise<Sandbox> {
  assertLocal(config);
  const pool = await openTables(config.database);
  const app = fastify({ bodyLimit: 64 * 1_024, forceCloseConnections: true });
  const due = startDueWork(pool, config, now, isDriven);
  const underWay = trackHandlers(app);
  const close = async () => {
    await app.close();
    await due.stop();
    // Their callers are gone, but their queries still run.
    await Promise.allSettled(underWay);
    await pool.end();
  };
  try {
    const hangingResponses = new HangingResponses();
    const parts: SandboxContext = {
      config,
      pool,
      now,
      due,
      hangingResponses,
      origin: () => `http://${HOST}:${listeningPort(app)}`,
    };
    registerSecurity(app, config);
    registerFiles(app);
    await app.register(async (scope) => registerMerchantApi(scope, parts));
    await app.register(async (scope) => registerBuyerPages(scope, parts));
    await app.listen({ host: HOST, port: config.port });
    const runDue = () => {
      hangingResponses.release();
      return due.run();
    };
    return { port: listeningPort(app), runDue, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const listeningPort = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;

/** Running handlers; a broken connection does not end them. */
function trackHandlers(app: FastifyInstance): ReadonlySet<Promise<unknown>> {
  const underWay = new Set<Promise<unknown>>();
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function followed(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (answer instanceof Promise) {
        const done = answer.catch(() => {}).finally(() => underWay.delete(done));
        underWay.add(done);
      }
      return answer;
    };
  });
  return underWay;
}

function registerSecurity(app: FastifyInstance, config: SandboxConfig): void {
  // Chromium applies form-action also to the redirect after a form, so returnUrl's origin is listed.
  const policy = `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self' ${config.publicOrigin}; frame-ancestors 'none'; base-uri 'none'`;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    // A foreign name that resolves to this machine (DNS rebinding) is rejected.
    if (!isLocalName(request.hostname)) throw new SandboxError(400, 'INVALID', 'Unknown host');
  });
  app.setNotFoundHandler(async () => {
    throw new SandboxError(404, 'NOT_FOUND', 'Nothing here');
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof SandboxError)
      return reply.code(error.status).send({ code: error.code, message: error.message });
    if (error.statusCode && error.statusCode < 500)
      return reply.code(error.statusCode).send({ code: 'INVALID', message: error.message });
    process.stderr.write(`payment sandbox: ${request.method} ${request.routeOptions.url}: ${error.stack}\n`);
    return reply.code(500).send({ code: 'INTERNAL', message: 'The sandbox failed' });
  });
}

function registerFiles(app: FastifyInstance): void {
  app.get('/pay.css', (_, reply) => reply.type('text/css; charset=utf-8').send(css));
  app.get('/pay.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  app.get('/icon.svg', (_, reply) => reply.type('image/svg+xml').send(ICON));
}
