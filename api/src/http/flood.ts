/**
 * The flood brake: at most so many requests a minute from one address, counted by each process in its own memory. It
 * keeps the server answering; what must be counted exactly is counted in the database (limits.service.ts).
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { clientAddress } from './client-address.ts';
import { sendError } from './error.filter.ts';
import { SteadyStore } from './steady-store.ts';

const MINUTE_MS = 60_000;
/** For an IPv4 address, which thousands of phones may share; an IPv6 network has a tenth. */
const MOST_REQUESTS = 3_000;
const MOST_SEARCHES = 600;
/** Of whatever network: a payment provider sends all its webhooks from few addresses. */
const LEAST_WEBHOOKS = 600;

/** Files, pages and segments may come from any cache, so they are not counted. */
const COUNTED = /^\/(?:api|d)\/(?!sync\/segments\/)/;
const WEBHOOK = /^\/api\/webhooks\//;
const SEARCH = /^\/api\/tenders(?:\/search)?$/;
/** A page of tenders comes with their answer, and drawn. */
const TENDER_PAGE = /^\/tenders\/(?:results|\d+)$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** Its address searches too often: the page comes without the answer. */
    isBraked: boolean;
  }
}

/** Registers the brake; call it before the routes are made. */
export async function brakeFloods(server: FastifyInstance, production: boolean): Promise<void> {
  await server.register(rateLimit, { global: false, store: SteadyStore });
  server.decorateRequest('isBraked', false);
  const limiter = (most: number, least = 0) =>
    server.createRateLimit({
      timeWindow: MINUTE_MS,
      max: (request) => Math.max(least, most * (clientAddress(request, production)?.share ?? 1)),
      keyGenerator: (request) => clientAddress(request, production)?.key ?? '',
      // This machine itself, while the app is tried out.
      allowList: (_request, key) => key === '',
    });
  const countAll = limiter(MOST_REQUESTS);
  const countSearch = limiter(MOST_SEARCHES);
  const countWebhooks = limiter(MOST_REQUESTS, LEAST_WEBHOOKS);

  server.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    if (TENDER_PAGE.test(path)) request.isBraked = (await waitOf(countSearch, request)) !== undefined;
    if (!COUNTED.test(path)) return;
    const wait =
      (await waitOf(WEBHOOK.test(path) ? countWebhooks : countAll, request)) ??
      (SEARCH.test(path) ? await waitOf(countSearch, request) : undefined);
    if (wait === undefined) return;
    sendError(
      reply,
      request.id,
      new AppError('TOO_MANY', 'Too many requests. Please wait a minute.', undefined, 429, wait),
    );
    return reply;
  });
}

/** Seconds until the address may ask again, or undefined when it may now. */
async function waitOf(
  count: ReturnType<FastifyInstance['createRateLimit']>,
  request: FastifyRequest,
): Promise<number | undefined> {
  const result = await count(request);
  return !result.isAllowed && result.isExceeded ? Math.max(1, result.ttlInSeconds) : undefined;
}
