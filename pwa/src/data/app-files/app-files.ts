/**
 * The app's own files on the device, for the service worker. The name or the key of a file contains a hash of
 * its content. So a stored file is never outdated, and builds share unchanged files.
 */

import { fetchWithTimeout } from '../server/fetch-with-timeout.ts';

/** A file in the list that the build writes into the worker. */
export interface AppFile {
  url: string;
  /** The content hash of a file whose name contains none. */
  revision: string | null;
  /** Uncompressed size. */
  bytes?: number;
  /**
   * When the file is stored.
   * - Absent: at each installation.
   * - 'updated': when an update is installed. At a first installation, pages store the files that they load
   *   (`storeLoaded`).
   * - 'used': when the app is used (`store-app.ts`).
   * - 'language': when a page in the language has loaded it, and with each later build.
   */
  when?: 'updated' | 'used' | 'language';
}

const CACHE_NAME = 'app-files';
/** Marks a device that stores all files of each build. */
const COMPLETE_PATH = '/app-is-complete';

/**
 * Maximum number of requests for a file whose connection breaks or goes silent. A screen does not start
 * without its files.
 */
const MAX_REQUESTS = 3;

/** When a CDN sends nothing for this time, the server is asked. */
const ASSET_TIMEOUT_MS = 10_000;

/**
 * A whole response that is not bound to the address it came from. Throws when the connection breaks.
 *
 * Firefox reports no error when a body over HTTP/1.1 ends too early; then it has fewer than `bytes`. A body
 * may have more, because servers and proxies add to pages.
 */
async function readWhole(response: Response, bytes = 0): Promise<Response> {
  const body = await response.blob();
  if (response.ok && body.size < bytes)
    throw new TypeError(`${response.url} has ${body.size} bytes instead of ${bytes}`);
  const headers = new Headers(response.headers);
  // They describe the compressed body.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response(body, { status: response.status, headers });
}

const keyOf = ({ url, revision }: AppFile) =>
  new URL(revision === null ? url : `${url}?${revision}`, `${location.origin}/`).href;

/** The language of a file of a language: 'hi' of 'assets/hi-D2UYKtqp.js' and of 'hi/manifest.webmanifest'. */
const languageOf = (url: string) =>
  /^\/(?:assets\/)?(\w+)[/-][^/]+$/.exec(new URL(url, `${location.origin}/`).pathname)?.[1];

/**
 * A response whose imports resolve against the requested address. The base of a script is the address of its
 * response, and the page's import map knows only one origin.
 */
function answerAt(url: string, response: Response): Response {
  const isThere = response.url === '' || new URL(response.url).origin === new URL(url).origin;
  return isThere ? response : new Response(response.body, { status: response.status, headers: response.headers });
}

/** The files of one build. */
export class AppFiles {
  private readonly keys: ReadonlyMap<string, string>;
  /** The sizes of the files by path. */
  private readonly sizes: ReadonlyMap<string, number | undefined>;
  /** The files that are being stored, by key. */
  private readonly storing = new Map<string, Promise<void>>();

  /**
   * `assetOrigin` is a CDN that has the files of /assets. The server is asked when the CDN does not answer.
   */
  constructor(
    private readonly files: readonly AppFile[],
    private readonly assetOrigin = '',
  ) {
    this.keys = new Map(files.map((file) => [new URL(file.url, `${location.origin}/`).href, keyOf(file)]));
    this.sizes = new Map(files.map(({ url, bytes }) => [`/${url}`, bytes]));
  }

  /**
   * Stores the files that every page needs. An update also stores the files of a search. A device that had
   * all files of an earlier build gets all files. Rejects when a file is missing.
   */
  async install(isUpdate: boolean): Promise<void> {
    if (await this.isComplete()) return this.storeAll();
    const files = isUpdate ? await this.ofUsedLanguages() : this.files;
    return this.store(
      files.filter(({ when }) => when === undefined || (isUpdate && (when === 'updated' || when === 'language'))),
    );
  }

  /** Stores files that a page has loaded. The browser's cache still has them. */
  storeLoaded(urls: readonly string[]): Promise<void> {
    const loaded = new Set(urls.map((url) => this.ownAddress(url)));
    return this.store(this.files.filter(({ url }) => loaded.has(new URL(url, `${location.origin}/`).href)));
  }

  /** Stores all files of this build but languages that were never used. Later builds will store all their files too. */
  async storeAll(): Promise<void> {
    await this.store(await this.ofUsedLanguages());
    await (await caches.open(CACHE_NAME)).put(COMPLETE_PATH, new Response());
  }

