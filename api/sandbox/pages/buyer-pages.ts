/** The pages of the buyer, and the page of deliveries. */
import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { parseAction, parseMethod } from '../actions.ts';
import * as checkouts from '../checkouts.ts';
import { applyActionAndWake, type SandboxContext } from '../context.ts';
import { isEqualInConstantTime, SandboxError } from '../protocol.ts';
import { listDeliveries, resendDelivery } from '../webhooks.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { noticePage, payPage, verifyPage } from './pay-page.ts';

const SESSION_COOKIE = /(?:^|; )sandbox_session=([\w-]{22})(?:;|$)/;

/** Adds the pages and their forms. */
export function registerBuyerPages(app: FastifyInstance, parts: SandboxContext): void {
  const { config, pool, now, due } = parts;
  const key = createHmac('sha256', config.secret).update('csrf').digest();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );

  app.setErrorHandler((error, _, reply) => {
    if (!(error instanceof SandboxError)) throw error;
    return sendPage(reply, error.status, noticePage('This does not work', error.message));
  });

  /** The form, if its token belongs to this browser. Throws 400. */
  const formOf = ({ body, headers }: FastifyRequest): URLSearchParams => {
    const session = SESSION_COOKIE.exec(headers.cookie ?? '')?.[1];
    const form = body instanceof URLSearchParams ? body : new URLSearchParams();
    if (!session || !isEqualInConstantTime(form.get('csrf') ?? '', signSession(key, session)))
      throw new SandboxError(400, 'INVALID', 'This form is out of date. Go back and load the page again.');
    return form;
  };

  app.get<{ Params: { id: string } }>('/pay/:id', async (request, reply) => {
    const checkout = await findCheckout(pool, request.params.id);
    return sendPage(
      reply,
      200,
      closedPage(checkout, now()) ?? payPage(checkout, csrfToken(key, request, reply), now()),
    );
  });

  app.get<{ Params: { id: string; method: string } }>('/pay/:id/verify/:method', async (request, reply) => {
    const checkout = await findCheckout(pool, request.params.id);
    const method = parseMethod(request.params.method);
    if (!method) throw new SandboxError(404, 'NOT_FOUND', 'Nothing here');
    const closed = closedPage(checkout, now());
    return sendPage(reply, 200, closed ?? verifyPage(checkout, csrfToken(key, request, reply), method));
  });

  app.post<{ Params: { id: string } }>('/pay/:id/act', async (request, reply) => {
    const checkout = await findCheckout(pool, request.params.id);
    const action = parseAction(formOf(request));
    if (!action) throw new SandboxError(400, 'INVALID', 'Unknown action');
    if (action.kind === 'verify') return reply.redirect(`/pay/${checkout.id}/verify/${action.method}`, 303);
    if (action.kind === 'problem')
      return sendPage(reply, 422, payPage(checkout, csrfToken(key, request, reply), now(), action));
    const done = await applyActionAndWake(parts, checkout, action.name, action.method);
    if (done?.goesBack !== 'never') return reply.redirect(checkout.return_url, 303);
    return sendPage(reply, 200, noticePage('You left the payment', 'You may close this tab.'));
  });

  app.get('/deliveries', async (request, reply) =>
    sendPage(reply, 200, deliveriesPage(await listDeliveries(pool), csrfToken(key, request, reply))),
  );

  app.post<{ Params: { id: string } }>('/deliveries/:id/resend', async (request, reply) => {
    formOf(request);
    const { id } = request.params;
    if (!/^\d{1,15}$/.test(id) || !(await resendDelivery(pool, id, now())))
      throw new SandboxError(404, 'NOT_FOUND', `No delivery ${id}`);
    due.wake();
    return reply.redirect('/deliveries', 303);
  });
}

async function findCheckout(pool: Pool, id: string): Promise<checkouts.SandboxCheckout> {
  const checkout = await checkouts.findById(pool, id);
  if (!checkout) throw new SandboxError(404, 'NOT_FOUND', 'No such payment');
  return checkout;
}

/** The page shown when the payment page can no longer be used. */
function closedPage(checkout: checkouts.SandboxCheckout, now: Date): string | undefined {
  const back = checkout.return_url;
  const state = checkouts.visibleState(checkout, now);
  if (state === 'PAID') return noticePage('Paid', 'This payment is complete.', back);
  if (state === 'FAILED') return noticePage('Not paid', 'This payment was declined or cancelled.', back);
  if (checkout.outcome)
    return noticePage('On its way', 'The bank has not confirmed this payment yet. Do not pay again.', back);
  if (state === 'EXPIRED') return noticePage('This page has expired', 'Nothing was paid here. Start again.', back);
}

function sendPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}

/** The token of this browser's forms, with a cookie when it has none yet. Lax: buyers arrive from another site. */
function csrfToken(key: Buffer, request: FastifyRequest, reply: FastifyReply): string {
  const known = SESSION_COOKIE.exec(request.headers.cookie ?? '')?.[1];
  const session = known ?? randomBytes(16).toString('base64url');
  if (!known) reply.header('set-cookie', `sandbox_session=${session}; Path=/; HttpOnly; SameSite=Lax`);
  return signSession(key, session);
}

const signSession = (key: Buffer, session: string) => createHmac('sha256', key).update(session).digest('base64url');
