/**
 * The app's own files on the device, for the service worker. The name or the key of each has a hash of its content, so
 * a stored file is never old, and builds share unchanged files.
 */

import { fetchWithTimeout } from './server/fetch-with-timeout.ts';

/** A file in the list that the build writes into the worker. */
export interface AppFile {
  url: string;
  /** The hash of a file whose name has none. */
  revision: string | null;
  /** Its size without compression. */
  bytes?: number;
  /**
   * When the file is stored; without a value with each installation. 'updated': with an update; a first installation
   * leaves it to the pages that load it (`storeLoaded`). 'used': when the app is used (`store-app.ts`).
   */
  when?: 'updated' | 'used';
}

const CACHE_NAME = 'app-files';
/** A device with this entry stores all files of each build. */
const COMPLETE_PATH = '/app-is-complete';

/** How often a file is requested whose connection breaks or goes silent: without it a screen does not start. */
const MAX_REQUESTS = 3;

/** A CDN that sends nothing for this time is passed over. */
const ASSET_TIMEOUT_MS = 10_000;

/**
 * A whole response that is not bound to the address it came from. Throws when the connection breaks. Firefox reports no
 * error for a body over HTTP/1.1 that ends before its length: then it has fewer than `bytes`. It may have more, because
 * servers and proxies add to pages.
 */
async function readWhole(response: Response, bytes = 0): Promise<Response> {
  const body = await response.blob();
  if (response.ok && body.size < bytes)
    throw new TypeError(`${response.url} has ${body.size} bytes instead of ${bytes}`);
  const headers = new Headers(response.headers);
  // of the body on its way
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response(body, { status: response.status, headers });
}

const keyOf = ({ url, revision }: AppFile) =>
  new URL(revision === null ? url : `${url}?${revision}`, `${location.origin}/`).href;

/**
 * A response whose modules find each other beside the requested address: the base of a script is the address of its
 * response, and the page's import map knows one origin.
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

  /** `assetOrigin`: a CDN that has the files of /assets; the server is asked when it does not answer. */
  constructor(
    private readonly files: readonly AppFile[],
    private readonly assetOrigin = '',
  ) {
    this.keys = new Map(files.map((file) => [new URL(file.url, `${location.origin}/`).href, keyOf(file)]));
    this.sizes = new Map(files.map(({ url, bytes }) => [`/${url}`, bytes]));
  }

  /**
   * Stores the files of every page; on an update also those of a search, and all on a device that had all of an earlier
   * build. Rejects when one is missing.
   */
  async install(isUpdate: boolean): Promise<void> {
    if (await this.isComplete()) return this.storeAll();
    return this.store(this.files.filter(({ when }) => when === undefined || (isUpdate && when === 'updated')));
  }

  /** Stores files that a page has loaded, which the browser's cache still has. */
  storeLoaded(urls: readonly string[]): Promise<void> {
    const loaded = new Set(urls.map((url) => this.ownAddress(url)));
    return this.store(this.files.filter(({ url }) => loaded.has(new URL(url, `${location.origin}/`).href)));
  }

  /** Stores all files, also those of later builds. */
  async storeAll(): Promise<void> {
    await this.store(this.files);
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
    // with a full disk the page still gets its file
    if (response.ok) await cache.put(key, response.clone()).catch(() => undefined);
    return response;
  }

  /** The stored file of another build. */
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

  private async isComplete(): Promise<boolean> {
    const cache = await caches.open(CACHE_NAME);
    return (await cache.match(COMPLETE_PATH)) !== undefined;
  }

  private async store(files: readonly AppFile[]): Promise<void> {
    await Promise.all(
      files.map((file) => {
        const key = keyOf(file);
        // two messages of a page may ask for the same file
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

  /** The address at this origin of a file that the CDN has too. */
  private ownAddress(url: string): string {
    const isAsset = this.assetOrigin !== '' && url.startsWith(`${this.assetOrigin}/assets/`);
    return isAsset ? location.origin + url.slice(this.assetOrigin.length) : url;
  }

  /** The CDN's whole response for a file with this path; undefined without a CDN, or when it does not send the file. */
  private async fetchAsset(path: string): Promise<Response | undefined> {
    if (this.assetOrigin === '' || !path.startsWith('/assets/')) return undefined;
    try {
      const response = await fetchWithTimeout(this.assetOrigin + path, { redirect: 'error' }, ASSET_TIMEOUT_MS);
      return response.ok ? await readWhole(response, this.sizes.get(path)) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The response with its whole body. Throws when the connection breaks or goes silent each time. */
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
