import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BodyCache } from './body-cache.ts';

const BODY = brotliCompressSync(Buffer.from('{}'));

test('the least recently used bodies are evicted, and only as many as necessary', async () => {
  const cache = new BodyCache(3 * BODY.length);
  const loaded: string[] = [];
  const get = (key: string) =>
    cache.get(key, 'br', async () => {
      loaded.push(key);
      return BODY;
    });
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'd', 'b', 'd', 'c']) await get(key);
  // 'd' evicts 'b', and 'b' then evicts 'a'.
  expect(loaded).toEqual(['a', 'b', 'c', 'd', 'b']);
});
