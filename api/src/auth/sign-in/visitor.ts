import type { Language } from '@nivida/contract/languages';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../base/config.ts';
import { languageOfRequest } from '../../http/routing/request-language.ts';
import { type RequestOrigin, requestOrigin } from '../../http/security/client-address.ts';
import { readDeviceCookie } from '../../http/security/devices.ts';

/** The data of a sign-in request besides its body. */
export interface Visitor extends RequestOrigin {
  language: Language;
  /** '' without the header. */
  userAgent: string;
  /** Unchecked token of the device cookie. */
  deviceToken: string | undefined;
}

/** The data of a sign-in request. */
export function toVisitor(request: FastifyRequest, config: Pick<Config, 'production' | 'publicOrigin'>): Visitor {
  return {
    // A new browser gets its cookie here.
    ...requestOrigin(request, config.production),
    language: languageOfRequest(request),
    userAgent: request.headers['user-agent'] ?? '',
    deviceToken: request.device?.token ?? readDeviceCookie(request.cookies, config) ?? request.issueDevice(),
  };
}
