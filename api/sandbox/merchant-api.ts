/** The calls of the merchant's server; protocol.ts describes them. */
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { presetOutcome } from './checkout-actions.ts';
import * as checkouts from './checkouts.ts';
import { applyActionAndWake, type SandboxContext } from './context.ts';
import {
  CreateCheckoutRequest,
  CreateRefundRequest,
  isEqualInConstantTime,
  SandboxError,
  ScenarioRequest,
} from './protocol.ts';
import { createRefund, readRefund } from './refunds.ts';

/** Adds the routes below /v1. */
export function registerMerchantApi(app: FastifyInstance, parts: SandboxContext): void {
  const { config, pool, now, due, origin } = parts;
  app.addHook('onRequest', async ({ headers }) => {
    if (!isEqualInConstantTime(headers.authorization ?? '', `Bearer ${config.secret}`))
      throw new SandboxError(401, 'UNAUTHORISED', 'The secret is missing or wrong');
  });

  app.post('/v1/checkouts', async ({ body }) => {
    const checkout = await checkouts.createCheckout(
      pool,
      parseBody(CreateCheckoutRequest, body),
      config.publicOrigin,
      now(),
    );
    const { id, expires_at } = checkout;
    return { providerRef: id, url: `${origin()}/pay/${id}`, expiresAt: expires_at.toISOString() };
  });

  app.get<{ Params: { attemptRef: string } }>('/v1/checkouts/:attemptRef', async ({ params }, reply) => {
    const checkout = await checkouts.findByAttempt(pool, params.attemptRef);
    if (!checkout) throw new SandboxError(404, 'NOT_FOUND', `No checkout ${params.attemptRef}`);
    const fault = checkouts.activeStatusFault(checkout, now());
    if (fault === '500') return reply.code(500).send({ code: 'INTERNAL', message: 'The sandbox fails on purpose' });
    if (fault === 'hang') await parts.hangingResponses.hang(reply.raw);
    const status = await checkouts.readCheckoutStatus(pool, checkout, now());
    if (fault === 'malformed') return reply.type('application/json').send(JSON.stringify(status).slice(0, -20));
    return status;
  });

  app.post('/v1/refunds', async ({ body }) => {
    const refund = await createRefund(pool, parseBody(CreateRefundRequest, body), now());
    due.wake();
    return refund;
  });

  app.get<{ Params: { refundRef: string } }>('/v1/refunds/:refundRef', ({ params }) =>
    readRefund(pool, params.refundRef),
  );

  app.post('/v1/_scenarios', async ({ body }) => {
    const { attemptRef, outcome, play } = parseBody(ScenarioRequest, body);
    await presetOutcome(pool, attemptRef, outcome);
    if (!play) return { redirect: null };
    const checkout = await checkouts.findByAttempt(pool, attemptRef);
    if (!checkout) throw new SandboxError(404, 'NOT_FOUND', `No checkout ${attemptRef}`);
    const done = await applyActionAndWake(parts, checkout, outcome, 'UPI');
    return { redirect: done?.goesBack === 'never' ? null : checkout.return_url };
  });
}

/** The validated body. Throws 400. */
function parseBody<Output>(schema: v.GenericSchema<unknown, Output>, body: unknown): Output {
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new SandboxError(400, 'INVALID', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
}
