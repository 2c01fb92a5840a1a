/** The cookie that identifies a browser. It is signed, so that it cannot be forged, and is checked without the database. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DAY_SECONDS, HOUR_MS } from '@nivida/contract/time';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../base/config.ts';
import { latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { cookieName, privateCookie } from './cookies.ts';

/** Over https its name begins with `__Host-`. */
const DEVICE_COOKIE = 'device';
export const DEVICE_COOKIE_SECONDS = 180 * DAY_SECONDS;
/** Age at which a device counts as established, because it is older than most attacks. */
const ESTABLISHED_MS = HOUR_MS;
const TOKEN = /^(([0-9a-z]{1,11})\.[\w-]{22})\.([\w-]{22})$/;

/** A browser with a valid cookie. */
export interface Device {
  token: string;
  /** Attacks by new devices behind the same network address do not block an established device. */
  isEstablished: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for a browser without a valid cookie. */
    device: Device | undefined;
    /** Sets the cookie of a new browser with the answer and returns its token. */
    issueDevice(): string;
  }
}

type DeviceSettings = Pick<Config, 'sessionKeys' | 'publicOrigin'>;

/** Reads the device of each request. Call it after cookies are registered. */
export function registerDevices(server: FastifyInstance, config: DeviceSettings, now: () => Date): void {
  server.decorateRequest('device', undefined);
  server.decorateRequest('issueDevice');
  server.addHook('onRequest', async (request, reply) => {
    const token = readDeviceCookie(request.cookies, config);
    request.device = token === undefined ? undefined : verifyDevice(token, config, now());
    let issued: string | undefined;
    request.issueDevice = () => {
      issued ??= createDevice(config, now());
      reply.setCookie(...deviceCookie(config, issued));
      return issued;
    };
  });
}

/** The unchecked token of a browser. */
export const readDeviceCookie = (
  cookies: Record<string, string | undefined>,
  config: Pick<Config, 'publicOrigin'>,
): string | undefined => cookies[cookieName(config, DEVICE_COOKIE)];

/** Arguments of Fastify's `setCookie`. */
export const deviceCookie = (config: Pick<Config, 'publicOrigin'>, token: string): ReturnType<typeof privateCookie> =>
  privateCookie(config, { name: DEVICE_COOKIE, value: token, seconds: DEVICE_COOKIE_SECONDS });

/** A token that this installation has signed. */
export function createDevice({ sessionKeys: [key = ''] }: Pick<Config, 'sessionKeys'>, now: Date): string {
  const body = `${now.getTime().toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${body}.${sign(body, key)}`;
}

/** The device of a token; undefined if this installation has not signed the token, or if it has expired. */
export function verifyDevice(
  token: string,
  { sessionKeys }: Pick<Config, 'sessionKeys'>,
  now: Date,
): Device | undefined {
  const [, body = '', issued = '', signature = ''] = TOKEN.exec(token) ?? [];
  const isSigned = sessionKeys.some((key) =>
    timingSafeEqual(Buffer.from(sign(body, key)), Buffer.from(signature.padEnd(22))),
  );
  if (body === '' || !isSigned) return undefined;
  const issuedMs = Number.parseInt(issued, 36);
  if (issuedMs > latestPlausibleInstant(now).getTime() || issuedMs < now.getTime() - DEVICE_COOKIE_SECONDS * 1_000)
    return undefined;
  return { token, isEstablished: issuedMs <= now.getTime() - ESTABLISHED_MS };
}

const sign = (body: string, key: string): string =>
  createHmac('sha256', key).update(`device ${body}`).digest('base64url').slice(0, 22);
