import { BlockList, isIPv4, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether a host name or address (also in brackets) names this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(bare)) return LOOPBACK.check(bare, 'ipv4');
  // IPv4 addresses inside IPv6 (::ffff:127.0.0.1) count as what they are.
  if (isIPv6(bare)) return LOOPBACK.check(bare, 'ipv6');
  return bare === 'localhost';
}
