import { brotliCompressSync, gunzipSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { acceptedEncoding, BodyCache, etagFor } from './body-cache.ts';

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

test('a body is loaded once for all encodings, and each client gets it in its own', async () => {
  const cache = new BodyCache(1_000);
  let loads = 0;
  const get = (encoding: 'br' | 'gzip' | 'identity', key = 'a') =>
    cache.get(key, encoding, async () => {
      loads += 1;
      return brotliCompressSync(Buffer.from(`"${key}"`));
    });
  const [gzip, plain, brotli] = await Promise.all([get('gzip'), get('identity'), get('br')]);
  expect(gunzipSync(gzip as Buffer).toString()).toBe('"a"');
  expect(plain?.toString()).toBe('"a"');
  expect(brotli).toEqual(brotliCompressSync(Buffer.from('"a"')));
  expect(loads).toBe(1);
  expect((await get('identity'))?.toString()).toBe('"a"');
  expect((await get('identity', 'b'))?.toString()).toBe('"b"');
  expect(loads).toBe(2);
});

test('a body that is missing or cannot be loaded is asked for again', async () => {
  const cache = new BodyCache(1_000);
  const answers: (() => Promise<Buffer | undefined>)[] = [
    async () => undefined,
    async () => {
      throw new Error('the database is away');
    },
    async () => BODY,
  ];
  const get = (encoding: 'br' | 'identity') =>
    cache.get('a', encoding, () => (answers.shift() ?? (() => Promise.reject(new Error('loaded again'))))());
  expect(await get('identity')).toBeUndefined();
  await expect(get('br')).rejects.toThrow('the database is away');
  expect((await get('identity'))?.toString()).toBe('{}');
  expect(await get('br')).toBe(BODY);
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1, br;q=0.1', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip, br;q=0', 'gzip'],
  ['*', 'br'],
  ['deflate', 'identity'],
  [undefined, 'identity'],
])('a client that accepts %s gets %s', (accepted, encoding) => {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  expect(acceptedEncoding({ headers } as FastifyRequest)).toBe(encoding);
});

test('each encoding of a body has its own ETag', () => {
  expect((['identity', 'gzip', 'br'] as const).map((encoding) => etagFor('a1b2', encoding))).toEqual([
    '"a1b2"',
    '"a1b2-gzip"',
    '"a1b2-br"',
  ]);
});
