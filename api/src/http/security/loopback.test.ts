import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { isLocalRequest, isLoopback } from './loopback.ts';

test.each(['localhost', '127.0.0.1', '127.8.9.1', '::1', '[::1]', '::ffff:127.0.0.1', '[::ffff:7f00:1]'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  '',
  'localhost.evil.example',
  'evil-localhost',
  '127.0.0.1.evil.example',
  '128.0.0.1',
  '10.0.0.1',
  '::2',
  '::ffff:10.0.0.1',
])('"%s" is not this machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});

const request = (remoteAddress: string | undefined, hostname: string, headers: Record<string, string> = {}) =>
  isLocalRequest({ socket: { remoteAddress }, hostname, headers } as unknown as FastifyRequest);

test('a request is local when this machine sends it to its own name, and no proxy forwards it', () => {
  expect(request('127.0.0.1', 'localhost')).toBe(true);
  expect(request('::1', '[::1]', { accept: 'text/html' })).toBe(true);
  expect(request('192.0.2.7', 'localhost')).toBe(false);
  expect(request('127.0.0.1', 'nivida.example')).toBe(false);
  expect(request(undefined, 'localhost')).toBe(false);
});

test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via', 'cf-connecting-ip'])(
  'a request with the header %s of a proxy is not local',
  (name) => {
    expect(request('127.0.0.1', 'localhost', { [name]: '127.0.0.1' })).toBe(false);
    expect(request('127.0.0.1', 'localhost', { [name]: '' })).toBe(false);
  },
);
