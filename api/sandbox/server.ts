/** The sandbox's listener: the merchant's calls, the buyer's pages, the page of deliveries. */
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { addPages } from './buyer-pages.ts';
import { isLocalName, refuseUnlessLocal, type SandboxConfig } from './config.ts';
import { openTables } from './database.ts';
import { startDue } from './due.ts';
import { HeldAnswers } from './held.ts';
import { addMerchantCalls } from './merchant-calls.ts';
import type { Parts } from './parts.ts';
import css from './pay.css?raw';
import script from './pay.js?raw';
import { SandboxError } from './protocol.ts';

const HOST = '127.0.0.1';
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="14" fill="#0b6b53"/><path d="M14 25l7 7 14-16" fill="none" stroke="#fff" stroke-width="5"/></svg>';

/** A sandbox that runs. */
export interface Sandbox {
  port: number;
  /** Does what is due by the clock; for tests that drive it. */
  runDue(): Promise<void>;
  close(): Promise<void>;
}

/** What a sandbox is started with. */
export interface SandboxOptions extends SandboxConfig {
  now: () => Date;
  /** Nothing happens later by itself, only in `runDue`. */
  isDriven?: boolean;
}

/** Makes the tables that are missing and listens on the loopback address. Throws SandboxRefused where it must not run. */
export async function startSandbox({ now, isDriven = false, ...config }: SandboxOptions): Promise<Sandbox> {
  refuseUnlessLocal(config);
  const pool = await openTables(config.database);
  const app = fastify({ bodyLimit: 64 * 1_024, forceCloseConnections: true });
  const due = startDue(pool, config, now, isDriven);
  const underWay = followHandlers(app);
  const close = async () => {
    await app.close();
    await due.stop();
    // Their callers are gone, but they still ask the database.
    await Promise.allSettled(underWay);
    await pool.end();
  };
  try {
    const held = new HeldAnswers();
    const parts: Parts = { config, pool, now, due, held, origin: () => `http://${HOST}:${portOf(app)}` };
    secure(app, config);
    addFiles(app);
    await app.register(async (scope) => addMerchantCalls(scope, parts));
    await app.register(async (scope) => addPages(scope, parts));
    await app.listen({ host: HOST, port: config.port });
    const runDue = () => {
      held.release();
      return due.run();
    };
    return { port: portOf(app), runDue, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;

/** What handlers are at work on; a cut connection does not end them. */
function followHandlers(app: FastifyInstance): ReadonlySet<Promise<unknown>> {
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

function secure(app: FastifyInstance, config: SandboxConfig): void {
  // Chromium holds the redirect after a form to form-action too, so the way back is named.
  const policy = `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self' ${config.publicOrigin}; frame-ancestors 'none'; base-uri 'none'`;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    // A foreign name that was pointed at this machine (DNS rebinding) must not reach it.
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

function addFiles(app: FastifyInstance): void {
  app.get('/pay.css', (_, reply) => reply.type('text/css; charset=utf-8').send(css));
  app.get('/pay.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  app.get('/icon.svg', (_, reply) => reply.type('image/svg+xml').send(ICON));
}
