/**
 * The two path conventions of SPEC section 7 (R1): `/api/…` is canonical, and calls without the prefix are rewritten to it.
 * `/tenders` and `/tenders/{id}` are calls and pages. For them the Accept header decides.
 */
import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

const PREVIEW_CRAWLER = /bot|crawl|externalhit|whatsapp|telegram|slack/i;
const API_PATH = /^\/(?:auth\/[^/]+|tenders\/bookmarked|tenders\/[^/]+\/bookmark)$/;
const TENDER_PATH = /^\/tenders(?:\/[^/]+)?$/;

/** `/tenders` or `/tenders/{id}` (not the results page): the paths whose answer depends on Accept and User-Agent. */
export function isPageOrApiPath(path: string): boolean {
  return TENDER_PATH.test(path) && path !== '/tenders/results' && path !== '/tenders/bookmarked';
}

/** Scheme and host of a request target in absolute form (RFC 9112, section 3.2.2). */
const TARGET_ORIGIN = /^https?:\/\/[^/?]*(?=\/)/i;

/** The URL for the router: without an origin, and with `/api` added to an unprefixed call. */
export function rewriteUrl(request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): string {
  const url = (request.url ?? '/').replace(TARGET_ORIGIN, '');
  const path = url.split('?', 1)[0] ?? '';
  if (API_PATH.test(path)) return `/api${url}`;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && isPageOrApiPath(path) && asksForJson(request) ? `/api${url}` : url;
}

function asksForJson(request: Pick<IncomingMessage, 'headers'>): boolean {
  if (PREVIEW_CRAWLER.test(request.headers['user-agent'] ?? '')) return false;
  // The first type wins a tie. A client that accepts anything, such as a link preview, gets the page.
  return new Negotiator(request).mediaType(['text/html', 'application/json']) === 'application/json';
}
