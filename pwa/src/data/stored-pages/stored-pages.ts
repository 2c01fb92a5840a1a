/**
 * The last pages of the server by address, for the next visit and for visits without a network. The server
 * renders them without a session, so they contain no user data. All are deleted when the user changes,
 * because their addresses show which pages were visited.
 */

import { formatDate } from '@nivida/contract/format';
import { type Language, splitLanguage } from '@nivida/contract/languages';
import { findPage } from '@nivida/contract/site/pages';
import { DAY_MS } from '@nivida/contract/time';
import { offsetAtStart, offsetFromServerDate } from '../clock-offset.ts';
import { correctPage, FRESH_FOR_MS, languageOf, needsCorrection, renderedAt } from './correct-page.ts';
import { STORED_PAGES_PREFIX } from './shown-page.ts';

const MAX_PAGES = 30;
/** Maximum wait for the complete page, after which the app renders it; and for the texts of a stored page. */
const MAX_WAIT_MS = 3_000;
/** Maximum age of a page that is shown. */
const MAX_AGE_MS = 7 * DAY_MS;
const OFFSET_HEADER = 'x-clock-offset';

const late = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), MAX_WAIT_MS));

/** The year in India, as in '10 Nov 2026'. */
const indianYear = (date: Date) => formatDate(date).slice(-4);

/** The key of a page that the server renders with data. Null for other pages, which the app renders. */
export function pageKey(address: string): string | null {
  const url = new URL(address);
  // The app renders lists of closed tenders, because it says which of them the device lacks.
  if (!findPage(splitLanguage(url.pathname).path)?.page.isStored || url.searchParams.get('open') === '0') return null;
  // The installed app's address has `src`.
  url.searchParams.delete('src');
  url.hash = '';
  return url.href;
}

/** A request for a page. At some addresses the API answers requests of other kinds. */
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
 * Loads a page. Throws when the connection breaks before the end of the body. Firefox may report no error
 * then, so the end of the page is checked.
 */
async function loadPage(request: Request): Promise<LoadedPage> {
  const response = await fetch(request);
  const { status, redirected: isRedirected } = response;
  const html = await response.text();
  if (status === 200 && !html.trimEnd().endsWith('</html>')) throw new TypeError(`${request.url} came in part`);
  const headers = new Headers(response.headers);
  // They describe the compressed body.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return { status, headers, html, isRedirected };
}

/**
 * The pages of one build of the app; another build has other files. `build` is the server's `X-Build`. `loadTexts` loads the
 * texts by which stored pages in a language are corrected.
 */
export class StoredPages {
  private readonly cacheName: string;

  constructor(
    private readonly build: string,
    private readonly loadTexts: (language: Language) => Promise<void>,
  ) {
    this.cacheName = `${STORED_PAGES_PREFIX}${build}`;
  }

  /**
   * The stored page of an address; undefined when there is none. `isOld`: it should be fetched again. An old
   * page, and a page shown for a reload, is corrected to the current time and says when it was saved.
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
    // Dates of the current year are written without the year, so a page of another year is not shown.
    if (now.getTime() - at.getTime() > MAX_AGE_MS || indianYear(now) !== indianYear(at)) return undefined;
    if (needsCorrection(at, now, isReload)) await Promise.race([this.loadTextsOf(html), late()]);
    const response = new Response(correctPage(html, now, isReload), { headers: stored.headers });
    return { response, isOld: now.getTime() - at.getTime() >= FRESH_FOR_MS };
  }

  /**
   * Requests a page from the server and stores it. Null when it is of another build, not complete in time, or
   * cannot be loaded. An incomplete page is never shown: a connection may break in the middle.
   */
  async fetch(key: string, request: Request, onStored: (work: Promise<void>) => void): Promise<Response | null> {
    if (!navigator.onLine) return null;
    const coming = loadPage(request).catch(() => null);
    onStored(coming.then((page) => this.store(key, page)).catch(() => undefined));
    const page = await Promise.race([coming, late()]);
    // This build's app renders the page until the user accepts the other build.
    if (!page || page.isRedirected || page.headers.get('X-Build') !== this.build) return null;
    return page.status < 500 ? new Response(page.html, page) : null;
  }

  private async store(key: string, page: LoadedPage | null): Promise<void> {
    if (!page || page.status >= 500 || page.headers.get('X-Build') !== this.build) return;
    const cache = await caches.open(this.cacheName);
    // A page that no longer exists is not stored. Any other page becomes the newest entry.
    await cache.delete(key, { ignoreVary: true });
    if (page.status !== 200 || !renderedAt(page.html)) return;
    const headers = new Headers(page.headers);
    headers.set(OFFSET_HEADER, String(offsetFromServerDate(headers.get('date'), new Date())));
    await cache.put(key, new Response(page.html, { headers }));
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, -MAX_PAGES).map((old) => cache.delete(old, { ignoreVary: true })));
    await this.loadTextsOf(page.html);
  }

  /** Loads the texts of a page's language. Without them its corrections are English. */
  private loadTextsOf(html: string): Promise<void> {
    return this.loadTexts(languageOf(html)).catch(() => undefined);
  }

  /** Deletes the pages of other builds. */
  async deleteOthers(): Promise<void> {
    const others = (await caches.keys()).filter(
      (name) => name.startsWith(STORED_PAGES_PREFIX) && name !== this.cacheName,
    );
    await Promise.all(others.map((name) => caches.delete(name)));
  }
}
