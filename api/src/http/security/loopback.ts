import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
/** Headers that a reverse proxy or tunnel sets. The client may then be another machine. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via', 'cf-connecting-ip'];

/** Whether a host name or address (also in brackets) names this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(bare)) return LOOPBACK.check(bare, 'ipv4');
  // BlockList treats IPv4 addresses inside IPv6 (::ffff:127.0.0.1) as IPv4.
  if (isIPv6(bare)) return LOOPBACK.check(bare, 'ipv6');
  return bare === 'localhost';
}

/** Whether a request comes from this machine without a proxy and names this machine as its host. */
export function isLocalRequest({ socket, headers, hostname }: FastifyRequest): boolean {
  const isHere = isLoopback(socket.remoteAddress ?? '') && isLoopback(hostname);
  return isHere && !FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}
