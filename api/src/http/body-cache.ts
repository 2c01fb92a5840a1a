/** Responses that are compressed once and served from memory; the least recently used are evicted first. */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const brotliCompressAsync = promisify(brotliCompress);
const brotliDecompressAsync = promisify(brotliDecompress);
const gzipAsync = promisify(gzip);

/** An encoding that a client accepts. */
export type ContentEncoding = 'br' | 'gzip' | 'identity';

const ENCODINGS: ContentEncoding[] = ['br', 'gzip', 'identity'];

/** Brotli for every client that accepts it, since bodies are stored in brotli. */
export function acceptedEncoding(request: FastifyRequest): ContentEncoding {
  const accepted = new Negotiator(request).encodings(ENCODINGS);
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

/** A strong ETag. It names the encoding, because the bytes of a file differ by encoding. */
export const etagFor = (tag: string, encoding: ContentEncoding): string =>
  `"${tag}${encoding === 'identity' ? '' : `-${encoding}`}"`;

/** Brotli in the thread pool, which does not block the server. */
export function compressBrotli(
  content: string | Buffer,
  quality: number = constants.BROTLI_MAX_QUALITY,
): Promise<Buffer> {
  const bytes = Buffer.from(content);
  return brotliCompressAsync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** Bodies by key, up to a number of bytes. */
export class BodyCache {
  private readonly cached = new Map<string, Buffer>();
  private readonly pending = new Map<string, Promise<Buffer | undefined>>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** The body in an encoding. `load` returns it in brotli, or undefined if there is no body. Concurrent callers share one load. */
  async get(
    key: string,
    encoding: ContentEncoding,
    load: () => Promise<Buffer | undefined>,
  ): Promise<Buffer | undefined> {
    const place = `${encoding} ${key}`;
    const body = this.cached.get(place);
    if (body) {
      // The map's order is the order of use.
      this.cached.delete(place);
      this.cached.set(place, body);
      return body;
    }
    let coming = this.pending.get(place);
    if (!coming) {
      coming = (encoding === 'br' ? load() : this.recode(key, encoding, load))
        .then((made) => made && this.store(place, made))
        .finally(() => this.pending.delete(place));
      this.pending.set(place, coming);
    }
    return coming;
  }

  private async recode(key: string, encoding: ContentEncoding, load: () => Promise<Buffer | undefined>) {
    const brotli = await this.get(key, 'br', load);
    const plain = brotli && (await brotliDecompressAsync(brotli));
    return plain && (encoding === 'gzip' ? gzipAsync(plain) : plain);
  }

  private store(place: string, body: Buffer): Buffer {
    this.cached.set(place, body);
    this.bytes += body.length;
    for (const [oldest, { length }] of this.cached) {
      if (this.bytes <= this.maxBytes) break;
      this.cached.delete(oldest);
      this.bytes -= length;
    }
    return body;
  }
}
