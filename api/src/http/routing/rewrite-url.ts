/**
 * The two path conventions of SPEC section 7 (R1): `/api/…` is canonical; calls without the prefix are
 * rewritten to it. `/tenders` and `/tenders/{id}` are pages too, so there the Accept header decides.
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

/** The routed URL: `/api` is added to an unprefixed call, any other URL is unchanged. */
export function rewriteUrl(request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): string {
  const url = request.url ?? '/';
  const path = url.split('?', 1)[0] ?? '';
  if (API_PATH.test(path)) return `/api${url}`;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && isPageOrApiPath(path) && !wantsPage(request) ? `/api${url}` : url;
}

function wantsPage(request: Pick<IncomingMessage, 'headers'>): boolean {
  if (PREVIEW_CRAWLER.test(request.headers['user-agent'] ?? '')) return true;
  // On a tie the first wins: a client that accepts anything gets JSON.
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
}
