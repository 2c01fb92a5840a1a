/**
 * Fetches an official file from an address that an import named. Whoever wrote that address may want to reach what only
 * this machine can: so every connection, also after a redirect and whatever a name resolves to, goes to public hosts only.
 */
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { Refused } from './scan.ts';
import { type FileStore, type StoredFile, TooLarge } from './store.ts';

const MOST_REDIRECTS = 3;
const LONGEST_URL = 2_000;

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
    const answer = await follow(url, limits, signal);
    return await store.put(answer, limits.mostBytes);
  } catch (error) {
    if (error instanceof Refused || error instanceof NotNow) throw error;
    if (error instanceof TooLarge) throw new Refused(`is larger than ${limits.mostBytes / 1_000_000} MB`);
    throw new NotNow(signal.aborted ? 'took too long' : (error as Error).message);
  }
}

async function follow(start: string, limits: FetchLimits, signal: AbortSignal): Promise<Readable> {
  let url = checked(start);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await ask(url, limits, signal);
    const { statusCode = 0, headers } = answer;
    const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
    if (!isRedirect) return accepted(answer, limits);
    answer.destroy();
    url = checked(headers.location as string, url);
  }
  throw new Refused(`is behind more than ${MOST_REDIRECTS} redirects`);
}

/** http or https, without a user's name; throws Refused. */
function checked(text: string, base?: URL): URL {
  const url = text.length > LONGEST_URL ? null : URL.parse(text, base);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Refused('is at no address of http or https');
  if (url.username !== '' || url.password !== '') throw new Refused('is at an address with a user name');
  return url;
}

function ask(url: URL, { idleMs, allowedAddresses }: FetchLimits, signal: AbortSignal): Promise<http.IncomingMessage> {
  const isSafe = url.protocol === 'https:';
  const filter = { allowIPAddressList: allowedAddresses ?? [], keepAlive: false };
  return new Promise((done, fail) => {
    const request = (isSafe ? https : http).get(url, {
      agent: isSafe ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter),
      signal,
      timeout: idleMs,
      maxHeaderSize: 16_384,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Nivida document fetcher' },
    });
    request.once('response', done);
    request.once('timeout', () => request.destroy(new NotNow('gave nothing for too long')));
    request.on('error', (error) =>
      fail(isFiltered(error) ? new Refused('is at an address that is not public') : error),
    );
  });
}

// The agent throws plain errors; its words are the only mark.
const isFiltered = ({ message }: Error): boolean => /is not allowed\. Because/.test(message);

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
