import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

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
