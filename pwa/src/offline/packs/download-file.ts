/**
 * Downloads that continue after a broken connection, a reload or a kill. Bytes are stored while the rest
 * arrives. The only deadline is for a connection that sends no bytes.
 */
import { FILE_ETAG_HEADER, FILE_OFFSET_HEADER, RESUME_STEP } from '@nivida/contract/sync/sync';
import { isHTTPError } from 'ky';
import type { DeviceDatabase, DownloadRow } from '../../data/device/schema.ts';
import { api, apiFetch, isConnectionError } from '../../data/server/api.ts';
import { fetchWithTimeout } from '../../data/server/fetch-with-timeout.ts';

/** Uncompressed bytes between two writes, about 2 KB on the wire. A killed tab loses at most these. */
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
  /** Aborts the download; the bytes that arrived stay stored. */
  signal?: AbortSignal;
  /** Maximum time without a byte. */
  maxSilenceMs?: number;
  /** The origin of a CDN that also has the file. The CDN is asked first, without the session. */
  assetOrigin?: string | undefined;
  /** Called when the CDN does not send the file. The server is asked next. */
  onAssetFailure?: () => void;
  /**
   * Reports the uncompressed bytes of the file: `received` in all, `now` in this step. `now` is 0 for bytes
   * that an earlier attempt stored.
   */
  onBytes?: (file: string, received: number, now: number) => void;
}

const fileName = ({ path, searchParams = {} }: FileAddress): string =>
  Object.keys(searchParams).length > 0 ? `${path}?${new URLSearchParams(searchParams)}` : path;

/** A proxy may weaken an ETag or change the encoding; the uncompressed file is the same. */
const normalEtag = (etag: string): string => etag.replace(/^W\//, '').replace(/-(br|gzip)"$/, '"');

/** A byte array that grows at its end. */
class GrowingBytes {
  length = 0;
  private buffer = new Uint8Array(STORE_EVERY_BYTES);

  /** Writes at `at` and overwrites what is there. */
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

/** One file, with the bytes of it that have arrived. */
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
        // The server continues a file that the CDN has begun.
        if (this.assetOrigin !== undefined) {
          this.assetOrigin = undefined;
          this.options.onAssetFailure?.();
          continue;
        }
        // The connection does carry bytes, so the rest is requested at once.
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
      // A gap, or bytes of another version of the file: only the bytes before it are used.
      if (at > received.length || etag !== this.etag) break;
      received.put(new Uint8Array(bytes), at);
    }
    this.storedUpTo = received.length;
    if (received.length > 0) this.options.onBytes?.(file, received.length, 0);
  }

  /** Discards all bytes from `at` on. */
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
        // The download is stored in the device's database instead.
        cache: 'no-store',
        ...(signal && { signal }),
      });
    } catch (error) {
      // The server answers 400 to an offset after the end of the file.
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

  /** Stores the bytes that arrived since the last write. */
  private store(): Promise<void> {
    const { scope, file, etag, storedUpTo: at, received } = this;
    if (etag !== '' && received.length > at) {
      const { buffer } = received.from(at);
      this.writing = this.writing.then(() => this.put({ scope, file, at, etag, bytes: buffer }));
    }
    this.storedUpTo = received.length;
    return this.writing;
  }

  /**
   * When the database refuses a write, for example on a full device, storing stops and the download goes on.
   */
  private async put(row: DownloadRow): Promise<void> {
    if (!this.canStore) return;
    await this.db.downloads.put(row).catch(() => {
      this.canStore = false;
    });
  }
}

/**
 * Downloads a file of a scope. Continues what earlier attempts have stored. Throws the errors of the call.
 */
export function downloadFile(
  db: DeviceDatabase,
  scope: string,
  address: FileAddress,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  return new Download(db, scope, address, options).run();
}
