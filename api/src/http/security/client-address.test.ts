import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { clientAddress, requestOrigin } from './client-address.ts';

const request = (ip: string, remoteAddress = '127.0.0.1') => ({ ip, socket: { remoteAddress } }) as FastifyRequest;
/** Fastify has no address for a connection that the client has closed. */
const closed = { method: 'GET', ip: undefined as unknown, socket: { remoteAddress: undefined } } as FastifyRequest;
const of = (ip: string, remoteAddress?: string) => clientAddress(request(ip, remoteAddress), true);

describe('the sender of a request', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ])('%s is the IPv4 address %s', (ip, key) => {
    expect(of(ip)).toEqual({ key, share: 1 });
  });

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('%s belongs to the network %s, which has a tenth', (ip, key) => {
    expect(of(ip)).toEqual({ key, share: 0.02 });
  });

  test.each(['unknown', '', '999.1.1.1', '2001:db8::1::2', '_hidden'])('"%s" counts as the sending machine', (ip) => {
    expect(of(ip, '198.51.100.4')).toEqual({ key: '198.51.100.4', share: 1 });
  });

  test('limits all connections that their clients have closed together, apart from every network', () => {
    const unknown = { key: '::/64', share: 0.02 };
    expect(clientAddress(closed, true)).toEqual(unknown);
    expect(clientAddress(closed, false)).toEqual(unknown);
    expect(requestOrigin(closed, true)).toMatchObject({ ip: '', address: unknown });
  });

  test('is not counted when it is this machine itself, outside of production only', () => {
    for (const ip of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
      expect(clientAddress(request(ip), false)).toBeUndefined();
      expect(clientAddress(request(ip), true)).toBeDefined();
    }
    expect(clientAddress(request('203.0.113.7'), false)).toEqual({ key: '203.0.113.7', share: 1 });
  });
});
