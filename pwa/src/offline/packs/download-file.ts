/**
 * Downloads that continue after a broken connection, a reload or a kill. What has arrived is stored while the rest
 * arrives. There is no deadline but that of a connection without bytes.
 */
import { FILE_ETAG_HEADER, FILE_OFFSET_HEADER, RESUME_STEP } from '@nivida/contract/sync/sync';
import { isHTTPError } from 'ky';
import type { DeviceDatabase, DownloadRow } from '../../data/device/schema.ts';
import { api, apiFetch, isConnectionError } from '../../data/server/api.ts';
import { fetchWithTimeout } from '../../data/server/fetch-with-timeout.ts';

/** Uncompressed bytes between two writes; on the wire they are some 2 KB. A killed tab loses no more. */
const STORE_EVERY_BYTES = 8_192;

/** Where to find a file. */
export interface FileAddress {
  /** Path without a leading slash. */
  path: string;
  searchParams?: Record<string, string>;
  /** Its uncompressed bytes, where they are known. */
  size?: number | undefined;
}

/** A complete file, or the server's answer that there is none (204). */
export interface DownloadedFile {
  status: number;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface DownloadOptions {
  /** Aborts the download; what has arrived stays stored. */
  signal?: AbortSignal;
  /** Maximum time without a byte. */
  maxSilenceMs?: number;
  /** The origin of a CDN that has the file too. It is asked first, without the session. */
  assetOrigin?: string | undefined;
  /** Called when the CDN does not send the file; the server is asked for it. */
  onAssetFailure?: () => void;
  /**
   * Called with the number of uncompressed bytes of the file that have arrived, and how many of them came just now: 0 for
   * those that an earlier attempt has stored.
   */
  onBytes?: (file: string, received: number, now: number) => void;
}

const fileName = ({ path, searchParams = {} }: FileAddress): string =>
  Object.keys(searchParams).length > 0 ? `${path}?${new URLSearchParams(searchParams)}` : path;

/** A proxy may weaken an ETag or send another encoding; the uncompressed file is then the same. */
const normalEtag = (etag: string): string => etag.replace(/^W\//, '').replace(/-(br|gzip)"$/, '"');

/** Bytes that grow at their end. */
class GrowingBytes {
  length = 0;
  private buffer = new Uint8Array(STORE_EVERY_BYTES);

  /** Overwrites what is there from `at` on. */
  put(bytes: Uint8Array, at = this.length): void {
    this.length = at + bytes.length;
    if (this.length > this.buffer.length) {
      const before = this.buffer;
      this.buffer = new Uint8Array(Math.max(this.length, 2 * before.length));
      this.buffer.set(before);
    }
    this.buffer.set(bytes, at);
  }

  /** Copies the bytes from `at` on. */
  from(at: number): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(at, this.length);
  }
}

/** Deletes the stored bytes of a file. */
export async function deleteDownload(db: DeviceDatabase, scope: string, address: FileAddress): Promise<void> {
  await db.downloads.where({ scope, file: fileName(address) }).delete();
}

/** One file and what has arrived of it. */
class Download {
  private etag = '';
  private readonly received = new GrowingBytes();
  private storedUpTo = 0;
  private canStore = true;
  private writing: Promise<void> = Promise.resolve();
  private readonly file: string;
  private assetOrigin: string | undefined;

  constructor(
    private readonly db: DeviceDatabase,
    private readonly scope: string,
    private readonly address: FileAddress,
    private readonly options: DownloadOptions,
  ) {
    this.file = fileName(address);
    this.assetOrigin = options.assetOrigin;
  }

  async run(): Promise<DownloadedFile> {
    await this.readStored();
    for (;;) {
      const before = this.received.length;
      try {
        return await this.attempt();
      } catch (error) {
        await this.store();
        if (this.options.signal?.aborted) throw error;
        // The server continues what the CDN has begun.
        if (this.assetOrigin !== undefined) {
          this.assetOrigin = undefined;
          this.options.onAssetFailure?.();
          continue;
        }
        // The connection carries bytes, so the rest is requested at once.
        const isWorthIt = isConnectionError(error) && this.received.length - before >= RESUME_STEP;
        if (!isWorthIt) throw error;
      }
    }
  }

