/** Lets calls with `Authorization: Key` in, with limits of their own. Routes need not know of keys, because all that a key reads is public. */
import type { FastifyInstance } from 'fastify';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { sendError, toErrorResponse } from '../../http/errors/error.filter.ts';
import type { CountedWindow } from '../../http/limits/rate-limits.service.ts';
import { tooManyRequests } from '../../http/limits/too-many-requests.ts';
import { clientAddress } from '../../http/security/client-address.ts';
import { keepPrivate } from '../../http/security/security-headers.ts';
import type { ApiKeysService } from './api-keys.service.ts';

const KEY_HEADER = /^Key +(\S+)$/i;
/** What a key reads: lists, tenders, awards, feeds and the OCDS export. */
const PUBLIC_READS = new RegExp(
  [
    String.raw`^/feeds/tenders\.\w+$`,
    String.raw`^/api/tenders(?:/(?:search|listed|\d+(?:\.ics)?))?$`,
    String.raw`^/api/(?:facets|regions|openapi\.json)$`,
    '^/api/(?:awards|ocds)(?:/.+)?$',
  ].join('|'),
);

/** Whether a key reads the path. */
export const isPublicRead = (path: string): boolean => PUBLIC_READS.test(path);

/** Registers the hook. Call it before the rate limits of addresses. */
export function registerApiKeys(
  server: FastifyInstance,
  keys: ApiKeysService,
  production: boolean,
  onRefused: (limit: string) => void,
): void {
  server.addHook('onRequest', async (request, reply) => {
    const key = KEY_HEADER.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) return;
    try {
      const [path = ''] = request.url.split('?', 1);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead || !isPublicRead(path))
        throw new AppError('FORBIDDEN', forPrograms('A key reads public data only; docs/api.md lists the calls'));
      const sender = { device: undefined, address: clientAddress(request, production) };
      const windows = await keys.count(key, sender);
      reply.headers(limitHeaders(windows));
      const last = windows.at(-1);
      if (last && last.count > last.max) throw tooManyRequests('api-key-account', last.wait);
      request.hasApiKey = true;
    } catch (error) {
      const answer = toErrorResponse(error, request);
      if (answer.limit) onRefused(answer.limit);
      sendError(reply, request, answer);
      return reply;
    }
  });
  // What is left of a key's calls is for its user only.
  server.addHook('onSend', async (request, reply) => {
    if (request.hasApiKey) keepPrivate(reply);
  });
}

/** The window with the fewest calls left, and the rule of each one. */
function limitHeaders(windows: readonly CountedWindow[]): Record<string, string> {
  const left = ({ max, count }: CountedWindow) => Math.max(0, max - count);
  const [nearest] = windows.toSorted((a, b) => left(a) - left(b));
  if (!nearest) return {};
  return {
    'RateLimit-Limit': String(nearest.max),
    'RateLimit-Remaining': String(left(nearest)),
    'RateLimit-Reset': String(nearest.wait),
    'RateLimit-Policy': windows.map(({ max, perSeconds }) => `${max};w=${perSeconds}`).join(', '),
  };
}
