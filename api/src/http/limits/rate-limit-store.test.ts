import { afterEach, expect, test, vi } from 'vitest';
import { RateLimitStore } from './rate-limit-store.ts';

afterEach(() => vi.restoreAllMocks());

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

test('a counter begins again after its window, which the first call opens, and says how long it lasts', () => {
  const clock = vi.spyOn(performance, 'now');
  const store = new RateLimitStore();
  const at = (ms: number, counted = store, window?: number) => {
    clock.mockReturnValue(1_000_000 + ms);
    let result: { current: number; ttl: number } | undefined;
    counted.incr(
      '203.0.113.7',
      (_error, given) => {
        result = given;
      },
      window,
    );
    return result;
  };
  expect(at(0)).toEqual({ current: 1, ttl: 60_000 });
  expect(at(20_000)).toEqual({ current: 2, ttl: 40_000 });
  expect(at(59_999)).toEqual({ current: 3, ttl: 1 });
  expect(at(60_000)).toEqual({ current: 1, ttl: 60_000 });
  // Searches are counted apart from all calls.
  expect(at(60_000, store.child())).toEqual({ current: 1, ttl: 60_000 });
  expect(at(61_000, store, 1_000)).toEqual({ current: 1, ttl: 1_000 });
});
