/** Fetches an official file from an address that an import named. */
import type http from 'node:http';
import type { Readable } from 'node:stream';
import { BadAddress, fetchPublic } from '../http/public-fetch.ts';
import { Refused } from './scan.ts';
import { type FileStore, type StoredFile, TooLarge } from './store.ts';

const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Nivida document fetcher' };

/** What a fetch may cost. */
export interface FetchLimits {
  mostBytes: number;
  /** Without a byte for so long it is given up. */
  idleMs: number;
  /** The longest that a whole file may take. */
  totalMs: number;
  /** Addresses that are let through although they are not public; none but in tests. */
  allowedAddresses?: string[];
}

/** Of one official file: portals are slow, and some of their files large. */
export const FILE_LIMITS: FetchLimits = { mostBytes: 50_000_000, idleMs: 20_000, totalMs: 300_000 };

/** The portal did not give the file now; asking again later makes sense. */
export class NotNow extends Error {
  override name = 'NotNow';
}

/** Puts the file at `url` into the store. Throws Refused for good reasons, NotNow for what may pass. */
export async function fetchFile(url: string, store: FileStore, limits: FetchLimits): Promise<StoredFile> {
  const signal = AbortSignal.timeout(limits.totalMs);
  try {
    const { idleMs, allowedAddresses } = limits;
    const answer = await fetchPublic(url, { headers: HEADERS, idleMs, allowedAddresses, signal });
    return await store.put(accepted(answer, limits), limits.mostBytes);
  } catch (error) {
    if (error instanceof Refused || error instanceof NotNow) throw error;
    if (error instanceof BadAddress) throw new Refused(error.message);
    if (error instanceof TooLarge) throw new Refused(`is larger than ${limits.mostBytes / 1_000_000} MB`);
    throw new NotNow(signal.aborted ? 'took too long' : (error as Error).message);
  }
}

function accepted(answer: http.IncomingMessage, { mostBytes }: FetchLimits): Readable {
  const { statusCode = 0, headers } = answer;
  try {
    if (statusCode === 429 || statusCode >= 500) throw new NotNow(`was not given: the portal answered ${statusCode}`);
    if (statusCode !== 200) throw new Refused(`was not given: the portal answered ${statusCode}`);
    if (Number(headers['content-length'] ?? 0) > mostBytes) throw new TooLarge('says so itself');
    if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
      throw new Refused('came compressed although it was asked for as it is');
    if (/^text\/html\b/i.test(headers['content-type'] ?? '')) throw new Refused('is a web page, no document');
  } catch (error) {
    answer.destroy();
    throw error;
  }
  return answer;
}
