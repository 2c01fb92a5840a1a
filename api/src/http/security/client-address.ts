import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The address that rate limits count: an IPv4 address, or the /64 network of an IPv6 address. */
export interface ClientAddress {
  /** '203.0.113.7', or the four groups of '2001:db8:0:1::/64'. */
  key: string;
  /** Share of a limit: thousands of phones may share an IPv4 address, a /64 is one household. */
  share: 1 | 0.1;
}

/** The source of a request, for rate limits and audit events. */
export interface RequestOrigin {
  /** For rate limits; undefined where they do not apply. */
  address: ClientAddress | undefined;
  ip: string;
  requestId: string;
}

/** The source of a request. */
export const requestOrigin = (request: FastifyRequest, production: boolean): RequestOrigin => ({
  address: clientAddress(request, production),
  ip: request.ip,
  requestId: request.id,
});

/**
 * The sender by the trusted proxies (TRUST_PROXY). Outside of production undefined for a request of this machine itself,
 * which only tests and developers send.
 */
export function clientAddress(request: FastifyRequest, production: boolean): ClientAddress | undefined {
  const peer = request.socket.remoteAddress ?? '';
  // Some proxies append the port, which would count each connection as another address.
  const named = request.ip.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');
  const ip = withoutMapping(isIP(named) ? named : peer);
  if (!production && isLoopback(ip)) return undefined;
  return isIPv4(ip) ? { key: ip, share: 1 } : { key: networkOf(ip), share: 0.1 };
}

const isLoopback = (ip: string) => ip === '::1' || (isIPv4(ip) && ip.startsWith('127.'));

/** Turns an IPv4 address in IPv6 notation into IPv4. */
function withoutMapping(ip: string): string {
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1] ?? ip;
}

function networkOf(ip: string): string {
  const [head = '', tail] = ip.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(missing, 0)).fill('0'), ...groups(tail ?? '')];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
