/** What a browser downloads of an update when it has the files of an earlier build (RFC 9842). */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T06:00:00Z');
const DAY_MS = 86_400_000;
const lines = (changed: string) =>
  Array.from({ length: 500 }, (_, line) => `export const value${line} = ${line * 7919};`).join('\n') + changed;
const EARLIER = lines('\nexport const text = "of before";');
const LATER = lines('\nexport const text = "of now";');

const base = await mkdtemp(join(tmpdir(), 'nivida-builds-'));
const kept = join(base, 'data/app-files');
let app: TestApp;

/** Starts the server with a build of these files. All builds have the same folder of data. */
async function startBuild(name: string, files: Record<string, string>, env: NodeJS.ProcessEnv = {}): Promise<TestApp> {
  const folder = join(base, name);
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head><title>x</title></head><body></body></html>');
  await writeFile(join(folder, 'sw.js'), '');
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, 'assets', file), content);
  return startApp({ now: NOW, pagesFolder: folder, env: { DATA_DIR: join(base, 'data'), ...env } });
}

const dictionary = (content: string) => `:${createHash('sha256').update(content).digest('base64')}:`;
async function get(file: string, available: string | undefined, accepted = 'gzip, br, zstd, dcb, dcz') {
  const headers = { 'accept-encoding': accepted, ...(available && { 'available-dictionary': available }) };
  return app.app.inject({ method: 'GET', url: `/assets/${file}`, headers });
}

/** The whole content of a response. */
const contentOf = ({ headers, rawPayload }: Awaited<ReturnType<typeof get>>) => {
  expect(['br', undefined]).toContain(headers['content-encoding']);
  return String(headers['content-encoding'] === 'br' ? brotliDecompressSync(rawPayload) : rawPayload);
};

beforeAll(async () => {
  const earlier = await startBuild('earlier', { 'base-AAAAAAAA.js': EARLIER, 'other-AAAAAAAA.js': 'of another name' });
  await earlier.close();
  app = await startBuild('later', { 'base-BB-B_BBB.js': LATER, 'base-AAAAAAAA.css': LATER, 'worker.js': LATER });
});
afterAll(async () => {
  await app.close();
  await rm(base, { recursive: true, force: true });
});

test('a browser that has an earlier version of a file gets the difference, which no shared cache stores', async () => {
  const { statusCode, headers, rawPayload } = await get('base-BB-B_BBB.js', dictionary(EARLIER));
  expect([statusCode, headers['content-encoding'], headers['content-type']]).toEqual([
    200,
    'dcz',
    'text/javascript; charset=utf-8',
  ]);
  expect(headers['cache-control']).toBe('private, max-age=31536000, immutable');
  expect(headers.vary?.toString().toLowerCase()).toBe('accept-encoding, available-dictionary');
  expect(headers['use-as-dictionary']).toBe('match="/assets/base-*.js"');
  // The magic bytes and the hash of the dictionary, as RFC 9842 has them.
  expect(rawPayload.subarray(0, 40).toString('hex')).toBe(
    `5e2a4d1820000000${createHash('sha256').update(EARLIER).digest('hex')}`,
  );
  const content = zstdDecompressSync(rawPayload.subarray(40), { dictionary: Buffer.from(EARLIER) });
  expect(content.toString()).toBe(LATER);
  expect(rawPayload.length).toBeLessThan(200);
});

test('every other request gets the whole file, which caches store for all', async () => {
  const unknown = dictionary('of a build that the server never had');
  for (const [file, available, accepted] of [
    ['base-BB-B_BBB.js', undefined],
    ['base-BB-B_BBB.js', unknown],
    ['base-BB-B_BBB.js', 'no hash'],
    ['base-BB-B_BBB.js', dictionary(EARLIER), 'gzip, br'],
    ['base-BB-B_BBB.js', dictionary('of another name')],
    ['base-AAAAAAAA.css', dictionary(EARLIER)],
    ['worker.js', dictionary(EARLIER)],
  ] as const) {
    const response = await get(file, available, accepted);
    expect([response.statusCode, contentOf(response)], `${file} ${available}`).toEqual([200, LATER]);
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const varies = String(response.headers.vary).toLowerCase().split(', ');
    expect([...new Set(varies)].sort()).toEqual(['accept-encoding', 'available-dictionary']);
  }
  expect((await get('worker.js', undefined)).headers['use-as-dictionary']).toBeUndefined();
  expect((await get('base-CCCCCCCC.js', dictionary(EARLIER))).statusCode).toBe(404);
  const { headers } = await app.get('/index.html', { 'available-dictionary': dictionary(EARLIER) });
  expect([headers['use-as-dictionary'], headers['content-encoding']]).toEqual([undefined, undefined]);
});

test('files are kept for 60 days after the last build that had them', async () => {
  const asOf = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
  await utimes(join(kept, 'base-AAAAAAAA.js'), asOf(59), asOf(59));
  await utimes(join(kept, 'other-AAAAAAAA.js'), asOf(61), asOf(61));
  await writeFile(join(kept, 'base-DDDDDDDD.js.77.part'), 'of a process that was killed');
  const next = await startBuild('next', { 'base-EEEEEEEE.js': LATER });
  await next.close();
  expect((await readdir(kept)).sort()).toEqual([
    'base-AAAAAAAA.css',
    'base-AAAAAAAA.js',
    'base-BB-B_BBB.js',
    'base-EEEEEEEE.js',
  ]);
});

test('a server behind a CDN, or without a folder to write, sends whole files', async () => {
  const first = app;
  try {
    app = await startBuild('cdn', { 'base-FFFFFFFF.js': LATER }, { ASSET_ORIGIN: 'https://cdn.example' });
    const behindCdn = await get('base-FFFFFFFF.js', dictionary(EARLIER));
    expect([contentOf(behindCdn), behindCdn.headers['use-as-dictionary']]).toEqual([LATER, undefined]);
    await app.close();
    await writeFile(join(base, 'file'), '');
    app = await startBuild(
      'readonly',
      { 'base-GGGGGGGG.js': LATER },
      { DATA_DIR: join(base, 'file'), FILES_URL: `file://${base}/data/files` },
    );
    expect(contentOf(await get('base-GGGGGGGG.js', dictionary(EARLIER)))).toBe(LATER);
    await app.close();
  } finally {
    app = first;
  }
});