  private async readStored(): Promise<void> {
    const { scope, file, received } = this;
    const rows = await this.db.downloads.where({ scope, file }).sortBy('at');
    for (const { at, etag, bytes } of rows) {
      this.etag ||= etag;
      // After a gap, or of another version of the file: the bytes before it are used.
      if (at > received.length || etag !== this.etag) break;
      received.put(new Uint8Array(bytes), at);
    }
    this.storedUpTo = received.length;
    if (received.length > 0) this.options.onBytes?.(file, received.length, 0);
  }

  /** Forgets all bytes from `at` on. */
  private async cutTo(at: number): Promise<void> {
    this.received.length = at;
    this.storedUpTo = at;
    if (at > 0) return;
    await this.writing;
    await deleteDownload(this.db, this.scope, this.address);
  }

  private async attempt(): Promise<DownloadedFile> {
    const from = this.etag === '' ? 0 : this.received.length - (this.received.length % RESUME_STEP);
    const response = await this.request(from);
    if (response.status === 204) return { status: 204, bytes: new Uint8Array(0) };
    const etag = normalEtag(response.headers.get(FILE_ETAG_HEADER) ?? response.headers.get('etag') ?? '');
    const offset = Number(response.headers.get(FILE_OFFSET_HEADER) ?? 0);
    if (offset > 0 && (offset !== from || etag !== this.etag)) {
      await response.body?.cancel();
      await this.cutTo(0);
      return this.attempt();
    }
    await this.cutTo(offset);
    this.etag = etag;
    await this.read(response);
    // Firefox reports no error when a connection breaks before the end of the body.
    if (this.received.length < (this.address.size ?? 0)) throw new TypeError(`${this.file} came in part`);
    await this.store();
    return { status: response.status, bytes: this.received.from(0) };
  }

  private async request(from: number): Promise<Response> {
    if (this.assetOrigin !== undefined) return this.requestAsset(this.assetOrigin, from);
    const { signal, maxSilenceMs } = this.options;
    const calls = maxSilenceMs
      ? api.extend({ fetch: (input, init) => apiFetch(input as RequestInfo, init, maxSilenceMs) })
      : api;
    const rest = from > 0 ? { from: String(from), of: this.etag } : {};
    try {
      return await calls.get(this.address.path, {
        searchParams: { ...this.address.searchParams, ...rest },
        timeout: false,
        // The device's database stores it.
        cache: 'no-store',
        ...(signal && { signal }),
      });
    } catch (error) {
      // The server refuses an offset after the end of the file.
      if (from === 0 || !isHTTPError(error) || error.response.status !== 400) throw error;
      await this.cutTo(0);
      return this.request(0);
    }
  }

  private async requestAsset(origin: string, from: number): Promise<Response> {
    const { signal = null, maxSilenceMs } = this.options;
    const url = `${origin}/${this.address.path}${from > 0 ? `?from=${from}` : ''}`;
    const response = await fetchWithTimeout(url, { cache: 'no-store', credentials: 'omit', signal }, maxSilenceMs);
    if (!response.ok) throw new TypeError(`${url}: ${response.status}`);
    return response;
  }

  private async read({ body }: Response): Promise<void> {
    const { received } = this;
    const reader = body?.getReader();
    if (!reader) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      received.put(value);
      this.options.onBytes?.(this.file, received.length, value.length);
      // Not awaited: bytes that are not read yet are lost when the connection breaks.
      if (received.length - this.storedUpTo >= STORE_EVERY_BYTES) void this.store();
    }
  }

  /** Stores what has arrived since the last write. */
  private store(): Promise<void> {
    const { scope, file, etag, storedUpTo: at, received } = this;
    if (etag !== '' && received.length > at) {
      const { buffer } = received.from(at);
      this.writing = this.writing.then(() => this.put({ scope, file, at, etag, bytes: buffer }));
    }
    this.storedUpTo = received.length;
    return this.writing;
  }

  /** A database that refuses, such as that of a full device, ends the storing, not the download. */
  private async put(row: DownloadRow): Promise<void> {
    if (!this.canStore) return;
    await this.db.downloads.put(row).catch(() => {
      this.canStore = false;
    });
  }
}

/** Downloads a file of a scope, after what earlier attempts have stored of it. Throws the errors of the call. */
export function downloadFile(
  db: DeviceDatabase,
  scope: string,
  address: FileAddress,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  return new Download(db, scope, address, options).run();
}