  /** True for the address of a file of this build. */
  has(url: string): boolean {
    return this.keys.has(this.ownAddress(url));
  }

  /** The stored file of an address of this build. A missing file is fetched and stored. */
  async answer(url: string): Promise<Response> {
    const cache = await caches.open(CACHE_NAME);
    const address = this.ownAddress(url);
    const key = this.keys.get(address) ?? address;
    const stored = await cache.match(key, { ignoreVary: true });
    if (stored) return answerAt(url, stored);
    const response = await this.fetchWhole(address);
    // If the disk is full, the page still gets its file.
    if (response.ok) await cache.put(key, response.clone()).catch(() => undefined);
    return response;
  }

  /** The stored file of another build. Undefined when it is not stored. */
  async findOther(url: string): Promise<Response | undefined> {
    const stored = await (await caches.open(CACHE_NAME)).match(this.ownAddress(url), { ignoreVary: true });
    return stored && answerAt(url, stored);
  }

  /** Deletes the files of other builds. */
  async deleteOthers(): Promise<void> {
    const cache = await caches.open(CACHE_NAME);
    const own = new Set([...this.keys.values(), new URL(COMPLETE_PATH, location.origin).href]);
    const others = (await cache.keys()).filter(({ url }) => !own.has(url));
    await Promise.all(others.map((request) => cache.delete(request, { ignoreVary: true })));
  }

  /** All files but those of languages of which this device has no file of any build. */
  private async ofUsedLanguages(): Promise<readonly AppFile[]> {
    const cache = await caches.open(CACHE_NAME);
    const used = new Set((await cache.keys()).map(({ url }) => languageOf(url)));
    return this.files.filter(({ when, url }) => when !== 'language' || used.has(languageOf(url)));
  }

  private async isComplete(): Promise<boolean> {
    const cache = await caches.open(CACHE_NAME);
    return (await cache.match(COMPLETE_PATH)) !== undefined;
  }

  private async store(files: readonly AppFile[]): Promise<void> {
    await Promise.all(
      files.map((file) => {
        const key = keyOf(file);
        // Two messages of a page may ask for the same file.
        const storing = this.storing.get(key) ?? this.storeFile(key, file).finally(() => this.storing.delete(key));
        this.storing.set(key, storing);
        return storing;
      }),
    );
  }

  private async storeFile(key: string, file: AppFile): Promise<void> {
    const cache = await caches.open(CACHE_NAME);
    if (await cache.match(key, { ignoreVary: true })) return;
    await cache.put(key, await this.fetch(file));
  }

  /** A file whose name has a hash may come from the browser's cache. */
  private async fetch({ url, revision }: AppFile): Promise<Response> {
    const asset = revision === null ? await this.fetchAsset(`/${url}`) : undefined;
    const response = asset ?? (await fetch(`/${url}`, revision === null ? {} : { cache: 'reload' }));
    if (!response.ok || response.redirected) throw new TypeError(`${url} was answered with ${response.status}`);
    return asset ?? readWhole(response, this.sizes.get(`/${url}`));
  }

  /** The address at this origin for a file that the CDN may also have. */
  private ownAddress(url: string): string {
    const isAsset = this.assetOrigin !== '' && url.startsWith(`${this.assetOrigin}/assets/`);
    return isAsset ? location.origin + url.slice(this.assetOrigin.length) : url;
  }

  /**
   * The CDN's whole response for the file at this path. Undefined without a CDN, or when the CDN does not
   * send the file.
   */
  private async fetchAsset(path: string): Promise<Response | undefined> {
    if (this.assetOrigin === '' || !path.startsWith('/assets/')) return undefined;
    try {
      const response = await fetchWithTimeout(this.assetOrigin + path, { redirect: 'error' }, ASSET_TIMEOUT_MS);
      return response.ok ? await readWhole(response, this.sizes.get(path)) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The response with its whole body. Throws when the connection breaks or goes silent at every attempt. */
  private async fetchWhole(address: string): Promise<Response> {
    const { pathname } = new URL(address);
    const asset = await this.fetchAsset(pathname);
    if (asset) return asset;
    for (let requests = 1; ; requests++)
      try {
        return await readWhole(await fetchWithTimeout(address), this.sizes.get(pathname));
      } catch (error) {
        if (requests === MAX_REQUESTS || !navigator.onLine) throw error;
      }
  }
}
