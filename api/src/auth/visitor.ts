/** Who asks to be let in, as far as the request tells. */
import type { FastifyRequest } from 'fastify';
import { type ClientAddress, clientAddress } from '../http/client-address.ts';
import { DEVICE_COOKIE } from './devices.service.ts';

/** What signing in wants to know of a request beside its body. */
export interface Visitor {
  /** For the limits per address; undefined where they do not apply. */
  address: ClientAddress | undefined;
  /** The address as it came, for the consent log. */
  ip: string;
  /** '' when the browser does not say. */
  userAgent: string;
  /** Token of a known browser, as the cookie claims. */
  device: string | undefined;
  requestId: string;
}

/** The visitor behind a request. */
export function toVisitor(request: FastifyRequest, production: boolean): Visitor {
  return {
    address: clientAddress(request, production),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    device: request.cookies[DEVICE_COOKIE],
    requestId: request.id,
  };
}
