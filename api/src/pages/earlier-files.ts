/**
 * Compression dictionaries (RFC 9842): a browser that has an earlier version of a file of the app gets the difference only.
 * Chromium asks for it; all others get the whole file. Each server keeps the files of its earlier builds in a folder.
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { DAY_MS } from '@nivida/contract/time';
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { BodyCache } from '../http/body-cache.ts';

const compress = promisify(zstdCompress);

/** A file is removed when it was in no build for this time. */
const KEPT_MS = 60 * DAY_MS;
/** At most this many files are kept, the newest ones. */
const MAX_FILES = 2_000;
const CACHE_BYTES = 8_000_000;
/** 'base-Crv8564w.js': the name and a hash of the content. */
const NAME_PATTERN = /^(?<stem>[\w.-]+)-[\w-]{8}\.(?<type>js|css|json)$/;
const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};
/** The first bytes of a response in `dcz`, before the hash of the dictionary: a frame that Zstandard skips. */
const DCZ_MAGIC = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0]);
/** All files of an update take half a second of the processor. They are cached. */
const ZSTD_LEVEL = 19;

/** The names that later versions of a file have, as the pattern of an address; undefined for a file without a hash. */
export function laterVersions(name: string): string | undefined {
  const { stem, type } = NAME_PATTERN.exec(name)?.groups ?? {};
  return stem && `/assets/${stem}-*.${type}`;
}

/** The header of a file that later versions may be compressed with; none for other files. */
export function dictionaryHeader(name: string): Record<string, string> {
  const match = laterVersions(name);
  return match ? { 'Use-As-Dictionary': `match="${match}"` } : {};
}

/** Copies the files of this build into the folder, and removes those that are old. Returns the present names, newest first. */
async function keepFiles(assets: string, folder: string, now: Date): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(assets)).filter((name) => NAME_PATTERN.test(name));
  for (const name of names) {
    const kept = join(folder, name);
    // Under another name first: another process may read it.
    const aside = `${kept}.${process.pid}.part`;
    if (!(await stat(kept).catch(() => undefined)))
      await copyFile(join(assets, name), aside).then(() => rename(aside, kept));
    await utimes(kept, now, now);
  }
  const times = new Map<string, number>();
  for (const name of await readdir(folder)) times.set(name, (await stat(join(folder, name))).mtimeMs);
  const newest = [...times.keys()].sort((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0));
  const isKept = (name: string, place: number) =>
    place < MAX_FILES && (times.get(name) ?? 0) > now.getTime() - KEPT_MS && NAME_PATTERN.test(name);
  for (const [place, name] of newest.entries()) if (!isKept(name, place)) await rm(join(folder, name), { force: true });
  return newest.filter(isKept);
}

const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

/** The kept files by the hash that a browser sends. */
async function namesByHash(folder: string, names: readonly string[]): Promise<Map<string, string>> {
  const byHash = new Map<string, string>();
  for (const name of names) byHash.set(sha256(await readFile(join(folder, name))).toString('base64'), name);
  return byHash;
}

/** A file in `dcz`: the hash of the dictionary, then the difference. */
export async function compressWith(dictionary: Buffer, content: Buffer): Promise<Buffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
  return Buffer.concat([DCZ_MAGIC, sha256(dictionary), await compress(content, { dictionary, params })]);
}

/**
 * Answers requests for files of `assets` with the difference from a file that the browser has. `folder` holds the files of
 * earlier builds. Where it cannot be written, all requests get whole files.
 */
export async function serveDifferences(
  server: FastifyInstance,
  assets: string,
  folder: string,
  now: Date,
): Promise<void> {
  const names = await keepFiles(assets, folder, now)
    .then((kept) => namesByHash(folder, kept))
    .catch((error: unknown) => server.log.warn({ err: error }, 'Files of earlier builds are not kept'));
  if (!names) return;
  const bodies = new BodyCache(CACHE_BYTES);

  server.addHook('onRequest', async (request, reply) => {
    const { 'available-dictionary': sent } = request.headers;
    if (typeof sent !== 'string' || request.method !== 'GET') return;
    const name = /^\/assets\/([\w.-]+)$/.exec(request.url)?.[1] ?? '';
    const hash = /^:([A-Za-z0-9+/]{43}=):$/.exec(sent)?.[1] ?? '';
    const earlier = names.get(hash);
    const later = laterVersions(name);
    if (!earlier || !later || laterVersions(earlier) !== later) return;
    if (!new Negotiator(request).encodings().includes('dcz')) return;
    const body = await bodies
      .get(`${name} ${hash}`, 'br', async () =>
        compressWith(await readFile(join(folder, earlier)), await readFile(join(assets, name))),
      )
      // The file is of another build, or an earlier one was removed.
      .catch(() => undefined);
    if (!body) return;
    return reply
      .headers({
        'Content-Type': CONTENT_TYPES[extname(name)],
        'Content-Encoding': 'dcz',
        // Some caches store one response for all clients and ignore `Vary`.
        'Cache-Control': 'private, max-age=31536000, immutable',
        Vary: 'Accept-Encoding, Available-Dictionary',
        ...dictionaryHeader(name),
      })
      .send(body);
  });
}
