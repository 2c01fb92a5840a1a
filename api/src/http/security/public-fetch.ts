/**
 * Reads from an address that came from outside. Whoever wrote that address may want to reach what only this machine can:
 * so every connection, also after a redirect and whatever a name resolves to, goes to public hosts only.
 */
import http from 'node:http';
import https from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

const MAX_REDIRECTS = 3;
const MAX_URL_CHARACTERS = 2_000;

/** The address will not do, today or later; the message says why, like 'is at an address that is not public'. */
export class InvalidAddressError extends Error {
  override name = 'BadAddress';
}

/** How a fetch is made. */
export interface PublicFetchOptions {
  headers: http.OutgoingHttpHeaders;
  /** Without a byte for so long it is given up. */
  idleMs: number;
  /** Addresses that are let through although they are not public; none but in tests. */
  allowedAddresses?: string[] | undefined;
  /** Ends it, also while the answer is being read. */
  signal: AbortSignal;
}

/** The answer of `start`, or of where it redirects to, before its body. Throws BadAddress, or the error of the network. */
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

/** http or https, without a user's name. */
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
    request.once('timeout', () => request.destroy(new Error('gave nothing for too long')));
    request.on('error', (error) =>
      fail(isAddressFiltered(error) ? new InvalidAddressError('is at an address that is not public') : error),
    );
  });
}

// The agent throws plain errors; its words are the only mark.
const isAddressFiltered = ({ message }: Error): boolean => /is not allowed\. Because/.test(message);
