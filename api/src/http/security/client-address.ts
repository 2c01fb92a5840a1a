import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Device } from './devices.ts';
import { isLoopback } from './loopback.ts';

/** The address that rate limits count: an IPv4 address, or the /64 network of an IPv6 address. */
export interface ClientAddress {
  /** '203.0.113.7', or the four groups of '2001:db8:0:1::/64'. */
  key: string;
  /** Share of the limit. Thousands of phones may share an IPv4 address; a /64 is one household. */
  share: 1 | 0.02;
}

/** The sender of a request, for rate limits. */
export interface Sender {
  /** Undefined for a browser without a cookie of ours. */
  device: Device | undefined;
  /** Undefined where limits of addresses do not apply. */
  address: ClientAddress | undefined;
}

/** The source of a request, for rate limits and audit events. */
export interface RequestOrigin extends Sender {
  /** '' after the client has closed the connection. */
  ip: string;
  requestId: string;
}

/** The sender of a request, for rate limits. A browser without a device cookie gets one, unless it only reads. */
export function senderOf(request: FastifyRequest, production: boolean): Sender {
  if (request.device === undefined && request.method !== 'GET') request.issueDevice();
  return { device: request.device, address: clientAddress(request, production) };
}

/** The source of a request. */
export const requestOrigin = (request: FastifyRequest, production: boolean): RequestOrigin => ({
  ...senderOf(request, production),
  ip: addressOf(request),
  requestId: request.id,
});

/**
 * The sender's address according to the trusted proxies (TRUST_PROXY). Outside of production it is undefined for requests
 * from this machine, which only tests and developers send.
 */
export function clientAddress(request: FastifyRequest, production: boolean): ClientAddress | undefined {
  const peer = request.socket.remoteAddress ?? '';
  // Some proxies append the port. Without this each connection would count as another address.
  const named = addressOf(request)
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^\[(.+)\](?::\d+)?$/, '$1');
  const ip = withoutMapping(isIP(named) ? named : peer);
  if (!production && isLoopback(ip)) return undefined;
  return isIPv4(ip) ? { key: ip, share: 1 } : { key: networkOf(ip), share: 0.02 };
}

/** Fastify has no address once the client has closed the connection; its type does not say so. */
const addressOf = ({ ip }: { ip: string | undefined }) => ip ?? '';

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
