import { createHash } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Config } from '../../base/config.ts';

type CookieSite = Pick<Config, 'publicOrigin'>;

const isSecure = ({ publicOrigin }: CookieSite): boolean => publicOrigin.startsWith('https:');

/**
 * Name of a cookie. Over https it has the prefix `__Host-`, so that no subdomain and no plain http page can set it.
 * Browsers refuse the prefix without TLS.
 */
export const cookieName = (site: CookieSite, name: string): string => (isSecure(site) ? `__Host-${name}` : name);

/** Arguments of Fastify's `setCookie` for a cookie hidden from scripts and from requests of other sites. */
export function privateCookie(
  site: CookieSite,
  { name, value, seconds }: { name: string; value: string; seconds: number },
): [string, string, CookieSerializeOptions] {
  // The API has two path conventions, so no narrower path fits; `__Host-` requires '/' too.
  const options = { httpOnly: true, sameSite: 'strict', secure: isSecure(site), path: '/', maxAge: seconds } as const;
  return [cookieName(site, name), value, options];
}

/** SHA-256 in hex: the stored form of random tokens and rate limit keys. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
