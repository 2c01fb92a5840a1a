/**
 * The last pages of the server by address, for the next visit and for visits without a network. The server renders them
 * without a session, so they contain no user data. All are deleted when the user changes, because their addresses show
 * which pages were visited.
 */

import { formatDate } from '@nivida/contract/format';
import { DAY_MS } from '@nivida/contract/time';
import { offsetAtStart, offsetFromServerDate } from '../clock-offset.ts';
import { correctPage, FRESH_FOR_MS, renderedAt } from './correct-page.ts';
import { STORED_PAGES_PREFIX } from './shown-page.ts';

const MAX_PAGES = 30;
/** Maximum wait for the response; then the app renders the page. */
const MAX_WAIT_MS = 3_000;
/** Maximum age of a page that is shown: an older one has too little in common with the present. */
const MAX_AGE_MS = 7 * DAY_MS;
const OFFSET_HEADER = 'x-clock-offset';
const RENDERED_PATH = /^\/(?:tenders(?:\/(?:results|\d+))?)?$/;

/** The Indian year, as in '10 Nov 2026'. */
const indianYear = (date: Date) => formatDate(date).slice(-4);

/** The key of a page that the server renders with data; null for other pages, which the app renders. */
export function pageKey(address: string): string | null {
  const url = new URL(address);
  // The app renders lists of closed tenders: it says which of them the device lacks.
  if (!RENDERED_PATH.test(url.pathname) || url.searchParams.get('open') === '0') return null;
  // the address of the installed app
  url.searchParams.delete('src');
  url.hash = '';
  return url.href;
}

/** A request for a page. At some addresses the API answers other requests. */
export const pageRequest = (key: string, init: RequestInit = {}): Request =>
  new Request(key, { ...init, headers: { accept: 'text/html' } });

/** The pages of one build of the app: another build has other files. `build` is the server's `X-Build`. */
export class StoredPages {
  private readonly cacheName: string;

  constructor(private readonly build: string) {
    this.cacheName = `${STORED_PAGES_PREFIX}${build}`;
  }

  /**
   * The stored page of an address, corrected for now, and whether it should be fetched again; undefined without one.
   */
  async find(key: string): Promise<{ response: Response; isOld: boolean } | undefined> {
    const cache = await caches.open(this.cacheName);
    const stored = await cache.match(key, { ignoreVary: true });
    if (!stored) return undefined;
    const html = await stored.text();
    const at = renderedAt(html);
    if (!at) return undefined;
    const offset = offsetAtStart(
      { offsetMs: Number(stored.headers.get(OFFSET_HEADER)), serverAt: at.getTime() },
      Date.now(),
    );
    const now = new Date(Date.now() + offset);
    // dates are written without the present year
    if (now.getTime() - at.getTime() > MAX_AGE_MS || indianYear(now) !== indianYear(at)) return undefined;
    const response = new Response(correctPage(html, now), { headers: stored.headers });
    return { response, isOld: now.getTime() - at.getTime() >= FRESH_FOR_MS };
  }

  /** Asks the server for a page and stores it. Null when it is of another build, late, or cannot be loaded now. */
  async fetch(key: string, request: Request, onStored: (work: Promise<void>) => void): Promise<Response | null> {
    if (!navigator.onLine) return null;
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), MAX_WAIT_MS));
    const coming = fetch(request).catch(() => null);
    onStored(coming.then((response) => this.store(key, response)).catch(() => undefined));
    const response = await Promise.race([coming, late]);
    // the app of this build renders the page until the user asks for the other build
    if (!response || response.redirected || response.headers.get('X-Build') !== this.build) return null;
    return response.status < 500 ? response.clone() : null;
  }

  private async store(key: string, response: Response | null): Promise<void> {
    if (!response || response.status >= 500 || response.headers.get('X-Build') !== this.build) return;
    const cache = await caches.open(this.cacheName);
    // a page that no longer exists is not stored; any other becomes the newest entry
    await cache.delete(key, { ignoreVary: true });
    if (!response.ok) return;
    const html = await response.clone().text();
    if (!renderedAt(html)) return;
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    headers.set(OFFSET_HEADER, String(offsetFromServerDate(headers.get('date'), new Date())));
    await cache.put(key, new Response(html, { headers }));
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, -MAX_PAGES).map((old) => cache.delete(old, { ignoreVary: true })));
  }

  /** Deletes the pages of other builds. */
  async deleteOthers(): Promise<void> {
    const others = (await caches.keys()).filter(
      (name) => name.startsWith(STORED_PAGES_PREFIX) && name !== this.cacheName,
    );
    await Promise.all(others.map((name) => caches.delete(name)));
  }
}
