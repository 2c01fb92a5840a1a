/** The calls of the merchant's server; protocol.ts describes them. */
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import * as checkouts from './checkouts.ts';
import { isSame } from './compare.ts';
import { preset } from './course.ts';
import { actOn, type Parts } from './parts.ts';
import { NewCheckout, NewRefund, NewScenario, SandboxError } from './protocol.ts';
import { createRefund, readRefund } from './refunds.ts';

/** Adds everything below /v1. */
export function addMerchantCalls(app: FastifyInstance, parts: Parts): void {
  const { config, pool, now, due, origin } = parts;
  app.addHook('onRequest', async ({ headers }) => {
    if (!isSame(headers.authorization ?? '', `Bearer ${config.secret}`))
      throw new SandboxError(401, 'UNAUTHORISED', 'The secret is missing or wrong');
  });

  app.post('/v1/checkouts', async ({ body }) => {
    const checkout = await checkouts.createCheckout(pool, check(NewCheckout, body), config.publicOrigin, now());
    const { id, expires_at } = checkout;
    return { providerRef: id, url: `${origin()}/pay/${id}`, expiresAt: expires_at.toISOString() };
  });

  app.get<{ Params: { attemptRef: string } }>('/v1/checkouts/:attemptRef', async ({ params }, reply) => {
    const checkout = await checkouts.findByAttempt(pool, params.attemptRef);
    if (!checkout) throw new SandboxError(404, 'NOT_FOUND', `No checkout ${params.attemptRef}`);
    const fault = checkouts.statusFaultOf(checkout, now());
    if (fault === '500') return reply.code(500).send({ code: 'INTERNAL', message: 'The sandbox fails on purpose' });
    if (fault === 'hang') await parts.held.until(reply.raw);
    const status = await checkouts.statusOf(pool, checkout, now());
    if (fault === 'malformed') return reply.type('application/json').send(JSON.stringify(status).slice(0, -20));
    return status;
  });

  app.post('/v1/refunds', async ({ body }) => {
    const refund = await createRefund(pool, check(NewRefund, body), now());
    due.wake();
    return refund;
  });

  app.get<{ Params: { refundRef: string } }>('/v1/refunds/:refundRef', ({ params }) =>
    readRefund(pool, params.refundRef),
  );

  app.post('/v1/_scenarios', async ({ body }) => {
    const { attemptRef, outcome, play } = check(NewScenario, body);
    await preset(pool, attemptRef, outcome);
    if (!play) return { redirect: null };
    const checkout = await checkouts.findByAttempt(pool, attemptRef);
    if (!checkout) throw new SandboxError(404, 'NOT_FOUND', `No checkout ${attemptRef}`);
    const done = await actOn(parts, checkout, outcome, 'UPI');
    return { redirect: done?.goesBack === 'never' ? null : checkout.return_url };
  });
}

/** The body, if it is as the protocol says. Throws 400. */
function check<Output>(schema: v.GenericSchema<unknown, Output>, body: unknown): Output {
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new SandboxError(400, 'INVALID', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
}
