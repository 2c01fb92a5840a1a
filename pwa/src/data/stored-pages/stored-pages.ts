/**
 * The last pages of the server by address, for the next visit and for visits without a network. The server renders them
 * without a session, so they contain no user data. All are deleted when the user changes, because their addresses show
 * which pages were visited.
 */

import { formatDate } from '@nivida/contract/format';
import { findPage } from '@nivida/contract/site/pages';
import { DAY_MS } from '@nivida/contract/time';
import { offsetAtStart, offsetFromServerDate } from '../clock-offset.ts';
import { correctPage, FRESH_FOR_MS, renderedAt } from './correct-page.ts';
import { STORED_PAGES_PREFIX } from './shown-page.ts';

const MAX_PAGES = 30;
/** Maximum wait for the complete page; then the app renders it. */
const MAX_WAIT_MS = 3_000;
/** Maximum age of a page that is shown: an older one has too little in common with the present. */
const MAX_AGE_MS = 7 * DAY_MS;
const OFFSET_HEADER = 'x-clock-offset';

/** The Indian year, as in '10 Nov 2026'. */
const indianYear = (date: Date) => formatDate(date).slice(-4);

/** The key of a page that the server renders with data; null for other pages, which the app renders. */
export function pageKey(address: string): string | null {
  const url = new URL(address);
  // The app renders lists of closed tenders: it says which of them the device lacks.
  if (!findPage(url.pathname)?.page.isStored || url.searchParams.get('open') === '0') return null;
  // the address of the installed app
  url.searchParams.delete('src');
  url.hash = '';
  return url.href;
}

/** A request for a page. At some addresses the API answers other requests. */
export const pageRequest = (key: string, init: RequestInit = {}): Request =>
  new Request(key, { ...init, headers: { accept: 'text/html' } });

/** A page with its whole body. */
interface LoadedPage {
  status: number;
  headers: Headers;
  html: string;
  isRedirected: boolean;
}

/**
 * Throws when the connection breaks before the end of the body. Firefox may report no error then: the page lacks its end.
 */
async function loadPage(request: Request): Promise<LoadedPage> {
  const response = await fetch(request);
  const { status, redirected: isRedirected } = response;
  const html = await response.text();
  if (status === 200 && !html.trimEnd().endsWith('</html>')) throw new TypeError(`${request.url} came in part`);
  const headers = new Headers(response.headers);
  // of the body on its way
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return { status, headers, html, isRedirected };
}

/** The pages of one build of the app: another build has other files. `build` is the server's `X-Build`. */
export class StoredPages {
  private readonly cacheName: string;

  constructor(private readonly build: string) {
    this.cacheName = `${STORED_PAGES_PREFIX}${build}`;
  }

  /**
   * The stored page of an address, and whether it should be fetched again; undefined without one. A page that is old, or is
   * shown for a reload, is corrected for now and says when it was saved.
   */
  async find(key: string, isReload = false): Promise<{ response: Response; isOld: boolean } | undefined> {
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
    const response = new Response(correctPage(html, now, isReload), { headers: stored.headers });
    return { response, isOld: now.getTime() - at.getTime() >= FRESH_FOR_MS };
  }

  /**
   * Asks the server for a page and stores it. Null when it is of another build, not complete in time, or cannot be loaded
   * now. An incomplete page is not shown: a connection may break in its middle.
   */
  async fetch(key: string, request: Request, onStored: (work: Promise<void>) => void): Promise<Response | null> {
    if (!navigator.onLine) return null;
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), MAX_WAIT_MS));
    const coming = loadPage(request).catch(() => null);
    onStored(coming.then((page) => this.store(key, page)).catch(() => undefined));
    const page = await Promise.race([coming, late]);
    // the app of this build renders the page until the user asks for the other build
    if (!page || page.isRedirected || page.headers.get('X-Build') !== this.build) return null;
    return page.status < 500 ? new Response(page.html, page) : null;
  }

  private async store(key: string, page: LoadedPage | null): Promise<void> {
    if (!page || page.status >= 500 || page.headers.get('X-Build') !== this.build) return;
    const cache = await caches.open(this.cacheName);
    // a page that no longer exists is not stored; any other becomes the newest entry
    await cache.delete(key, { ignoreVary: true });
    if (page.status !== 200 || !renderedAt(page.html)) return;
    const headers = new Headers(page.headers);
    headers.set(OFFSET_HEADER, String(offsetFromServerDate(headers.get('date'), new Date())));
    await cache.put(key, new Response(page.html, { headers }));
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
