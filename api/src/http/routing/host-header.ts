import type { FastifyInstance } from 'fastify';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { sendError } from '../errors/error.filter.ts';

/** `uri-host [":" port]` of RFC 9110, section 7.2: a name, an IPv4 address or an IPv6 address in brackets. */
const HOST_PATTERN = /^(?:\[[\da-f:.]+\]|[\w.~-]*)(?::\d{0,5})?$/i;
const MAX_PORT = 65_535;

/** Whether the request has at most one Host header, with a valid host and optional port. `rawHeaders` alternates names and values. */
export function hasValidHost(rawHeaders: readonly string[]): boolean {
  const hosts = rawHeaders.filter((_value, nth) => rawHeaders[nth - 1]?.toLowerCase() === 'host' && nth % 2 === 1);
  const [host = '', ...others] = hosts;
  const port = /:(\d+)$/.exec(host)?.[1] ?? '0';
  return others.length === 0 && HOST_PATTERN.test(host) && Number(port) <= MAX_PORT;
}

/** Answers 400 to several Host headers or an invalid one (RFC 9112, section 3.2): a proxy and this server could read different hosts. */
export function rejectInvalidHosts(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (hasValidHost(request.raw.rawHeaders)) return;
    sendError(reply, request, new AppError('INVALID', forPrograms('The request must name one host')));
    return reply;
  });
}
