/** Opens a portal's file: unpacks gzip, detects the format, and rejects binary files before anything is stored. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { UnreadableFileError } from '../source-tender.ts';
import { formatOfHeader, type TableFormat } from './known-header.ts';

export type SourceFormat = TableFormat | 'ocds';

const SAMPLE_BYTES = 16_384;
/** Tables of tenders are packed to a tenth or a twentieth. */
const MAX_RATIO = 200;
const UNPACKED_FREELY = 64_000_000;
const LINE_FEED = 0x0a;
const GZIP_MAGIC = Buffer.from('1f8b', 'hex');

/** The bytes of the file, unpacked from gzip and checked to be UTF-8; errors become UnreadableFileError. */
export async function openSource(path: string): Promise<Readable> {
  return Readable.from(validUtf8(await openBytes(path)), { objectMode: false });
}

/** The bytes of the file, unpacked from gzip. */
export async function openBytes(path: string): Promise<Readable> {
  const gzipped = (await firstBytes(path, GZIP_MAGIC.length)).equals(GZIP_MAGIC);
  const raw = createReadStream(path);
  if (!gzipped) return raw;
  const stream = raw.pipe(createGunzip());
  raw.on('error', (error) => stream.destroy(error));
  return Readable.from(bounded(stream, (await stat(path)).size), { objectMode: false });
}

/** Ends a stream that unpacks to far more than a table of texts can: it would keep a worker busy for hours. */
async function* bounded(stream: Readable, packedBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > UNPACKED_FREELY && bytes > packedBytes * MAX_RATIO)
      throw new UnreadableFileError(`unpacks to more than ${MAX_RATIO} times its size: pack the table alone`);
    yield chunk;
  }
}

/** The first bytes of the file, at most `count`. Throws UnreadableFileError, for example for an empty file. */
export async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFileError(
      error.code === 'ENOENT' ? 'there is no such file' : `cannot be opened (${error.code})`,
    );
  });
  try {
    const { buffer, bytesRead } = await file
      .read(Buffer.alloc(count), 0, count, 0)
      .catch((error: NodeJS.ErrnoException) => {
        throw new UnreadableFileError(
          error.code === 'EISDIR' ? 'is a folder, not a file' : `cannot be read (${error.code})`,
        );
      });
    if (bytesRead === 0) throw new UnreadableFileError('is empty');
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* validUtf8(stream: Readable): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // A NUL byte in the first line means a binary file; in a later line it rejects only that row.
  let isFirstLine = true;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (isFirstLine) {
        const end = chunk.indexOf(LINE_FEED);
        const nul = chunk.indexOf(0);
        if (nul >= 0 && (end < 0 || nul < end)) throw new UnreadableFileError('is binary, not text');
        isFirstLine = end < 0;
      }
      decoder.decode(chunk, { stream: true });
      yield chunk;
    }
    decoder.decode();
  } catch (error) {
    throw toUnreadable(error);
  }
}

/** The error of a stream of `openBytes`, as its operator reads it. */
export function toUnreadable(error: unknown): UnreadableFileError {
  if (error instanceof UnreadableFileError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'Z_BUF_ERROR') return new UnreadableFileError('is truncated: the gzip data end too early');
  if (code.startsWith('Z_')) return new UnreadableFileError('is damaged: its gzip data cannot be unpacked');
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new UnreadableFileError('is not UTF-8 text: save it as CSV UTF-8');
  return new UnreadableFileError(`cannot be read (${code || (error as Error).message})`);
}

/** Detects the format by the first characters. */
export async function detectFormat(path: string): Promise<SourceFormat> {
  const stream = await openSource(path);
  let sample = '';
  for await (const chunk of stream) {
    sample += String(chunk);
    if (sample.length >= SAMPLE_BYTES) break;
  }
  stream.destroy();
  // Also removes a byte order mark.
  const start = sample.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) return 'ocds';
  const [header = []] = parse(start, { to: 1, relax_column_count: true, relax_quotes: true }) as string[][];
  const format = formatOfHeader(header);
  if (format) return format;
  if (header.some((name) => name.trim().toLowerCase() === 'ocid'))
    throw new UnreadableFileError('is a table made from OCDS: import the OCDS JSON that it was made from');
  throw unknownTable();
}

/** The error for a table with an unknown header. */
export const unknownTable = () =>
  new UnreadableFileError(
    'is neither a GePNIC notice CSV (no column "Tender ID"), nor a list of GePNIC, IREPS or GeM, nor OCDS JSON, nor an award file, nor a PIN table; name it with --format, or map its columns with "npm run mappings"',
  );
