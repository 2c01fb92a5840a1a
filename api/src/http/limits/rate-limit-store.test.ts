import { expect, test } from 'vitest';
import { RateLimitStore } from './rate-limit-store.ts';

test('beyond 5,000 addresses the least recently counted one loses its counter', () => {
  const store = new RateLimitStore();
  const counted = (key: string) => {
    let count = 0;
    store.incr(key, (_error, result) => {
      count = result?.current ?? 0;
    });
    return count;
  };
  counted('busy');
  for (let nth = 1; nth < 5_000; nth += 1) counted(`quiet ${nth}`);
  expect(counted('busy')).toBe(2);
  counted('newest');
  expect(counted('busy')).toBe(3);
  expect(counted('quiet 2')).toBe(2);
  expect(counted('quiet 1')).toBe(1);
});
