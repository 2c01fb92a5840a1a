import type { Config } from '../../base/config.ts';

/** The site that passkeys belong to: the host is their id, and only pages of the origin may ask for them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** A page of this machine. Browsers take no address of numbers for passkeys. */
const LOCALHOST = /^http:\/\/localhost(?::\d+)?$/;

/**
 * The relying party of PUBLIC_ORIGIN. Outside of production a page at localhost has its own, on any port, as a server
 * with reload has another one. `origin` is the request's Origin header.
 */
export function relyingPartyOf(
  { publicOrigin, production }: Pick<Config, 'publicOrigin' | 'production'>,
  origin: string | undefined,
): RelyingParty {
  if (!production && origin !== undefined && LOCALHOST.test(origin)) return { id: 'localhost', origin };
  return { id: new URL(publicOrigin).hostname, origin: publicOrigin };
}
