/** Opens a portal's file: unpacks gzip, detects the format, and rejects binary files before anything is stored. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableFileError } from './source-tender.ts';

export type SourceFormat = 'gepnic' | 'ocds' | 'pincodes' | 'awards';

const SAMPLE_BYTES = 16_384;
const LINE_FEED = 0x0a;

/** The bytes of the file, unpacked from gzip; errors become UnreadableFileError. */
export async function openSource(path: string): Promise<Readable> {
  const gzipped = await isGzip(path);
  const raw = createReadStream(path);
  const stream = gzipped ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => stream.destroy(error));
  return Readable.from(validUtf8(stream), { objectMode: false });
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFileError(
      error.code === 'ENOENT' ? 'there is no such file' : `cannot be opened (${error.code})`,
    );
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0).catch((error: NodeJS.ErrnoException) => {
      throw new UnreadableFileError(
        error.code === 'EISDIR' ? 'is a folder, not a file' : `cannot be read (${error.code})`,
      );
    });
    if (bytesRead === 0) throw new UnreadableFileError('is empty');
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
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

function toUnreadable(error: unknown): UnreadableFileError {
  if (error instanceof UnreadableFileError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'Z_BUF_ERROR') return new UnreadableFileError('is truncated: the gzip data end too early');
  if (code.startsWith('Z_')) return new UnreadableFileError('is damaged: its gzip data cannot be unpacked');
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return new UnreadableFileError('is not UTF-8 text');
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
  const header = (start.split('\n', 1)[0] ?? '').toLowerCase();
  if (header.includes('awarded_value') && header.includes('bids')) return 'awards';
  if (/tender[^a-z0-9]*id\b/.test(header)) return 'gepnic';
  if (header.includes('pincode') && header.includes('district')) return 'pincodes';
  throw new UnreadableFileError(
    'is neither a GePNIC notice CSV (no column "Tender ID"), nor OCDS JSON, nor an award file, nor a PIN table; name it with --format',
  );
}
