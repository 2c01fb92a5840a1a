import type { FastifyRequest } from 'fastify';
import { type RequestOrigin, requestOrigin } from '../../http/security/client-address.ts';
import { readDeviceCookie } from '../../http/security/devices.ts';

/** The data of a sign-in request besides its body. */
export interface Visitor extends RequestOrigin {
  /** '' without the header. */
  userAgent: string;
  /** Unchecked token of the device cookie. */
  deviceToken: string | undefined;
}

/** The data of a sign-in request. */
export function toVisitor(request: FastifyRequest, production: boolean): Visitor {
  return {
    // A new browser gets its cookie here.
    ...requestOrigin(request, production),
    userAgent: request.headers['user-agent'] ?? '',
    deviceToken: request.device?.token ?? readDeviceCookie(request.cookies) ?? request.issueDevice(),
  };
}
