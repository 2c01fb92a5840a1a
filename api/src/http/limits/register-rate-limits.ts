/**
 * The rate limit per network address, counted by each process in its memory. It protects the server from overload. Exact
 * limits are counted in the database (rate-limits.service.ts).
 */

import rateLimit from '@fastify/rate-limit';
import { t } from '@lingui/core/macro';
import { splitLanguage } from '@nivida/contract/languages';
import { MINUTE_MS } from '@nivida/contract/time';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/app-error.ts';
import { sendError } from '../errors/error.filter.ts';
import { clientAddress } from '../security/client-address.ts';
import { RateLimitStore } from './rate-limit-store.ts';
import { RATE_LIMITS, type RefusedLimit } from './rate-limits.ts';
import { addressHint } from './too-many-requests.ts';

const [{ max: MAX_REQUESTS }] = RATE_LIMITS.request.address;
const [{ max: MAX_SEARCHES }] = RATE_LIMITS.search.address;
const [{ max: MAX_DATA }] = RATE_LIMITS.data.address;
/** The same for every network, because a payment provider sends all its webhooks from few addresses. */
const MIN_WEBHOOKS = 600;

/** URLs that are counted. Files, pages and whole segments can be cached. A part of a segment is compressed on request, so it counts. */
const COUNTED_URL = /^\/(?:api|d|feeds)\/(?!sync\/segments\/[^?]*$)/;
const WEBHOOK_PATH = /^\/api\/webhooks\//;
const SEARCH_PATH =
  /^\/api\/(?:tenders(?:\/search|\/by-number)?|facets|awards(?:\/.+)?|tenders\/[^/]+\/similar-works)$/;
/** Feeds and the OCDS export. */
const DATA_PATH = /^\/(?:feeds|api\/ocds)\//;
/** Server-rendered pages that contain search results or awards. */
const SEARCH_PAGE_PATH = /^\/(?:tenders\/(?:results|\d+)|analysis(?:\/.+)?|awards\/.+)$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** True when the address searches too often. The page is then sent without search results. */
    isSearchLimited: boolean;
    /** True for a call with a key, whose own limits count instead of those of the address. */
    hasApiKey: boolean;
  }
}

/** Registers the rate limits; call it before the routes are registered. */
export async function registerRateLimits(
  server: FastifyInstance,
  production: boolean,
  onRefused: (limit: RefusedLimit) => void,
): Promise<void> {
  await server.register(rateLimit, { global: false, store: RateLimitStore });
  server.decorateRequest('isSearchLimited', false);
  server.decorateRequest('hasApiKey', false);
  const limiter = (max: number, min = 0) =>
    server.createRateLimit({
      timeWindow: MINUTE_MS,
      max: (request) => Math.max(min, max * (clientAddress(request, production)?.share ?? 1)),
      keyGenerator: (request) => clientAddress(request, production)?.key ?? '',
      // Outside of production, requests from this machine have no key and no limit.
      allowList: (_request, key) => key === '',
    });
  const countAll = limiter(MAX_REQUESTS);
  const countSearch = limiter(MAX_SEARCHES);
  const countData = limiter(MAX_DATA);
  const countWebhooks = limiter(MAX_REQUESTS, MIN_WEBHOOKS);

  server.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const refuse = (limit: RefusedLimit, wait: number) => {
      onRefused(limit);
      const text = () => `${t`Too many requests. Please wait a minute.`} ${addressHint()}`;
      sendError(reply, request, new AppError('TOO_MANY', text, undefined, 429, wait));
      return reply;
    };
    if (SEARCH_PAGE_PATH.test(splitLanguage(path).path)) {
      request.isSearchLimited = (await retryAfterSeconds(countSearch, request)) !== undefined;
      if (request.isSearchLimited) onRefused('search-address');
    }
    if (!COUNTED_URL.test(request.url)) return;
    const isWebhook = WEBHOOK_PATH.test(path);
    const wait = await retryAfterSeconds(isWebhook ? countWebhooks : countAll, request);
    if (wait !== undefined) return refuse(isWebhook ? 'webhook-address' : 'request-address', wait);
    if (request.hasApiKey) return;
    const dataWait = DATA_PATH.test(path) ? await retryAfterSeconds(countData, request) : undefined;
    if (dataWait !== undefined) return refuse('data-address', dataWait);
    const searchWait = SEARCH_PATH.test(path) ? await retryAfterSeconds(countSearch, request) : undefined;
    if (searchWait !== undefined) return refuse('search-address', searchWait);
  });
}

/** Seconds until the next request is allowed; undefined when it is allowed now. */
async function retryAfterSeconds(
  count: ReturnType<FastifyInstance['createRateLimit']>,
  request: FastifyRequest,
): Promise<number | undefined> {
  const result = await count(request);
  return !result.isAllowed && result.isExceeded ? Math.max(1, result.ttlInSeconds) : undefined;
}
