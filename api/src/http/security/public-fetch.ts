/**
 * Fetches untrusted URLs. To prevent server-side request forgery it connects to public addresses only. Redirects and
 * resolved names are checked too.
 */
import http from 'node:http';
import https from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

const MAX_REDIRECTS = 3;
const MAX_URL_CHARACTERS = 2_000;

/** The URL can never be fetched; the message is a predicate such as 'is at an address that is not public'. */
export class InvalidAddressError extends Error {
  override name = 'InvalidAddressError';
}

export interface PublicFetchOptions {
  headers: http.OutgoingHttpHeaders;
  /** Maximum time without a byte. */
  idleMs: number;
  /** Addresses that are allowed although they are not public; for tests only. */
  allowedAddresses?: string[] | undefined;
  /** Aborts the fetch, even while the body is read. */
  signal: AbortSignal;
}

/** The final answer after redirects, its body unread. Throws InvalidAddressError or a network error. */
export async function fetchPublic(start: string, options: PublicFetchOptions): Promise<http.IncomingMessage> {
  let url = parseUrl(start);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await sendRequest(url, options);
    const { statusCode = 0, headers } = answer;
    const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
    if (!isRedirect) return answer;
    answer.destroy();
    url = parseUrl(headers.location as string, url);
  }
  throw new InvalidAddressError(`is behind more than ${MAX_REDIRECTS} redirects`);
}

/** An http or https URL without credentials. */
function parseUrl(text: string, base?: URL): URL {
  const url = text.length > MAX_URL_CHARACTERS ? null : URL.parse(text, base);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidAddressError('is at no address of http or https');
  if (url.username !== '' || url.password !== '') throw new InvalidAddressError('is at an address with a user name');
  return url;
}

function sendRequest(
  url: URL,
  { headers, idleMs, allowedAddresses, signal }: PublicFetchOptions,
): Promise<http.IncomingMessage> {
  const isSafe = url.protocol === 'https:';
  const filter = { allowIPAddressList: allowedAddresses ?? [], keepAlive: false };
  return new Promise((done, fail) => {
    const request = (isSafe ? https : http).get(url, {
      agent: isSafe ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter),
      signal,
      timeout: idleMs,
      maxHeaderSize: 16_384,
      headers,
    });
    request.once('response', done);
    request.once('timeout', () => request.destroy(new Error('sent nothing for too long')));
    request.on('error', (error) =>
      fail(isAddressFiltered(error) ? new InvalidAddressError('is at an address that is not public') : error),
    );
  });
}

// The agent throws plain errors. Only the message identifies them.
const isAddressFiltered = ({ message }: Error): boolean => /is not allowed\. Because/.test(message);
