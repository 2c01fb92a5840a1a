import { expect, test } from 'vitest';
import { TtlCache } from './ttl-cache.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30').getTime();

/** The number of loads of one key that is read at the instants `offsetsMs`. */
async function countLoads(offsetsMs: number[], load = async () => 'value'): Promise<number> {
  const cache = new TtlCache<string>(1_000);
  let loads = 0;
  for (const offset of offsetsMs)
    await cache
      .get('key', new Date(NOW + offset), () => {
        loads += 1;
        return load();
      })
      .catch(() => undefined);
  return loads;
}

test.each<[string, number[], number]>([
  ['within its time', [0, 999], 1],
  ['at the end of its time', [0, 1_000], 2],
  ['after the clock was set back by less than its time', [0, -999], 1],
  ['after the clock was set back by an hour', [0, -3_600_000], 2],
])('a value that is read %s', async (_when, offsetsMs, loads) => {
  expect(await countLoads(offsetsMs)).toBe(loads);
});

test('several keys are cached at the same time, and a forced read loads again', async () => {
  const cache = new TtlCache<number>(1_000);
  let loads = 0;
  const read = (key: string, offset: number, isForced = false) =>
    cache.get(key, new Date(NOW + offset), async () => ++loads, isForced);
  expect([await read('a', 0), await read('b', 500), await read('a', 900)]).toEqual([1, 2, 1]);
  expect([await read('b', 900, true), await read('b', 901)]).toEqual([3, 3]);
});

test('a value whose time is over is dropped when another key is loaded', async () => {
  const cache = new TtlCache<number>(1_000);
  let loads = 0;
  const read = (key: string, offset: number) => cache.get(key, new Date(NOW + offset), async () => ++loads);
  await read('a', 0);
  await read('b', 1_000);
  // A clock that was set back would still accept the first value.
  expect(await read('a', 500)).toBe(3);
});

test('a failed load is tried again by the next caller', async () => {
  expect(await countLoads([0, 0], () => Promise.reject(new Error('no connection')))).toBe(2);
});
