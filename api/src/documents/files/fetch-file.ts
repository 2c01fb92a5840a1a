/** Fetches an official file from an address that an import named. */
import type http from 'node:http';
import type { Readable } from 'node:stream';
import { fetchPublic, InvalidAddressError } from '../../http/security/public-fetch.ts';
import { type FileStore, FileTooLargeError, type StoredFile } from '../../storage/file-store.ts';
import { RejectedFileError } from './file-scan.ts';

const REQUEST_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Nivida document fetcher' };

/** Limits of a fetch. */
export interface FetchLimits {
  maxBytes: number;
  /** The fetch ends after this time without a byte. */
  idleMs: number;
  /** Maximum duration of a whole file. */
  totalMs: number;
  /** Private addresses that are allowed; tests only. */
  allowedAddresses?: string[];
}

/** Limits for one official file. They are generous because portals are slow and some files are large. */
export const FILE_LIMITS: FetchLimits = { maxBytes: 50_000_000, idleMs: 20_000, totalMs: 300_000 };

/** The portal did not deliver the file now; a later attempt makes sense. */
class TemporaryFetchError extends Error {
  override name = 'TemporaryFetchError';
}

/** Stores the file at `url`. Throws RejectedFileError for permanent and TemporaryFetchError for temporary reasons. */
export async function fetchFile(url: string, store: FileStore, limits: FetchLimits): Promise<StoredFile> {
  const signal = AbortSignal.timeout(limits.totalMs);
  try {
    const { idleMs, allowedAddresses } = limits;
    const answer = await fetchPublic(url, { headers: REQUEST_HEADERS, idleMs, allowedAddresses, signal });
    return await store.put(acceptResponse(answer, limits), limits.maxBytes);
  } catch (error) {
    if (error instanceof RejectedFileError || error instanceof TemporaryFetchError) throw error;
    if (error instanceof InvalidAddressError) throw new RejectedFileError(error.message);
    if (error instanceof FileTooLargeError)
      throw new RejectedFileError(`is larger than ${limits.maxBytes / 1_000_000} MB`);
    throw new TemporaryFetchError(signal.aborted ? 'took too long' : (error as Error).message);
  }
}

function acceptResponse(answer: http.IncomingMessage, { maxBytes }: FetchLimits): Readable {
  const { statusCode = 0, headers } = answer;
  try {
    if (statusCode === 429 || statusCode >= 500)
      throw new TemporaryFetchError(`was not delivered: the portal answered ${statusCode}`);
    if (statusCode !== 200) throw new RejectedFileError(`was not delivered: the portal answered ${statusCode}`);
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new FileTooLargeError('declares a larger size');
    if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
      throw new RejectedFileError('was sent compressed although no compression was requested');
    if (/^text\/html\b/i.test(headers['content-type'] ?? '')) throw new RejectedFileError('is a web page, no document');
  } catch (error) {
    answer.destroy();
    throw error;
  }
  return answer;
}
