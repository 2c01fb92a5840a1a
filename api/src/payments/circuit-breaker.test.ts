import { expect, test } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';
import { GatewayError, GatewayRejectedError } from './payment-gateway.port.ts';

const START = Date.UTC(2026, 10, 10, 6);
const isOutage = (error: unknown) => error instanceof GatewayError;

function driven() {
  const breaker = new CircuitBreaker();
  const clock = { seconds: 0 };
  const now = () => new Date(START + clock.seconds * 1_000);
  const fail = (error: Error = new GatewayError('no answer')) =>
    breaker.run(() => Promise.reject(error), isOutage, now).catch(() => {});
  const succeed = () => breaker.run(async () => 'page', isOutage, now);
  return { breaker, clock, now, fail, succeed, allows: () => breaker.allows(now()) };
}

test('one failure keeps the way open, two in a row close it for a minute', async () => {
  const { clock, fail, allows } = driven();
  expect(allows()).toBe(true);
  await fail();
  expect(allows()).toBe(true);
  await fail();
  expect(allows()).toBe(false);
  clock.seconds = 59;
  expect(allows()).toBe(false);
  clock.seconds = 60;
  expect(allows()).toBe(true);
});

test('an answer between two failures starts the count again; a rejection is an answer', async () => {
  const { fail, succeed, allows } = driven();
  await fail();
  await succeed();
  await fail();
  expect(allows()).toBe(true);
  await fail(new GatewayRejectedError('refused'));
  await fail();
  expect(allows()).toBe(true);
});

test('after the minute one call tries it, while others stay away', async () => {
  const { breaker, clock, now, fail, succeed, allows } = driven();
  await fail();
  await fail();
  clock.seconds = 60;
  const { promise, resolve } = Promise.withResolvers<string>();
  const trial = breaker.run(() => promise, isOutage, now);
  expect(allows()).toBe(false);
  resolve('page');
  await trial;
  expect(allows()).toBe(true);
  await fail();
  expect(allows()).toBe(true);
  await succeed();
});

test('a failed trial closes the way for another minute', async () => {
  const { clock, fail, allows } = driven();
  await fail();
  await fail();
  clock.seconds = 60;
  await fail();
  expect(allows()).toBe(false);
  clock.seconds = 119;
  expect(allows()).toBe(false);
  clock.seconds = 120;
  expect(allows()).toBe(true);
});

test('a clock that is set back does not keep the way closed', async () => {
  const { clock, fail, allows } = driven();
  await fail();
  await fail();
  clock.seconds = -10;
  expect(allows()).toBe(true);
});
