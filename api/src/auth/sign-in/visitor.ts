/** Who asks to be let in, as far as the request tells. */
import type { FastifyRequest } from 'fastify';
import { type RequestOrigin, requestOrigin } from '../../http/security/client-address.ts';
import { readDeviceCookie } from './known-browsers.service.ts';

/** What signing in wants to know of a request beside its body. */
export interface Visitor extends RequestOrigin {
  /** '' when the browser does not say. */
  userAgent: string;
  /** Token of a known browser, as the cookie claims. */
  deviceToken: string | undefined;
}

/** The visitor behind a request. */
export function toVisitor(request: FastifyRequest, production: boolean): Visitor {
  return {
    ...requestOrigin(request, production),
    userAgent: request.headers['user-agent'] ?? '',
    deviceToken: readDeviceCookie(request.cookies),
  };
}
