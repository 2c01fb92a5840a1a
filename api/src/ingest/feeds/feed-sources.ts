/** Sources of feeds: a file at an address, or the files of a folder. Both return only new files. */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fetchPublic } from '../../http/security/public-fetch.ts';

/** Name of a fetched file that waits for the operator. A newer one replaces it. */
const HELD_BACK_FILE = 'held-back';
/** Names of files that a folder's feed imports. Texts (.txt) are left out, because folders hold notes. */
export const IMPORTABLE_NAME = /\.(?:(?:csv|tsv|json|jsonl)(?:\.gz)?|xlsx|xlsm|ods|html?|mhtml?|zip)$/i;

/** Limits for fetching a feed. */
export interface FeedLimits {
  maxBytes: number;
  /** The fetch ends after this time without a byte. */
  idleMs: number;
  totalMs: number;
  /** Private addresses that are allowed; tests only. */
  allowedAddresses?: string[];
}

export const FEED_LIMITS: FeedLimits = { maxBytes: 500_000_000, idleMs: 60_000, totalMs: 1_800_000 };

/** A file to import and the state to store afterwards; `done` removes a fetched file. */
export interface FeedFile {
  path: string;
  /** Its name while it waits for the operator. */
  name: string;
  seen: Record<string, string>;
  /** Stores a file for the operator and returns its path. */
  holdBack(): Promise<string>;
  removeFetched(): Promise<void>;
  /** Removes an earlier file that waits for the operator. */
  removeHeldBack(): Promise<void>;
}

/** Fetches the file at an address into `folder`. Returns nothing if it has not changed since `seen`. */
export async function fetchChanged(
  url: string,
  seen: Record<string, string>,
  folder: string,
  limits: FeedLimits,
): Promise<FeedFile | undefined> {
  const { idleMs, allowedAddresses } = limits;
  const signal = AbortSignal.timeout(limits.totalMs);
  const headers = {
    accept: 'text/csv, application/json, */*;q=0.5',
    'accept-encoding': 'identity',
    'user-agent': 'Nivida feed reader',
    ...(seen.etag && { 'if-none-match': seen.etag }),
    ...(seen['last-modified'] && { 'if-modified-since': seen['last-modified'] }),
  };
  const answer = await fetchPublic(url, { headers, idleMs, allowedAddresses, signal });
  if (answer.statusCode !== 200) {
    answer.destroy();
    if (answer.statusCode === 304) return undefined;
    throw new Error(`was not delivered: the portal answered ${answer.statusCode}`);
  }
  const path = join(folder, 'fetched');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await pipeline(answer, byteLimit(limits.maxBytes), createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await rm(path, { force: true });
    throw signal.aborted ? new Error('took too long') : error;
  }
  const { etag, 'last-modified': modified } = answer.headers;
  return {
    path,
    name: HELD_BACK_FILE,
    seen: { ...(etag && { etag }), ...(modified && { 'last-modified': modified }) },
    holdBack: async () => {
      const heldBackPath = join(folder, HELD_BACK_FILE);
      await rename(path, heldBackPath);
      return heldBackPath;
    },
    removeFetched: () => rm(path, { force: true }),
    removeHeldBack: () => rm(join(folder, HELD_BACK_FILE), { force: true }),
  };
}

/** The copy of a fetched file that waits for the operator. Its address keeps the marks of the last import. */
export function heldBackFile(folder: string, seen: Record<string, string>): FeedFile {
  const path = join(folder, HELD_BACK_FILE);
  return {
    path,
    name: HELD_BACK_FILE,
    seen,
    holdBack: async () => path,
    removeFetched: async () => {},
    removeHeldBack: () => rm(path, { force: true }),
  };
}

/** New and changed files of a folder, the oldest first. One that cannot be looked at is among them: reading it shows why. */
export async function changedFiles(folder: string, seen: Record<string, string>): Promise<FeedFile[]> {
  const names = (await readdir(folder)).filter((name) => IMPORTABLE_NAME.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({ name, stats: await stat(join(folder, name)).catch(() => null) })),
  );
  return files
    .filter(({ stats }) => stats?.isFile() ?? true)
    .map(({ name, stats }) => ({ name, at: stats?.mtimeMs ?? 0, mark: `${stats?.mtimeMs} ${stats?.size}` }))
    .filter(({ name, mark }) => seen[name] !== mark)
    .sort((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1))
    .map(({ name, mark }) => ({ path: join(folder, name), name, seen: { [name]: mark } }))
    .map((file) => ({
      ...file,
      holdBack: async () => file.path,
      removeFetched: async () => {},
      removeHeldBack: async () => {},
    }));
}

function byteLimit(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new Error(`is larger than ${maxBytes / 1_000_000} MB`));
      else done(null, chunk);
    },
  });
}
