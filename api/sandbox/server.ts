/**
 * The routes of the payment sandbox, which replaces a payment provider. It is a separate process on 127.0.0.1. No money moves.
 * Amounts are integer paise, instants ISO 8601 UTC, bodies JSON (UTF-8). Unknown fields are rejected.
 *
 * Everything below /v1 needs `Authorization: Bearer <SANDBOX_SECRET>`. The same secret signs the webhooks.
 * Errors are `{ "message" }`. 409: the reference was used before with another body. With the same body it returns the same record.
 *
 * POST /v1/checkouts   body `CreateCheckoutRequest`; 200 `{ "providerRef", "url", "expiresAt" }`
 *   `url` is the hosted page. It ends at `expiresAt`, at the latest 15 minutes after its creation.
 * GET /v1/checkouts/{attemptRef}   200 `{ "state", "errorCode", "payments": [{ "paymentId", "amountPaise", "currency", "method" }] }`
 *   PENDING  undecided. A payment that is being processed is PENDING too, even after the end of the page
 *   PAID     captured; `payments` lists every capture, oldest first (a buyer can be debited twice)
 *   FAILED   declined or cancelled; errorCode UPI_DECLINED or CANCELLED_BY_BUYER
 *   EXPIRED  the page ended without a payment. May still become PAID, as with real providers
 * POST /v1/refunds   body `CreateRefundRequest`;   GET /v1/refunds/{refundRef}   both 200 `Refund`
 *   422 when the refunds of a checkout, without failed ones, would exceed the captured amount.
 * POST /v1/_scenarios   body `ScenarioRequest`, for tests: acts as a buyer who chooses this outcome.
 *   200 `{ "redirect" }`: the address to which the browser would return; null if it would not return.
 *
 * GET /pay/{providerRef}   the hosted page. Its forms go to POST /pay/{providerRef}/act with `vpa`, `<outcome>@sandbox`.
 *   The answer is 303 to returnUrl, without the result. The caller must ask for the status. A used page redirects at once.
 *
 * WEBHOOK  POST <webhookOrigin>/api/webhooks/payments/sandbox, with the headers
 *   X-Sandbox-Event-Id: evt_…   the same in every attempt and in the body
 *   X-Sandbox-Signature: t=<unix seconds>,v1=<64 hex digits>   v1 = HMAC-SHA256(secret, "<t>.<raw body>"), t = time of this attempt
 *   Any 2xx within 5 s counts as received. Otherwise it is sent again after 1 s, 5 s, 30 s, 2 min and 10 min, then no more.
 *   Order and uniqueness are not guaranteed.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import * as v from 'valibot';
import { isLocalName, type SandboxConfig } from './config.ts';
import { isOutcomeName, type Outcome, type OutcomeName } from './outcomes.ts';
import { expiredPage, leftPage, payPage } from './pages.ts';
import css from './pay.css?raw';
import * as records from './records.ts';
import { sendDueDelivery } from './webhooks.ts';

const HOST = '127.0.0.1';
const CHECK_INTERVAL_MS = 1_000;

/** A running sandbox. */
export interface Sandbox {
  port: number;
  /** Runs all due work, one item after another, and ends waits. */
  runDue(): Promise<void>;
  close(): Promise<void>;
}

/** Settings with the dependencies of tests. */
export interface SandboxOptions extends SandboxConfig {
  now: () => Date;
  /** Delayed work runs only in `runDue`. */
  isDriven?: boolean;
}

interface Context extends SandboxOptions {
  pool: Pool;
  runDue: () => Promise<void>;
  /** Waits until the caller hangs up. */
  hang: (reply: ServerResponse) => Promise<unknown>;
  stopping: AbortSignal;
}

/** Creates missing tables and listens on the loopback address. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { now } = options;
  const pool = await records.openTables(options.database);
  const app = fastify({ bodyLimit: 64 * 1_024, forceCloseConnections: true });
  const stop = new AbortController();
  let released = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const workOff = async () => {
    while (!stop.signal.aborted) {
      const isDone = (await records.applyDue(pool, now())) || (await sendDueDelivery(pool, options, now, stop.signal));
      if (!isDone) return;
    }
  };
  const runDue = () => {
    running = running.then(workOff, workOff);
    return running;
  };
  const close = async () => {
    stop.abort();
    clearInterval(timer);
    await app.close();
    await running.catch(() => {});
    await pool.end();
  };

  try {
    const hang: Context['hang'] = (reply) => once(reply, 'close', { signal: released.signal }).catch(() => {});
    const context: Context = { ...options, pool, runDue, hang, stopping: stop.signal };
    registerRules(app, context);
    registerMerchantCalls(app, context);
    registerPages(app, context);
    await app.listen({ host: HOST, port: options.port });
    const report = ({ message }: Error) => stop.signal.aborted || process.stderr.write(`payment sandbox: ${message}\n`);
    if (!options.isDriven) timer = setInterval(() => runDue().catch(report), CHECK_INTERVAL_MS);
    const release = () => {
      released.abort();
      released = new AbortController();
      return runDue();
    };
    return { port: listeningPort(app), runDue: release, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const listeningPort = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;

const isMerchantCall = ({ routeOptions }: FastifyRequest) => routeOptions.url?.startsWith('/v1/') ?? false;

/** Sets the headers of every response and checks the caller. */
function registerRules(app: FastifyInstance, { publicOrigin, secret, stopping }: Context): void {
  // Chromium applies form-action to the redirect after a form too, so returnUrl's origin is listed.
  const policy = `default-src 'none'; style-src 'self'; img-src data:; form-action 'self' ${publicOrigin}; frame-ancestors 'none'; base-uri 'none'`;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    // A foreign name that resolves to this machine (DNS rebinding) is rejected.
    if (!isLocalName(request.hostname)) throw records.refusal(400, 'Unknown host');
    if (isMerchantCall(request)) {
      if (request.headers.authorization !== `Bearer ${secret}`)
        throw records.refusal(401, 'The secret is missing or wrong');
    } else {
      if (request.method === 'POST' && request.headers['sec-fetch-site'] !== 'same-origin')
        throw records.refusal(400, 'This form does not come from a page of the sandbox.');
      reply.type('text/html; charset=utf-8');
    }
  });
  app.addHook('onError', async ({ method, routeOptions }, _, { stack, statusCode = 500 }) => {
    // Not logged during a stop, when requests lose the database.
    if (statusCode >= 500 && !stopping.aborted)
      process.stderr.write(`payment sandbox: ${method} ${routeOptions.url}: ${stack}\n`);
  });
}

