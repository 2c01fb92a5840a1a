import type { FastifyRequest } from 'fastify';
import { type RequestOrigin, requestOrigin } from '../../http/security/client-address.ts';
import { readDeviceCookie } from './known-browsers.service.ts';

/** The data of a sign-in request besides its body. */
export interface Visitor extends RequestOrigin {
  /** '' without the header. */
  userAgent: string;
  /** Unchecked token of the known-browser cookie. */
  deviceToken: string | undefined;
}

/** The data of a sign-in request. */
export function toVisitor(request: FastifyRequest, production: boolean): Visitor {
  return {
    ...requestOrigin(request, production),
    userAgent: request.headers['user-agent'] ?? '',
    deviceToken: readDeviceCookie(request.cookies),
  };
}
