import { expect, test } from 'vitest';
import { withLock } from './lock.ts';

const later = () => Promise.withResolvers<void>();

test('without Web Locks two calls of a page run one after the other', async () => {
  const [first, order] = [later(), [] as string[]];
  const one = withLock('a', async () => {
    order.push('one begins');
    await first.promise;
    order.push('one ends');
  });
  const two = withLock('a', async () => void order.push('two'));
  await withLock('b', async () => void order.push('another lock'));
  first.resolve();
  await Promise.all([one, two]);
  expect(order).toEqual(['one begins', 'another lock', 'one ends', 'two']);
});

test('a failure reaches its own caller only', async () => {
  const failing = withLock('c', async () => {
    throw new Error('lost');
  });
  const next = withLock('c', async () => 'done');
  await expect(failing).rejects.toThrow('lost');
  await expect(next).resolves.toBe('done');
});
