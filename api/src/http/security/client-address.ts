/** Which address counts as the sender of a request, for the limits per address. */
import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What one subscriber of a network holds: an IPv4 address, or the /64 of an IPv6 address. */
export interface ClientAddress {
  /** '203.0.113.7', or the four groups of '2001:db8:0:1::/64'. */
  key: string;
  /** Part of a limit that it may use: thousands of phones share an IPv4 address, a /64 is one household. */
  share: 1 | 0.1;
}

/** Where a request came from, for limits and for the audit table. */
export interface RequestOrigin {
  /** For the limits per address; undefined where they do not apply. */
  address: ClientAddress | undefined;
  /** The address as it came. */
  ip: string;
  requestId: string;
}

/** Where `request` came from. */
export const requestOrigin = (request: FastifyRequest, production: boolean): RequestOrigin => ({
  address: clientAddress(request, production),
  ip: request.ip,
  requestId: request.id,
});

/**
 * The sender as the trusted proxies give it (TRUST_PROXY). Outside production undefined for this machine itself when no
 * proxy named another: tests and developers share that address with nobody.
 */
export function clientAddress(request: FastifyRequest, production: boolean): ClientAddress | undefined {
  const peer = request.socket.remoteAddress ?? '';
  // Some proxies append the port, which would make each connection an address of its own.
  const named = request.ip.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');
  const ip = withoutMapping(isIP(named) ? named : peer);
  if (!production && isLoopback(ip)) return undefined;
  return isIPv4(ip) ? { key: ip, share: 1 } : { key: networkOf(ip), share: 0.1 };
}

const isLoopback = (ip: string) => ip === '::1' || (isIPv4(ip) && ip.startsWith('127.'));

/** An IPv4 address that came in IPv6 notation, as IPv4; others as they are. */
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
