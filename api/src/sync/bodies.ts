/** Answers that are compressed once and then served from memory, the least used of them forgotten first. */
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';

const decompress = promisify(brotliDecompress);
const toGzip = promisify(gzip);

/** As a client takes it. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Bodies by a key, at most so many bytes of them. */
export class Bodies {
  private readonly kept = new Map<string, Buffer>();
  private readonly coming = new Map<string, Promise<Buffer | undefined>>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  /** The body in an encoding; `load` gives it in brotli, once for all who ask meanwhile, or undefined: there is none. */
  async get(key: string, encoding: Encoding, load: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    const place = `${encoding} ${key}`;
    const body = this.kept.get(place);
    if (body) {
      // The map's order is the order of use.
      this.kept.delete(place);
      this.kept.set(place, body);
      return body;
    }
    let coming = this.coming.get(place);
    if (!coming) {
      coming = (encoding === 'br' ? load() : this.recode(key, encoding, load))
        .then((made) => made && this.keep(place, made))
        .finally(() => this.coming.delete(place));
      this.coming.set(place, coming);
    }
    return coming;
  }

  private async recode(key: string, encoding: Encoding, load: () => Promise<Buffer | undefined>) {
    const brotli = await this.get(key, 'br', load);
    const plain = brotli && (await decompress(brotli));
    return plain && (encoding === 'gzip' ? toGzip(plain) : plain);
  }

  private keep(place: string, body: Buffer): Buffer {
    this.kept.set(place, body);
    this.bytes += body.length;
    for (const [oldest, { length }] of this.kept) {
      if (this.bytes <= this.mostBytes) break;
      this.kept.delete(oldest);
      this.bytes -= length;
    }
    return body;
  }
}