/** The validated body. Throws 400. */
function parseBody<Output>(schema: v.GenericSchema<unknown, Output>, body: unknown): Output {
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw records.refusal(400, `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
}

function registerMerchantCalls(app: FastifyInstance, context: Context): void {
  const { pool, now } = context;
  app.post('/v1/checkouts', async ({ body }) => {
    const request = parseBody(records.CreateCheckoutRequest, body);
    const { id, expires_at } = await records.createCheckout(pool, request, context.publicOrigin, now());
    // Not `localhost`, so that the app's cookies do not reach the page.
    const url = `http://${HOST}:${listeningPort(app)}/pay/${id}`;
    return { providerRef: id, url, expiresAt: expires_at.toISOString() };
  });

  app.get<{ Params: { attemptRef: string } }>('/v1/checkouts/:attemptRef', async ({ params }, reply) => {
    const checkout = await records.findCheckout(pool, 'attempt_ref', params.attemptRef);
    const fault = records.activeStatusFault(checkout, now());
    if (fault === '500') return reply.code(500).send({ code: 'INTERNAL', message: 'The sandbox fails on purpose' });
    if (fault === 'hang') await context.hang(reply.raw);
    const status = await records.readStatus(pool, checkout, now());
    if (fault === 'malformed') return reply.type('application/json').send(JSON.stringify(status).slice(0, -20));
    return status;
  });

  app.post('/v1/refunds', ({ body }) =>
    records.createRefund(pool, parseBody(records.CreateRefundRequest, body), now()),
  );

  app.get<{ Params: { refundRef: string } }>('/v1/refunds/:refundRef', async ({ params: { refundRef } }) => {
    const refund = await records.findRefund(pool, refundRef);
    if (!refund) throw records.refusal(404, `No refund ${refundRef}`);
    return refund;
  });

  app.post('/v1/_scenarios', async ({ body }) => {
    const { attemptRef, outcome } = parseBody(records.ScenarioRequest, body);
    const checkout = await records.findCheckout(pool, 'attempt_ref', attemptRef);
    const done = await act(context, attemptRef, outcome);
    return { redirect: done?.goesBack === 'never' ? null : checkout.return_url };
  });
}

/** Applies the buyer's action and runs due work. Returns the result of `applyAction`. */
async function act({ pool, now, runDue }: Context, attemptRef: string, name: OutcomeName) {
  const outcome: Outcome | undefined = await records.applyAction(pool, attemptRef, name, now());
  if (outcome?.goesBack === 'after webhook') await runDue();
  return outcome;
}

function registerPages(app: FastifyInstance, context: Context): void {
  const { pool, now } = context;
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );

  app.get('/pay.css', (_, reply) => reply.type('text/css; charset=utf-8').send(css));

  app.get<{ Params: { id: string } }>('/pay/:id', async ({ params }, reply) => {
    const checkout = await records.findCheckout(pool, 'id', params.id);
    if (checkout.outcome) return reply.redirect(checkout.return_url, 303);
    return records.visibleState(checkout, now()) === 'PENDING' ? payPage(checkout) : expiredPage(checkout);
  });

  app.post<{ Params: { id: string }; Body: Record<string, string> }>('/pay/:id/act', async (request, reply) => {
    const checkout = await records.findCheckout(pool, 'id', request.params.id);
    const [, name = ''] = /^([\w-]+)@sandbox$/.exec(request.body.vpa?.trim().toLowerCase() ?? '') ?? [];
    if (!isOutcomeName(name)) {
      reply.code(422);
      return payPage(checkout, 'Use success@sandbox, fail@sandbox or another outcome.');
    }
    const done = await act(context, checkout.attempt_ref, name);
    return done?.goesBack === 'never' ? leftPage() : reply.redirect(checkout.return_url, 303);
  });
}
